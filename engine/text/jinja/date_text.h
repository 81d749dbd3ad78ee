// A date and time in English, as strftime writes it in the C locale.
#pragma once

#include <string>
#include <string_view>

namespace vitrine::jinja {

struct DateTime {
  int year = 2000, month = 1, day = 1;  // month and day from 1
  int hour = 0, minute = 0, second = 0;
};

// A letter that strftime does not have stays as it is.
std::string dateText(const DateTime& date, std::string_view format);

}  // namespace vitrine::jinja
