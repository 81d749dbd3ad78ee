// TextStream: turns a growing list of tokens into text that never has to be taken back.
//
// Decoding token by token loses SentencePiece's spaces and splits characters of several bytes. The stream
// decodes a window that begins at the last settled token, holds back what may still change (an unfinished
// UTF-8 sequence, a possible beginning of a stop string) and returns only what is final.
// Thread: one stream belongs to one thread. Read next: tokenizer.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vitrine/tokenizer.h"

namespace vitrine {

class TextStream {
 public:
  // The tokenizer must outlive the stream; null gives empty text for every token. Generation ends at the
  // first stop string, which is not part of the text.
  TextStream(const Tokenizer* tokenizer, std::vector<std::string> stopStrings);

  // Adds one token and returns the text that became final, possibly empty.
  std::string push(TokenId token);

  // What was held back, at the end of generation.
  std::string finish();

  bool stopped() const { return m_stopped; }          // a stop string has appeared
  const std::string& text() const { return m_text; }  // everything returned so far

 private:
  std::string release(bool final);

  const Tokenizer* m_tokenizer;
  std::vector<std::string> m_stopStrings;
  std::vector<TokenId> m_window;  // tokens whose text may still change, after one settled token of context
  std::string m_settled;          // decode() of the window's settled beginning
  std::string m_pending;          // decoded text held back
  std::string m_text;
  bool m_stopped = false;
};

}  // namespace vitrine
