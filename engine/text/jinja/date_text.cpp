#include "text/jinja/date_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <unordered_map>

namespace vitrine::jinja {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};

class DateWriter {
 public:
  explicit DateWriter(const DateTime& date) : m_date(date) {
    using namespace std::chrono;
    const sys_days day = sys_days(year_month_day(year(date.year), month(static_cast<unsigned>(date.month)),
                                                 std::chrono::day(static_cast<unsigned>(date.day))));
    const sys_days first = sys_days(year_month_day(year(date.year), January, std::chrono::day(1)));
    m_weekday = static_cast<int>(weekday(day).c_encoding());
    m_dayOfYear = static_cast<int>((day - first).count());
    m_secondsSince1970 =
        (day.time_since_epoch() / days(1)) * 86'400LL + date.hour * 3600 + date.minute * 60 + date.second;
  }

  std::string write(std::string_view format) {
    std::string text;
    for (std::size_t at = 0; at < format.size(); ++at) {
      if (format[at] != '%' || at + 1 == format.size()) {
        text += format[at];
        continue;
      }
      const std::size_t begin = at++;
      char flag = 0;  // - no padding, _ spaces, 0 zeros, ^ upper case
      while (at + 1 < format.size() && std::string_view("-_0^#").find(format[at]) != std::string_view::npos)
        flag = format[at++];
      const std::string part = partOf(format[at], flag);
      text += part == kUnknown ? std::string(format.substr(begin, at - begin + 1)) : part;
    }
    return text;
  }

 private:
  static constexpr std::string_view kUnknown = "\x01";

  static std::string number(int value, int width, char flag, char fill = '0') {
    std::string digits = std::to_string(value);
    if (flag == '-') return digits;
    if (flag == '_') fill = ' ';
    if (flag == '0') fill = '0';
    const auto wanted = static_cast<std::size_t>(width);
    if (digits.size() < wanted) digits.insert(0, wanted - digits.size(), fill);
    return digits;
  }
  static std::string word(std::string_view text, char flag) {
    std::string result(text);
    if (flag == '^' || flag == '#')
      for (char& byte : result)
        if (byte >= 'a' && byte <= 'z') byte = static_cast<char>(byte - 'a' + 'A');
    return result;
  }

  int hour12() const { return m_date.hour % 12 == 0 ? 12 : m_date.hour % 12; }
  // The week of the year, where weeks begin on this day.
  int weekFrom(int firstDay) const { return (m_dayOfYear + 7 - (m_weekday - firstDay + 7) % 7) / 7; }

  // The week of ISO 8601 and its year: the week that holds the year's first Thursday is the first.
  std::pair<int, int> isoWeek() const {
    const auto weeksIn = [](int year) {
      const auto lastDay = [](int y) { return (y + y / 4 - y / 100 + y / 400) % 7; };
      return lastDay(year) == 4 || lastDay(year - 1) == 3 ? 53 : 52;
    };
    const int weekday = m_weekday == 0 ? 7 : m_weekday;
    const int week = (m_dayOfYear + 1 - weekday + 10) / 7;
    if (week < 1) return {m_date.year - 1, weeksIn(m_date.year - 1)};
    if (week > weeksIn(m_date.year)) return {m_date.year + 1, 1};
    return {m_date.year, week};
  }

  std::string partOf(char letter, char flag) {
    const std::string_view month = kMonths[static_cast<std::size_t>(m_date.month - 1) % 12];
    const std::string_view day = kDays[static_cast<std::size_t>(m_weekday)];
    switch (letter) {
      case 'a':
        return word(day.substr(0, 3), flag);
      case 'A':
        return word(day, flag);
      case 'b':
      case 'h':
        return word(month.substr(0, 3), flag);
      case 'B':
        return word(month, flag);
      case 'c':
        return write("%a %b %e %H:%M:%S %Y");
      case 'C':
        return number(m_date.year / 100, 2, flag);
      case 'd':
        return number(m_date.day, 2, flag);
      case 'D':
      case 'x':
        return write("%m/%d/%y");
      case 'e':
        return number(m_date.day, 2, flag, ' ');
      case 'f':
        return "000000";
      case 'F':
        return write("%Y-%m-%d");
      case 'g':
        return number(isoWeek().first % 100, 2, flag);
      case 'G':
        return number(isoWeek().first, 1, flag);
      case 'H':
        return number(m_date.hour, 2, flag);
      case 'I':
        return number(hour12(), 2, flag);
      case 'j':
        return number(m_dayOfYear + 1, 3, flag);
      case 'k':
        return number(m_date.hour, 2, flag, ' ');
      case 'l':
        return number(hour12(), 2, flag, ' ');
      case 'm':
        return number(m_date.month, 2, flag);
      case 'M':
        return number(m_date.minute, 2, flag);
      case 'n':
        return "\n";
      case 'p':
        return flag == '#' ? (m_date.hour < 12 ? "am" : "pm") : (m_date.hour < 12 ? "AM" : "PM");
      case 'P':
        return m_date.hour < 12 ? "am" : "pm";
      case 'r':
        return write("%I:%M:%S %p");
      case 'R':
        return write("%H:%M");
      case 's':
        return std::to_string(m_secondsSince1970);
      case 'S':
        return number(m_date.second, 2, flag);
      case 't':
        return "\t";
      case 'T':
      case 'X':
        return write("%H:%M:%S");
      case 'u':
        return number(m_weekday == 0 ? 7 : m_weekday, 1, flag);
      case 'U':
        return number(weekFrom(0), 2, flag);
      case 'V':
        return number(isoWeek().second, 2, flag);
      case 'w':
        return number(m_weekday, 1, flag);
      case 'W':
        return number(weekFrom(1), 2, flag);
      case 'y':
        return number(m_date.year % 100, 2, flag);
      case 'Y':
        return number(m_date.year, 1, flag);
      case 'z':
      case 'Z':
        return "";  // the date has no time zone
      case '%':
        return "%";
      default:
        return std::string(kUnknown);
    }
  }

  DateTime m_date;
  int m_weekday = 0, m_dayOfYear = 0;  // from 0; Sunday is 0
  long long m_secondsSince1970 = 0;
};

}  // namespace

std::string dateText(const DateTime& date, std::string_view format) { return DateWriter(date).write(format); }

}  // namespace vitrine::jinja
