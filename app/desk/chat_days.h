// The days under which a list groups chats. Thread: any.
#pragma once

#include <QDate>
#include <QString>

namespace vitrine {

// "Today", "Yesterday", "In the last week", "In the last month", or the month: "March 2026".
QString dayGroup(const QDate& day, const QDate& today);
// The time of a day that is today, else the day.
QString shortTime(std::int64_t ms, const QDate& today);
// What a heading with dayGroup() leaves to say: the time of one day, the weekday in a week, else the day.
QString timeInGroup(std::int64_t ms, const QDate& today);

}  // namespace vitrine
