#include "cache/block_pool.h"

#include "core/check.h"

namespace vitrine {

BlockPool::BlockPool(int numBlocks) : m_free(numBlocks) {
  VITRINE_CHECK(numBlocks >= 1);
  m_refCounts.resize(static_cast<std::size_t>(numBlocks));
  for (BlockId block = 0; block < numBlocks; ++block) m_free.pushBack(block);
}

int BlockPool::refCount(BlockId block) const {
  VITRINE_CHECK(block >= 0 && block < totalCount());
  return m_refCounts[static_cast<std::size_t>(block)];
}

int& BlockPool::countOf(BlockId block) {
  VITRINE_CHECK(block >= 0 && block < totalCount());
  return m_refCounts[static_cast<std::size_t>(block)];
}

BlockId BlockPool::take() {
  const BlockId block = front();
  retain(block);
  return block;
}

void BlockPool::retain(BlockId block) {
  if (countOf(block)++ == 0) m_free.remove(block);
}

int BlockPool::release(BlockId block, End end) {
  int& count = countOf(block);
  VITRINE_CHECK(count > 0);
  if (--count > 0) return count;
  if (end == End::kFront)
    m_free.pushFront(block);
  else
    m_free.pushBack(block);
  return 0;
}

}  // namespace vitrine
