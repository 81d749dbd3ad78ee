// Place: where something stands in a template's text.
#pragma once

#include <cstdint>

namespace vitrine::jinja {

// Counted from 1, a column in code points. Line 0: no place is known.
struct Place {
  std::uint32_t line = 0, column = 0;

  bool operator==(const Place&) const = default;
};

}  // namespace vitrine::jinja
