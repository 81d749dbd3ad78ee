#include "vitrine/token_text.h"

#include "text/byte_level.h"
#include "text/token_decoder.h"
#include "text/utf8.h"

namespace vitrine {

std::string tokenText(const Tokenizer& tokenizer, TokenId token) {
  std::string text = tokenizer.decode(std::span(&token, 1), false);
  const bool beginsWord = tokenizer.piece(token).starts_with("\u2581");
  return beginsWord && !text.starts_with(' ') ? " " + text : text;
}

// decode() writes a part of a character as U+FFFD. Its bytes are in how the vocabulary spells it: as a byte
// or as characters that stand for bytes.
std::string tokenBytes(const Tokenizer& tokenizer, TokenId token) {
  if (tokenizer.isSpecial(token)) return {};
  std::string text = tokenText(tokenizer, token);
  if (text.find(utf8::kReplacementText) == std::string::npos) return text;
  const std::string piece = tokenizer.piece(token);
  std::string bytes;
  if (const int byte = byteOfToken(piece); byte >= 0)
    bytes.push_back(static_cast<char>(byte));
  else
    byte_level::appendDecoded(bytes, piece);
  return utf8::repaired(bytes) == text ? bytes : text;
}

}  // namespace vitrine
