#include "text/byte_level.h"

#include <array>

#include "text/utf8.h"

namespace vitrine::byte_level {
namespace {

constexpr bool isItself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

struct Alphabet {
  std::array<std::string, 256> characters;
  std::array<int, 512> bytes;  // by code point; -1 where there is none

  Alphabet() {
    bytes.fill(-1);
    unsigned next = 256;  // the bytes that do not print take the code points from here on, in order
    for (unsigned byte = 0; byte < 256; ++byte) {
      const unsigned codePoint = isItself(byte) ? byte : next++;
      utf8::append(characters[byte], codePoint);
      bytes[codePoint] = static_cast<int>(byte);
    }
  }
};

const Alphabet& alphabet() {
  static const Alphabet instance;
  return instance;
}

}  // namespace

std::string encoded(std::string_view bytes) {
  const Alphabet& table = alphabet();
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char byte : bytes) text += table.characters[static_cast<unsigned char>(byte)];
  return text;
}

void appendDecoded(std::string& bytes, std::string_view token) {
  const Alphabet& table = alphabet();
  const std::size_t before = bytes.size();
  for (std::size_t at = 0; at < token.size();) {
    const auto first = static_cast<unsigned char>(token[at]);
    const utf8::Step step = first < 0x80 ? utf8::Step{first, 1, true} : utf8::decode(token.substr(at));
    const int byte = step.valid && step.codePoint < table.bytes.size() ? table.bytes[step.codePoint] : -1;
    if (byte < 0) {
      bytes.resize(before);
      bytes += token;
      return;
    }
    bytes.push_back(static_cast<char>(byte));
    at += step.length;
  }
}

}  // namespace vitrine::byte_level
