// Strings as lines that a person can write: \n, \t, \r, \\ and \xHH for what a line cannot show, and \s for
// a blank at an end of it.
//
// Thread: values.
#pragma once

#include <QStringList>

namespace vitrine {

QString toEscapedLines(const QStringList& strings);
// Empty lines give no string, and a string that comes twice counts once. A backslash before anything else
// stands for itself.
QStringList fromEscapedLines(const QString& lines);

}  // namespace vitrine
