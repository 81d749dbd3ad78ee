#include "grammar/token_trie.h"

#include <algorithm>
#include <numeric>

#include "vitrine/token_text.h"

namespace vitrine {
namespace {

bool dropsSpaceOf(const Tokenizer& tokenizer, const std::vector<std::string>& bytes) {
  const auto word = std::ranges::find_if(
      bytes, [](const std::string& token) { return token.size() > 1 && token.front() == ' '; });
  if (word == bytes.end()) return false;
  const auto id = static_cast<TokenId>(word - bytes.begin());
  return !tokenizer.decode(std::span(&id, 1), false).starts_with(' ');
}

}  // namespace

TokenTrie::TokenTrie(const Tokenizer& tokenizer, int vocabularySize, std::span<const TokenId> endTokens)
    : m_bytes(static_cast<std::size_t>(vocabularySize)) {
  const int known = std::min(vocabularySize, tokenizer.vocabularySize());
  for (TokenId id = 0; id < known; ++id) m_bytes[static_cast<std::size_t>(id)] = tokenBytes(tokenizer, id);
  m_dropsFirstSpace = dropsSpaceOf(tokenizer, m_bytes);
  for (const TokenId id : endTokens)
    if (id >= 0 && id < known) m_bytes[static_cast<std::size_t>(id)].clear();
  build();
}

TokenTrie::TokenTrie(std::vector<std::string> tokens, bool dropsFirstSpace)
    : m_bytes(std::move(tokens)), m_dropsFirstSpace(dropsFirstSpace) {
  build();
}

// In order of their bytes, tokens come as the tree is walked.
void TokenTrie::build() {
  for (TokenId id = 0; id < vocabularySize(); ++id)
    if (!bytesOf(id).empty()) m_tokens.push_back(id);
  std::ranges::stable_sort(m_tokens, {}, [&](TokenId id) -> const std::string& { return bytesOf(id); });
  m_nodes.push_back({});
  std::vector<std::size_t> path = {0};
  const auto close = [&](std::size_t depth) {
    for (; path.size() > depth + 1; path.pop_back())
      m_nodes[path.back()].end = static_cast<int>(m_nodes.size());
  };
  for (std::size_t i = 0; i < m_tokens.size(); ++i) {
    const std::string& bytes = bytesOf(m_tokens[i]);
    std::size_t shared = 0;
    while (shared + 1 < path.size() && shared < bytes.size() &&
           m_nodes[path[shared + 1]].byte == static_cast<std::uint8_t>(bytes[shared]))
      ++shared;
    close(shared);
    for (std::size_t depth = shared; depth < bytes.size(); ++depth) {
      path.push_back(m_nodes.size());
      m_nodes.push_back(
          {.byte = static_cast<std::uint8_t>(bytes[depth]), .depth = static_cast<int>(depth) + 1});
    }
    Node& node = m_nodes[path.back()];
    if (node.tokens++ == 0) node.firstToken = static_cast<int>(i);
  }
  close(0);
  m_nodes.front().end = static_cast<int>(m_nodes.size());
}

}  // namespace vitrine
