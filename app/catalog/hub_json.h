// Numbers of the hub's answers, which are bytes from outside. Thread: any.
#pragma once

#include <QJsonValue>
#include <QtGlobal>

namespace vitrine {

// A whole number that a double holds exactly; -1 for anything else.
inline qint64 wholeNumber(const QJsonValue& value) {
  constexpr double kMost = 9007199254740992.0;
  const double number = value.toDouble(-1);
  return number >= 0 && number < kMost && number == double(qint64(number)) ? qint64(number) : -1;
}

}  // namespace vitrine
