// The text of one token, for lists of tokens as people read them.
// Thread: any. Read next: tokenizer.h.
#pragma once

#include <string>

#include "vitrine/tokenizer.h"

namespace vitrine {

// Requires a token of the vocabulary. Keeps the space with which a SentencePiece word begins; decode() of a
// single token leaves it out. A part of a character has bytes that are not UTF-8.
std::string tokenText(const Tokenizer& tokenizer, TokenId token);

// The bytes that the token adds to an answer's text: as tokenText(), but a part of a character has that part
// of its bytes, and a special token has none. Only the first token of a text may add less: its space is left
// out where decode() leaves it out.
std::string tokenBytes(const Tokenizer& tokenizer, TokenId token);

}  // namespace vitrine
