// OperationMeter: where the time of a forward goes, by kinds of operation.
//
// The decoder calls one operation after another, so one reading of the clock ends an operation and begins the
// next: half the cost of two readings each, and no time is lost between them. What the host does by itself
// (it builds a batch, draws a draft's token, looks at a tap) follows an operation of the kind `other`, and
// belongs to it: behind such an operation the next one begins with a reading of its own. The times sum to the
// forward's by construction. The clock is not engine time, so that measuring changes no reading on which the
// engine decides. Thread: the backend's. Read next: timed_backend.h.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "backends/operation_costs.h"
#include "core/engine_clock.h"
#include "vitrine/events/forward.h"

namespace vitrine {

class OperationMeter {
 public:
  explicit OperationMeter(ClockSource clock) : m_clock(std::move(clock)) {}

  bool isOn() const { return m_on; }
  // Begins anew.
  void start() {
    m_costs = {};
    m_launches.reset();
    m_on = m_hostWorks = true;
    m_beganNs = m_lastNs = m_clock();
  }
  void stop() { m_on = false; }
  // Calls `work`, which is no part of the forward.
  template <typename Work>
  void leaveOut(const Work& work) {
    readClock(Operation::kOther);
    m_on = false;
    work();
    m_on = m_hostWorks = true;
    const std::int64_t nowNs = m_clock();
    m_beganNs += nowNs - m_lastNs;
    m_lastNs = nowNs;
  }
  // Of the forward that is measured; the last one counts.
  void setLaunches(LaunchesMeasured launches) { m_launches = std::move(launches); }
  std::optional<LaunchesMeasured> takeLaunches() { return std::exchange(m_launches, std::nullopt); }
  // What was measured since start(); stops. Allocates the list.
  ForwardMeasured take() {
    readClock(Operation::kOther);
    stop();
    ForwardMeasured measured{m_lastNs - m_beganNs, {}};
    measured.operations.reserve(m_costs.size());
    for (std::size_t i = 0; i < m_costs.size(); ++i) {
      if (m_costs[i].calls == 0 && m_costs[i].ns == 0) continue;
      m_costs[i].operation = static_cast<Operation>(i);
      measured.operations.push_back(m_costs[i]);
    }
    return measured;
  }

  // Before and after each operation while it is on.
  void begin() {
    if (m_hostWorks) readClock(Operation::kOther);
  }
  void end(Operation kind, const Cost& cost) {
    readClock(kind);
    OperationCost& sum = m_costs[static_cast<std::size_t>(kind)];
    ++sum.calls;
    sum.bytes += cost.bytes;
    sum.operations += cost.operations;
    sum.int8Operations += cost.arithmetic == Compute::kInt8 ? cost.operations : 0;
    sum.bf16Operations += cost.arithmetic == Compute::kBf16 ? cost.operations : 0;
    m_hostWorks = kind == Operation::kOther;
  }

 private:
  // The time since the reading before belongs to `kind`.
  void readClock(Operation kind) {
    const std::int64_t nowNs = m_clock();
    m_costs[static_cast<std::size_t>(kind)].ns += nowNs - m_lastNs;
    m_lastNs = nowNs;
  }

  const ClockSource m_clock;
  bool m_on = false;
  bool m_hostWorks = true;  // between operations
  std::int64_t m_beganNs = 0, m_lastNs = 0;
  std::array<OperationCost, kOperationCount> m_costs{};
  std::optional<LaunchesMeasured> m_launches;
};

// Measures while it lives, so that a forward that throws leaves the meter off. Null: measures nothing.
class MeterScope {
 public:
  explicit MeterScope(OperationMeter* meter) : m_meter(meter) {
    if (m_meter != nullptr) m_meter->start();
  }
  ~MeterScope() {
    if (m_meter != nullptr) m_meter->stop();
  }
  MeterScope(const MeterScope&) = delete;
  MeterScope& operator=(const MeterScope&) = delete;

 private:
  OperationMeter* const m_meter;
};

}  // namespace vitrine
