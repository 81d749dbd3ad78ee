#include "cache/block_pool.h"

#include "core/check.h"

namespace vitrine {

BlockPool::BlockPool(int numBlocks) {
  VITRINE_CHECK(numBlocks >= 1);
  m_blocks.resize(static_cast<std::size_t>(numBlocks));
  for (BlockId block = 0; block < numBlocks; ++block) link(block, End::kBack);
}

const BlockPool::Node& BlockPool::at(BlockId block) const {
  VITRINE_CHECK(block >= 0 && block < totalCount());
  return m_blocks[static_cast<std::size_t>(block)];
}

BlockPool::Node& BlockPool::at(BlockId block) {
  return const_cast<Node&>(static_cast<const BlockPool*>(this)->at(block));
}

BlockId BlockPool::front() const {
  VITRINE_CHECK(m_freeCount > 0);
  return m_front;
}

BlockId BlockPool::take() {
  const BlockId block = front();
  retain(block);
  return block;
}

void BlockPool::retain(BlockId block) {
  if (at(block).refCount == 0) unlink(block);
  ++at(block).refCount;
}

int BlockPool::release(BlockId block, End end) {
  Node& node = at(block);
  VITRINE_CHECK(node.refCount > 0);
  if (--node.refCount == 0) link(block, end);
  return node.refCount;
}

void BlockPool::unlink(BlockId block) {
  Node& node = at(block);
  (node.previous == kNone ? m_front : at(node.previous).next) = node.next;
  (node.next == kNone ? m_back : at(node.next).previous) = node.previous;
  node.previous = node.next = kNone;
  --m_freeCount;
}

void BlockPool::link(BlockId block, End end) {
  Node& node = at(block);
  if (end == End::kFront) {
    node.next = m_front;
    (m_front == kNone ? m_back : at(m_front).previous) = block;
    m_front = block;
  } else {
    node.previous = m_back;
    (m_back == kNone ? m_front : at(m_back).next) = block;
    m_back = block;
  }
  ++m_freeCount;
}

std::vector<BlockId> BlockPool::freeQueue() const {
  std::vector<BlockId> queue;
  queue.reserve(static_cast<std::size_t>(m_freeCount));
  for (BlockId block = m_front; block != kNone; block = at(block).next) queue.push_back(block);
  return queue;
}

}  // namespace vitrine
