// Any bytes as a grammar in GBNF, and as a text behind it: refused, or a machine whose masks allow exactly
// the bytes that lead somewhere, and which reads the same as the grammar written out again.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "grammar/gbnf.h"
#include "grammar/grammar_guide.h"
#include "vitrine/error.h"

namespace {

using namespace vitrine;

constexpr std::size_t kMostSteps = 64;  // bytes of the text that are read

void require(bool holds) {
  if (!holds) std::abort();
}

const std::shared_ptr<const TokenTrie>& bytesAsTokens() {
  static const auto trie = [] {
    std::vector<std::string> tokens;
    for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
    return std::make_shared<const TokenTrie>(std::move(tokens));
  }();
  return trie;
}

void read(const Grammar& grammar, std::string_view text) {
  GrammarGuide guide(grammar, bytesAsTokens());
  const Automaton again(parseGbnf(toGbnf(grammar)));
  GrammarMatcher other(again);
  GrammarPlace place;
  std::vector<TokenId> output;
  auto there = other.start();
  for (const char byte : text.substr(0, kMostSteps)) {
    const auto state = guide.stateAfter(place, output);
    if (guide.matcher().ways(state).size() > GrammarMatcher::kMostWays / 2) return;  // not all are followed
    require(guide.mayEnd(state) == other.mayEnd(there));
    const TokenMask mask = guide.allowed(state, output.size());
    const auto token = static_cast<std::uint8_t>(byte);
    const bool isAllowed = (mask[token / 64] >> token % 64 & 1) != 0;
    require(isAllowed == (guide.advance(state, token, output.size()) != GrammarMatcher::kDead));
    there = other.advance(there, token);
    require(isAllowed == (there != GrammarMatcher::kDead));
    if (!isAllowed) return;
    output.push_back(token);
  }
}

}  // namespace

// The text stands behind a zero byte; without one the source is the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(all.find('\0'), all.size());
  try {
    const Grammar grammar = parseGbnf(all.substr(0, end));
    read(grammar, end < all.size() ? all.substr(end + 1) : all);
  } catch (const EngineError& error) {
    require(error.code() == ErrorCode::kInvalidArgument);
  }
  return 0;
}
