// TextStream: turns a growing list of tokens into text that never has to be taken back.
//
// Decoding token by token loses SentencePiece's spaces and splits characters of several bytes. The stream
// decodes a window that begins at tokens already written, keeps back what may still change (an unfinished
// character, a run of byte tokens, a possible beginning of a stop string) and returns only what is final. All
// that it returned is together what decode() gives for all tokens at once, up to the stop string. Thread: one
// stream belongs to one thread. Read next: tokenizer.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vitrine/tokenizer.h"

namespace vitrine {

class TextStream {
 public:
  // The tokenizer must outlive the stream; null gives empty text for every token. Generation ends at the
  // first stop string, which is not part of the text; a special token spelled like one ends it too.
  TextStream(const Tokenizer* tokenizer, std::vector<std::string> stopStrings);

  // Adds one token and returns the text that became final; empty after the end. `last`: no token follows, so
  // nothing is held back, as if finish() were called too. Throws what Tokenizer::decode() throws.
  std::string push(TokenId token, bool last = false);

  // What was held back, at the end of generation.
  std::string finish();

  bool stopped() const { return m_stopped; }  // a stop string has appeared
  bool hasStopStrings() const { return !m_stopStrings.empty(); }
  const std::string& text() const { return m_text; }  // everything returned so far

 private:
  bool isMark(TokenId token, std::string_view piece) const;  // of a thought or a call
  bool isStopString(std::string_view piece) const;
  void readWindow(bool final);
  void shortenWindow(std::size_t heldBytes);
  std::string release(bool final);

  const Tokenizer* m_tokenizer;
  std::vector<std::string> m_stopStrings;
  std::vector<TokenId> m_thoughtTokens;
  std::vector<TokenId> m_window;  // tokens whose text may still change, behind some whose text is final
  std::size_t m_read = 0;         // bytes of the window's text that have moved to m_pending
  std::string m_pending;          // final characters that may still belong to a stop string
  std::string m_text;
  bool m_stopped = false;
};

}  // namespace vitrine
