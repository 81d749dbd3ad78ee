// Scope: the variables of a block, and the scope around it.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "text/jinja/syntax.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

class Scope {
 public:
  explicit Scope(std::shared_ptr<Scope> outer) : m_outer(std::move(outer)) {}

  // Here or in the scopes around it; null when there is none.
  const Value* find(NameId name) const {
    for (const Scope* scope = this; scope; scope = scope->m_outer.get())
      for (const auto& [known, value] : scope->m_variables)
        if (known == name) return &value;
    return nullptr;
  }
  void set(NameId name, Value value) {
    for (auto& [known, old] : m_variables)
      if (known == name) {
        old = std::move(value);
        return;
      }
    m_variables.emplace_back(name, std::move(value));
  }
  void clear() { m_variables.clear(); }

 private:
  std::shared_ptr<Scope> m_outer;
  std::vector<std::pair<NameId, Value>> m_variables;  // few, so a search is faster than an index
};

}  // namespace vitrine::jinja
