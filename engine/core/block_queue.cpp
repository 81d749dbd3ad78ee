#include "vitrine/block_queue.h"

#include "core/check.h"

namespace vitrine {

BlockQueue::BlockQueue(int capacity) {
  VITRINE_CHECK(capacity >= 0);
  m_links.resize(static_cast<std::size_t>(capacity) + 1);
  m_links.back() = {capacity, capacity};
}

bool BlockQueue::contains(BlockId block) const {
  return block >= 0 && block < capacity() && m_links[static_cast<std::size_t>(block)].next != kNone;
}

BlockId BlockQueue::front() const {
  VITRINE_CHECK(!empty());
  return m_links.back().next;
}

void BlockQueue::pushFront(BlockId block) { insertAfter(capacity(), block); }

void BlockQueue::pushBack(BlockId block) { insertAfter(m_links.back().previous, block); }

void BlockQueue::insertAfter(BlockId previous, BlockId block) {
  VITRINE_CHECK(block >= 0 && block < capacity() && !contains(block));
  const BlockId next = at(previous).next;
  at(block) = {previous, next};
  at(previous).next = block;
  at(next).previous = block;
  ++m_size;
}

bool BlockQueue::remove(BlockId block) {
  if (!contains(block)) return false;
  const Links links = at(block);
  at(links.previous).next = links.next;
  at(links.next).previous = links.previous;
  at(block) = {};
  --m_size;
  return true;
}

}  // namespace vitrine
