// The text of one token, for lists of tokens as people read them.
// Thread: any. Read next: tokenizer.h.
#pragma once

#include <string>

#include "vitrine/tokenizer.h"

namespace vitrine {

// Requires a token of the vocabulary. Keeps the space with which a SentencePiece word begins; decode() of a
// single token leaves it out. A part of a character has bytes that are not UTF-8.
std::string tokenText(const Tokenizer& tokenizer, TokenId token);

}  // namespace vitrine
