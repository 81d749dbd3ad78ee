// Vocabulary: strings to ids and back. Thread: immutable once filled.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vitrine/tokenizer.h"

namespace vitrine {

class Vocabulary {
 public:
  void reserve(std::size_t entries) {
    m_ids.reserve(entries);
    m_texts.reserve(entries);
  }

  // An id may be given twice, as may a string; the last wins. The id must be below kMostIds.
  void add(std::string_view text, TokenId id);

  std::optional<TokenId> find(std::string_view text) const {
    const auto found = m_ids.find(text);
    return found == m_ids.end() ? std::nullopt : std::optional<TokenId>(found->second);
  }
  bool has(TokenId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < m_known.size() && m_known[static_cast<std::size_t>(id)];
  }
  const std::string& text(TokenId id) const {
    return m_texts[static_cast<std::size_t>(id)];
  }  // requires has(id)

  std::size_t entries() const { return m_ids.size(); }
  int end() const { return static_cast<int>(m_texts.size()); }  // one past the largest id

  // Enough for any model there is, and little enough that a damaged id cannot ask for all memory.
  static constexpr TokenId kMostIds = 4'000'000;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, TokenId, Hash, std::equal_to<>> m_ids;
  std::vector<std::string> m_texts;
  std::vector<bool> m_known;
};

inline void Vocabulary::add(std::string_view text, TokenId id) {
  const auto index = static_cast<std::size_t>(id);
  if (index >= m_texts.size()) {
    m_texts.resize(index + 1);
    m_known.resize(index + 1);
  }
  m_ids.insert_or_assign(std::string(text), id);
  m_texts[index] = text;
  m_known[index] = true;
}

}  // namespace vitrine
