#include "scheduling/waiting_queue.h"

#include "core/check.h"

namespace vitrine {

void WaitingQueue::add(Entry entry) noexcept {
  const bool preempted = entry.m_all.value()->status != SequenceStatus::kWaiting;
  const bool isNew = m_all.insert(std::move(entry.m_all)).inserted;
  VITRINE_CHECK(isNew);
  m_news.insert(std::move(entry.m_news));
  if (preempted) m_preempted.insert(std::move(entry.m_preempted));
}

void WaitingQueue::remove(Sequence& sequence) noexcept {
  const std::size_t removed = m_all.erase(&sequence);
  VITRINE_CHECK(removed == 1);
  m_preempted.erase(&sequence);
  m_news.erase(&sequence);
}

// The nodes are kept while the key changes, so nothing is allocated.
void WaitingQueue::setRank(Sequence& sequence, std::int64_t rank) noexcept {
  Tree::node_type all = m_all.extract(&sequence), preempted = m_preempted.extract(&sequence),
                  news = m_news.extract(&sequence);
  sequence.rank = rank;
  m_all.insert(std::move(all));
  m_preempted.insert(std::move(preempted));
  m_news.insert(std::move(news));
}

}  // namespace vitrine
