// The byte-level alphabet of GPT-2 (Radford et al. 2019): every byte has a printable character of its own,
// so that a vocabulary of strings can hold any bytes ("Ġ" is a space, "Ċ" a newline).
//
// Thread: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace vitrine::byte_level {

std::string encoded(std::string_view bytes);

// Appends a token's bytes; a token with a character outside the alphabet stands for its own UTF-8 bytes.
void appendDecoded(std::string& bytes, std::string_view token);

}  // namespace vitrine::byte_level
