// Scope: the variables of a block, and the scope around it.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/jinja/syntax.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

class Scope {
 public:
  explicit Scope(std::shared_ptr<Scope> outer)
      : m_outer(std::move(outer)), m_levels(m_outer ? m_outer->m_levels + 1 : 1) {}

  // Here or in the scopes around it; null when there is none.
  const Value* find(NameId name) const {
    for (const Scope* scope = this; scope; scope = scope->m_outer.get())
      if (const std::size_t at = scope->indexOf(name); at < scope->m_variables.size())
        return &scope->m_variables[at].second;
    return nullptr;
  }
  void set(NameId name, Value value) {
    const std::size_t at = indexOf(name);
    if (at < m_variables.size()) {
      m_variables[at].second = std::move(value);
      return;
    }
    m_variables.emplace_back(name, std::move(value));
    if (!m_index.empty())
      m_index.emplace(name, at);
    else if (m_variables.size() > kSearched)
      for (std::size_t i = 0; i < m_variables.size(); ++i) m_index.emplace(m_variables[i].first, i);
  }
  void clear() {
    m_variables.clear();
    m_index.clear();
  }

  std::uint64_t levels() const { return m_levels; }  // this one and those around it

 private:
  static constexpr std::size_t kSearched = 12;  // as many variables are found without an index

  std::size_t indexOf(NameId name) const {
    if (!m_index.empty()) {
      const auto found = m_index.find(name);
      return found == m_index.end() ? m_variables.size() : found->second;
    }
    std::size_t at = 0;
    while (at < m_variables.size() && m_variables[at].first != name) ++at;
    return at;
  }

  std::shared_ptr<Scope> m_outer;
  std::uint64_t m_levels;
  std::vector<std::pair<NameId, Value>> m_variables;
  std::unordered_map<NameId, std::size_t> m_index;  // empty for a few variables
};

}  // namespace vitrine::jinja
