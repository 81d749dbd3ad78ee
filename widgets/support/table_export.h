// Any item model as comma-separated values (RFC 4180), for a spreadsheet or a screen reader. Thread: the
// model's.
#pragma once

#include <QString>

class QAbstractItemModel;

namespace vitrine {

// The header row, then each cell: its Qt::EditRole, where numbers are plain, or else what it displays. Rows
// with names of their own (hasRowNames) begin with them. A field that a spreadsheet would run as a formula is
// quoted with an apostrophe in front, since a token may be any text.
QString toCsv(const QAbstractItemModel& model);
QString csvLine(const QAbstractItemModel& model, int row);  // of toCsv(), with its line end
QString csvField(const QString& text);
// Whether the vertical header has texts, and not the numbers of the rows.
bool hasRowNames(const QAbstractItemModel& model);

}  // namespace vitrine
