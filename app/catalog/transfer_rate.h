// TransferRate: bytes a second over the last few seconds. Thread: one at a time.
#pragma once

#include <QtGlobal>
#include <deque>
#include <utility>

namespace vitrine {

class TransferRate {
 public:
  void clear() { m_samples.clear(); }

  // `bytes` received in all at `ms` of any steady clock.
  void add(qint64 ms, qint64 bytes) {
    // Files that begin anew come with fewer bytes.
    if (!m_samples.empty() && bytes < m_samples.back().second) clear();
    m_samples.emplace_back(ms, bytes);
    while (m_samples.size() > 2 && ms - m_samples.front().first > kWindowMs) m_samples.pop_front();
  }
  double perSecond() const {  // 0: not known yet
    if (m_samples.size() < 2) return 0;
    const auto [firstMs, first] = m_samples.front();
    const auto [lastMs, last] = m_samples.back();
    return lastMs > firstMs ? double(last - first) * 1000 / double(lastMs - firstMs) : 0;
  }

 private:
  static constexpr qint64 kWindowMs = 5000;
  std::deque<std::pair<qint64, qint64>> m_samples;
};

}  // namespace vitrine
