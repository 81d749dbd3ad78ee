// BlockQueue: the free KV blocks of a pool in the order in which they are taken.
//
// A doubly linked list through an array, so that a block joins at either end, and leaves from any place, in
// O(1). (A prefix hit takes a cached block out of the middle.) A copy copies one array of 8 bytes a block.
// Thread: a value. Read next: machine_state.h.
#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

#include "vitrine/ids.h"

namespace vitrine {

class BlockQueue {
 public:
  BlockQueue() : BlockQueue(0) {}
  // An empty queue for the ids 0 .. capacity - 1.
  explicit BlockQueue(int capacity);

  int capacity() const { return static_cast<int>(m_links.size()) - 1; }
  std::size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }
  bool contains(BlockId block) const;  // false for an id outside the capacity
  BlockId front() const;               // requires !empty()

  // Both require an id within the capacity that is not in the queue.
  void pushFront(BlockId block);
  void pushBack(BlockId block);
  // False when the block is not in the queue.
  bool remove(BlockId block);

  std::vector<BlockId> ids() const { return {begin(), end()}; }  // the front first

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = BlockId;
    using difference_type = std::ptrdiff_t;
    using pointer = const BlockId*;
    using reference = const BlockId&;

    Iterator() = default;
    Iterator(const BlockQueue* queue, BlockId block) : m_queue(queue), m_block(block) {}
    const BlockId& operator*() const { return m_block; }
    Iterator& operator++() {
      m_block = m_queue->m_links[static_cast<std::size_t>(m_block)].next;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const BlockQueue* m_queue = nullptr;
    BlockId m_block = 0;
  };
  Iterator begin() const { return {this, m_links.back().next}; }
  Iterator end() const { return {this, capacity()}; }

  bool operator==(const BlockQueue&) const = default;  // the same capacity, blocks and order

 private:
  static constexpr BlockId kNone = -1;
  struct Links {
    BlockId previous = kNone, next = kNone;  // kNone: the block is not in the queue

    bool operator==(const Links&) const = default;
  };

  Links& at(BlockId block) { return m_links[static_cast<std::size_t>(block)]; }
  void insertAfter(BlockId previous, BlockId block);

  std::vector<Links> m_links;  // by block; one more, the last, closes the list to a ring
  std::size_t m_size = 0;
};

}  // namespace vitrine
