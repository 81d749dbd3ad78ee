// FormatSpec: how a number or a text is written into a format, as Python's mini-language has it: ">8",
// "08.3f".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/jinja/budget.h"
#include "text/jinja/marked_text.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

struct FormatSpec {
  std::string fill = " ";  // one letter
  char align = 0;          // < > ^, or = for between sign and digits; 0: as the type has it
  char sign = '-';
  bool alternate = false;
  std::size_t width = 0;  // in letters
  char grouping = 0;      // , or _
  int precision = -1;
  char type = 0;

  static constexpr int kMostPrecision = 10'000;

  // Throws a Fault for what is no spec.
  static FormatSpec parse(std::string_view spec, Budget& budget);
};

std::string formattedWhole(std::int64_t value, const FormatSpec& spec, Budget& budget);
std::string formattedReal(double value, const FormatSpec& spec, Budget& budget);
MarkedText formattedText(const MarkedText& text, const FormatSpec& spec, Budget& budget);

// format(value, spec) of Python.
MarkedText formatted(const Value& value, std::string_view spec, Budget& budget);

}  // namespace vitrine::jinja
