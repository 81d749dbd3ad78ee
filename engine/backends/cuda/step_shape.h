// StepShape: what two steps have in common if one may repeat what was recorded of the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <utility>

namespace vitrine::cuda {

// Everything that a recorded launch has in it, but for what stands in memory.
struct StepShape {
  std::uint64_t memory = 0;  // RepeatedLayers
  int firstLayer = 0, lastLayer = 0;
  const void* hidden = nullptr;
  const void* cache = nullptr;  // its memory on the device
  int blockSize = 0;
  bool hasCodes = false;  // as int8
  const void* lists = nullptr;
  int tokens = 0, tableWidth = 0, mostContext = 0;
  bool operator==(const StepShape&) const = default;
};

// What is kept for shapes; those that were not used for longest go.
template <class Value>
class RecentShapes {
 public:
  Value* find(const StepShape& shape) {
    const auto found = std::ranges::find(m_entries, shape, &Entry::first);
    if (found == m_entries.end()) return nullptr;
    m_entries.splice(m_entries.begin(), m_entries, found);
    return &m_entries.front().second;
  }
  Value& add(const StepShape& shape, Value value) {
    constexpr std::size_t kMost = 128;
    if (m_entries.size() == kMost) m_entries.pop_back();
    m_entries.emplace_front(shape, std::move(value));
    return m_entries.front().second;
  }
  void clear() { m_entries.clear(); }

 private:
  using Entry = std::pair<StepShape, Value>;
  std::list<Entry> m_entries;  // the last used first
};

}  // namespace vitrine::cuda
