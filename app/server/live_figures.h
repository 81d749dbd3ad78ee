// Figures that one thread writes and any other reads, without a lock: neither waits for the other.
//
// A reading sees each number as it was at some moment; numbers of one histogram may be of two moments an
// observation apart. Read next: engine_metrics.h.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace vitrine::server {

class LiveNumber {
 public:
  void set(std::int64_t value) { m_value.store(value, std::memory_order_relaxed); }
  void add(std::int64_t more) { set(read() + more); }  // there is one writer
  std::int64_t read() const { return m_value.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> m_value = 0;
};

// Counts values in ranges; allocates nothing once it is made.
class LiveHistogram {
 public:
  // The largest value of each range, in increasing order; one more range has all that is larger.
  explicit LiveHistogram(std::vector<double> bounds)
      : m_bounds(std::move(bounds)), m_counts(m_bounds.size() + 1) {}

  void observe(double value) {
    const auto range = std::ranges::lower_bound(m_bounds, value) - m_bounds.begin();
    m_counts[static_cast<std::size_t>(range)].add(1);
    m_sum.store(sum() + value, std::memory_order_relaxed);
  }

  const std::vector<double>& bounds() const { return m_bounds; }
  std::int64_t count(std::size_t range) const { return m_counts[range].read(); }  // range <= bounds().size()
  double sum() const { return m_sum.load(std::memory_order_relaxed); }

 private:
  const std::vector<double> m_bounds;
  std::vector<LiveNumber> m_counts;
  std::atomic<double> m_sum = 0;
};

}  // namespace vitrine::server
