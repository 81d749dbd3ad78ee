#include "grammar/token_masks.h"

#include <algorithm>

namespace vitrine {
namespace {

constexpr std::size_t kBits = 64;

void set(TokenMask& mask, TokenId token) {
  mask[static_cast<std::size_t>(token) / kBits] |= std::uint64_t{1}
                                                   << static_cast<std::size_t>(token) % kBits;
}

void join(TokenMask& mask, const TokenMask& other) {
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] |= other[i];
}

}  // namespace

TokenMasks::TokenMasks(GrammarMatcher& matcher, const TokenTrie& trie)
    : m_matcher(matcher),
      m_trie(trie),
      m_words((static_cast<std::size_t>(trie.vocabularySize()) + kBits - 1) / kBits) {}

void TokenMasks::forget() {
  m_locals.clear();
  m_masks.clear();
  m_first.clear();
}

std::size_t TokenMasks::mostKept() const { return kMostBytes / (sizeof(std::uint64_t) * m_words + 64) + 1; }

void TokenMasks::walk(State state, int top, TokenMask& mask, std::vector<int>* open) {
  const std::vector<TokenTrie::Node>& nodes = m_trie.nodes();
  const TokenTrie::Node& above = nodes[static_cast<std::size_t>(top)];
  m_path.resize(std::max(m_path.size(), static_cast<std::size_t>(above.depth) + 1));
  m_path[static_cast<std::size_t>(above.depth)] = state;
  for (int i = top + 1; i < above.end;) {
    const TokenTrie::Node& node = nodes[static_cast<std::size_t>(i)];
    const auto depth = static_cast<std::size_t>(node.depth);
    const State next = m_matcher.advance(m_path[depth - 1], node.byte);
    if (next == GrammarMatcher::kDead) {
      i = node.end;
      continue;
    }
    for (const TokenId token : m_trie.tokensAt(node)) set(mask, token);
    const bool leaves = m_matcher.isOpen(next);
    if (leaves && open != nullptr) open->push_back(i);
    const bool goesOn = m_matcher.ways(next).size() > 1 || !(leaves || m_matcher.mayEnd(next));
    if (m_path.size() <= depth) m_path.resize(depth + 1);
    m_path[depth] = next;
    i = goesOn ? i + 1 : node.end;
  }
}

const TokenMasks::Local& TokenMasks::localOf(int node) {
  const auto found = m_locals.find(node);
  if (found != m_locals.end()) return found->second;
  if (m_locals.size() >= mostKept()) m_locals.clear();
  Local local{TokenMask(m_words, 0), {}};
  walk(m_matcher.from(node, GrammarMatcher::kOpen), 0, local.mask, &local.open);
  return m_locals.emplace(node, std::move(local)).first->second;
}

// The ways of a state allow what any of them allows.
TokenMask TokenMasks::maskOf(State state) {
  TokenMask mask(m_words, 0);
  const std::vector<GrammarMatcher::Way> ways = m_matcher.ways(state);
  for (const GrammarMatcher::Way& way : ways) {
    if (way.node == GrammarMatcher::Way::kNone) continue;
    const Local& local = localOf(way.node);
    join(mask, local.mask);
    if (way.calls == GrammarMatcher::kEnd) continue;
    const State behind = m_matcher.behind(way.calls);
    for (const int place : local.open) walk(behind, place, mask, nullptr);
  }
  return mask;
}

// A space in front is no part of the text; a token that is nothing else would add nothing.
TokenMask TokenMasks::firstMask(State state) {
  TokenMask mask(m_words, 0);
  const std::vector<TokenTrie::Node>& nodes = m_trie.nodes();
  for (int i = 1; i < nodes.front().end; i = nodes[static_cast<std::size_t>(i)].end) {
    const TokenTrie::Node& node = nodes[static_cast<std::size_t>(i)];
    const bool isSpace = node.byte == ' ';
    const State next = isSpace ? state : m_matcher.advance(state, node.byte);
    if (next == GrammarMatcher::kDead) continue;
    if (!isSpace)
      for (const TokenId token : m_trie.tokensAt(node)) set(mask, token);
    walk(next, i, mask, nullptr);
  }
  return mask;
}

const TokenMask& TokenMasks::allowed(State state, bool isFirst) {
  if (isFirst && m_trie.dropsFirstSpace()) {
    if (m_first.empty()) m_first = firstMask(state);
    return m_first;
  }
  const auto found = m_masks.find(state);
  if (found != m_masks.end()) return found->second;
  if (m_masks.size() >= mostKept()) m_masks.clear();
  TokenMask mask = maskOf(state);
  return m_masks.emplace(state, std::move(mask)).first->second;
}

TokenMasks::State TokenMasks::advance(State state, TokenId token, bool isFirst) {
  if (token < 0 || token >= m_trie.vocabularySize()) return GrammarMatcher::kDead;
  std::string_view bytes = m_trie.bytesOf(token);
  if (isFirst && m_trie.dropsFirstSpace() && bytes.starts_with(' ')) bytes.remove_prefix(1);
  return bytes.empty() ? GrammarMatcher::kDead : m_matcher.advance(state, bytes);
}

}  // namespace vitrine
