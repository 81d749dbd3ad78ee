// The text of one token, for events: a list of tokens as people read it.
// Thread: any. Read next: vitrine/tokenizer.h.
#pragma once

#include <string>

#include "vitrine/tokenizer.h"

namespace vitrine {

// Requires a token of the vocabulary. Keeps the space with which a SentencePiece word begins; decode() of a
// single token leaves it out.
std::string tokenText(const Tokenizer& tokenizer, TokenId token);

}  // namespace vitrine
