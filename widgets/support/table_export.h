// Any item model as comma-separated values (RFC 4180), for a spreadsheet or a screen reader. Thread: the
// model's.
#pragma once

#include <QString>

class QAbstractItemModel;

namespace vitrine {

// The header row, then what each cell displays. A field that a spreadsheet would run as a formula is quoted
// with an apostrophe in front, since a token may be any text.
QString toCsv(const QAbstractItemModel& model);
QString csvField(const QString& text);

}  // namespace vitrine
