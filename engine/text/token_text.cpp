#include "vitrine/token_text.h"

namespace vitrine {

std::string tokenText(const Tokenizer& tokenizer, TokenId token) {
  std::string text = tokenizer.decode(std::span(&token, 1), false);
  const bool beginsWord = tokenizer.piece(token).starts_with("\u2581");
  return beginsWord && !text.starts_with(' ') ? " " + text : text;
}

}  // namespace vitrine
