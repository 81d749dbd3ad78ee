#include "vitrine/prose/language.h"

#include <array>
#include <cstdio>

namespace vitrine::prose {

std::string Language::translate(const char* text, int) const { return text; }

std::string Language::number(std::int64_t value) const { return std::to_string(value); }

std::string Language::decimal(double value, int digits) const {
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

const Language& english() {
  static const Language kEnglish;
  return kEnglish;
}

}  // namespace vitrine::prose
