// A list of strings as the JSON list of a database's column. Thread: any.
#pragma once

#include <QStringList>

namespace vitrine {

QString stopsToText(const QStringList& stops);
// Anything else than a list of strings gives none.
QStringList stopsFromText(const QString& text);

}  // namespace vitrine
