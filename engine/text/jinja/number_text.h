// Numbers in texts, as Python's int() and float() read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vitrine::jinja {

// Nothing for a text that is no number. A base of 0 reads the base from the text: "0x1f". Throws a Fault for
// a number that does not fit into 64 bits.
std::optional<std::int64_t> wholeIn(std::string_view text, int base);
std::optional<double> realIn(std::string_view text);

}  // namespace vitrine::jinja
