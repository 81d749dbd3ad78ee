// Which bytes of an answer's shown text each of its tokens is. Thread: any.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace vitrine {

// Bytes of the shown text; empty for a token that has none there: an end token, a part of a character whose
// last part is a later token, what the model thought.
struct TokenSpan {
  std::size_t begin = 0, end = 0;

  bool operator==(const TokenSpan&) const = default;
};

// `texts`: what became final with each token (TextStream). `shown`: the answer as a chat shows it, without
// what was thought, without leading spaces, and up to a stop string. `prompt`: as it ended, since it may have
// opened a thought. One span for each token; none when the
// tokens do not say that text.
std::vector<TokenSpan> tokenSpans(const std::vector<std::string>& texts, const std::string& shown,
                                  const std::string& prompt = {});

// The token of a byte; behind the end the last one with text. Nothing when no token has text.
std::optional<int> tokenAt(const std::vector<TokenSpan>& spans, std::size_t byte);

}  // namespace vitrine
