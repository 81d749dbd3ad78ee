#include "widgets/models/why_rows.h"

#include <algorithm>
#include <utility>

namespace vitrine {
namespace {

int freeChange(const EventBody& body) {
  if (std::holds_alternative<BlockAllocated>(body) || std::holds_alternative<BlockCopied>(body)) return -1;
  if (const auto* hit = std::get_if<BlockHit>(&body)) return hit->refCount == 1 ? -1 : 0;
  if (const auto* freed = std::get_if<BlockFreed>(&body)) return freed->refCount == 0 ? 1 : 0;
  if (const auto* evicted = std::get_if<ContextEvicted>(&body)) return evicted->refCount == 0 ? 1 : 0;
  return 0;
}

}  // namespace

// What is free now, with the step's changes taken back.
int WhyRows::freeBefore() const {
  int free = static_cast<int>(m_after.freeQueue.size());
  for (const Event& event : m_events) free -= freeChange(event.body);
  return free;
}

void WhyRows::addAt(int section, SequenceId sequence, const QString& text, bool warning) {
  WhyRow row;
  row.section = section;
  row.sequence = sequence;
  row.request = m_names.requestOf(sequence, m_after);
  if (sequence != 0) row.letter = letter(sequence);
  row.text = text;
  row.warning = warning;
  m_rows.push_back(std::move(row));
}

std::vector<WhyRow> WhyRows::sorted(std::size_t headline) {
  if (headline < m_rows.size()) {
    const auto head = m_rows.begin() + static_cast<std::ptrdiff_t>(headline);
    const auto first =
        std::find_if(m_rows.begin(), head, [&](const WhyRow& row) { return row.section == head->section; });
    std::rotate(first, head, head + 1);
  }
  std::stable_sort(m_rows.begin(), m_rows.end(),
                   [](const WhyRow& a, const WhyRow& b) { return a.section < b.section; });
  return std::move(m_rows);
}

}  // namespace vitrine
