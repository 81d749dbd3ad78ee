// InOrder: a value for each sequence, in the order in which the sequences came. Internal to why.cpp.
// Thread: any.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "vitrine/ids.h"

namespace vitrine::prose {

template <typename Value>
class InOrder {
 public:
  Value& operator[](SequenceId id) {
    const auto [place, isNew] = m_places.emplace(id, m_all.size());
    if (isNew) m_all.emplace_back(id, Value());
    return m_all[place->second].second;
  }
  auto begin() const { return m_all.begin(); }
  auto end() const { return m_all.end(); }

 private:
  std::map<SequenceId, std::size_t> m_places;
  std::vector<std::pair<SequenceId, Value>> m_all;
};

}  // namespace vitrine::prose
