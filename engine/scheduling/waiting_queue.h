// WaitingQueue: the sequences that wait for admission, in the policy's order.
//
// A sorted tree, so that each change costs O(log n) however long the queue is, and a step looks only at the
// sequences that it may admit or whose reason to wait may have changed. Two smaller trees hold what would
// otherwise be searched for in every step: the preempted sequences, and those whose published reason may have
// changed. Invariant: both are parts of the queue; a sequence whose last published reason is
// not kBehind is in `unsettled()`. Thread: the engine's. Read next: policy.h, admission.h.
#pragma once

#include <cstddef>
#include <set>

#include "scheduling/policy.h"

namespace vitrine {

class WaitingQueue {
 public:
  // The sequences of one request have the same rank and are sorted by index.
  struct Order {
    bool operator()(const Sequence* a, const Sequence* b) const {
      if (a->rank != b->rank) return a->rank < b->rank;
      return a->request != b->request ? a->request < b->request : a->index < b->index;
    }
  };
  using Tree = std::set<Sequence*, Order>;

  // Memory for one sequence in the queue. Reserving may throw std::bad_alloc; add(Entry) cannot.
  class Entry {
   public:
    explicit Entry(Sequence& sequence)
        : m_all(node(sequence)), m_preempted(node(sequence)), m_news(node(sequence)) {}

   private:
    friend class WaitingQueue;
    static Tree::node_type node(Sequence& sequence) {
      Tree one{&sequence};
      return one.extract(one.begin());
    }
    Tree::node_type m_all, m_preempted, m_news;
  };

  // Requires that the sequence is not in the queue, and that its status says whether it was preempted.
  void add(Entry entry) noexcept;
  void remove(Sequence& sequence) noexcept;  // requires that it is in the queue
  void setRank(Sequence& sequence, std::int64_t rank) noexcept;

  bool empty() const { return m_all.empty(); }
  std::size_t size() const { return m_all.size(); }
  Sequence* front() const { return *m_all.begin(); }  // requires !empty()
  Tree::const_iterator begin() const { return m_all.begin(); }
  Tree::const_iterator end() const { return m_all.end(); }
  // The first sequence behind `sequence`, which need not be in the queue itself.
  Tree::const_iterator behind(const Sequence& sequence) const {
    return m_all.upper_bound(const_cast<Sequence*>(&sequence));
  }

  const Tree& preempted() const { return m_preempted; }
  const Tree& unsettled() const { return m_news; }
  void unsettle(Sequence& sequence) { m_news.insert(&sequence); }  // may throw std::bad_alloc
  void settle(Sequence& sequence) noexcept { m_news.erase(&sequence); }

 private:
  Tree m_all, m_preempted, m_news;
};

}  // namespace vitrine
