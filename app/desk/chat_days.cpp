#include "desk/chat_days.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>

namespace vitrine {
namespace {

struct ChatDays {
  Q_DECLARE_TR_FUNCTIONS(ChatDays)
};

// The locale's short time, which has seconds in a few locales; C is one.
QString hoursAndMinutes() {
  static const QRegularExpression seconds(QStringLiteral("[:.]s{1,2}"));
  return QLocale().timeFormat(QLocale::ShortFormat).remove(seconds);
}

}  // namespace

QString dayGroup(const QDate& day, const QDate& today) {
  const qint64 ago = day.daysTo(today);
  if (ago <= 0) return ChatDays::tr("Today");  // a clock that was set back makes no chat of tomorrow
  if (ago == 1) return ChatDays::tr("Yesterday");
  if (ago < 7) return ChatDays::tr("In the last week");
  if (ago < 30) return ChatDays::tr("In the last month");
  return QLocale().toString(day, QStringLiteral("MMMM yyyy"));
}

QString timeInGroup(std::int64_t ms, const QDate& today) {
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(ms);
  const qint64 ago = time.date().daysTo(today);
  if (ago < 2) return QLocale().toString(time.time(), hoursAndMinutes());
  return QLocale().toString(time.date(), ago < 7 ? QStringLiteral("ddd") : QStringLiteral("d MMM"));
}

QString shortTime(std::int64_t ms, const QDate& today) {
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(ms);
  if (time.date() == today) return QLocale().toString(time.time(), hoursAndMinutes());
  return QLocale().toString(time.date(), QLocale::ShortFormat);
}

}  // namespace vitrine
