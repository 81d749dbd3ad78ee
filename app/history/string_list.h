// A list of strings as the JSON list of a database's column. Thread: any.
#pragma once

#include <QStringList>

namespace vitrine {

QString stringsToText(const QStringList& strings);
// Anything else than a list of strings gives none.
QStringList stringsFromText(const QString& text);

}  // namespace vitrine
