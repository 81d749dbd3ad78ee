#include "json_members.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine {

std::int64_t wholeOf(const Json& object, const char* key, double scale) {
  const Json& value = memberOf(object, key);
  if (!value.is_number()) return 0;
  const double number = value.get<double>() * scale;
  return number > 0 && number < 0x1p53 ? std::llround(number) : 0;  // false for NaN too
}

int countOf(const Json& object, const char* key) {
  return static_cast<int>(std::min<std::int64_t>(wholeOf(object, key), std::numeric_limits<int>::max()));
}

std::uint64_t bitsOf(const Json& object, const char* key) {
  const Json& value = memberOf(object, key);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  return value.is_number_integer() ? static_cast<std::uint64_t>(value.get<std::int64_t>()) : 0;
}

}  // namespace vitrine
