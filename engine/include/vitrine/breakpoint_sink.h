// BreakpointSink: checks a running engine's events against breakpoints, so that its host can stop it there.
//
// A host asks stopped() after each step, or acts inside the step by onHit. Thread: set() on any, so that a
// breakpoint also reaches an engine that is held inside a step; all else on the engine's. Read next:
// breakpoints.h.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "vitrine/breakpoints.h"
#include "vitrine/event_sink.h"

namespace vitrine {

class BreakpointSink final : public EventSink {
 public:
  // Called by publish() at the first hit since takeStop(); bound by the rules of EventSink::publish().
  std::function<void()> onHit;

  // Holds from the next event on.
  void set(std::vector<Breakpoint> list) {
    const std::lock_guard lock(m_mutex);
    m_needsEntropy = needsEntropyFor(list);
    m_next = std::move(list);
    m_changed = true;
  }
  bool needsEntropy() const { return m_needsEntropy; }  // any thread

  void publish(const Event& event) override {
    if (m_changed && !m_hit) adopt();
    const auto hit = m_breakpoints.check(event);
    if (!hit || m_hit) return;
    m_hit = hit;
    if (onHit) onHit();
  }

  bool stopped() const { return m_hit.has_value(); }
  // The first hit since the last call.
  std::optional<BreakStop> takeStop() {
    if (!m_hit) return std::nullopt;
    BreakStop stop{m_breakpoints.list()[m_hit->place], *m_hit};
    m_hit.reset();
    return stop;
  }

 private:
  void adopt() {
    const std::lock_guard lock(m_mutex);
    m_breakpoints.set(std::move(m_next));
    m_next.clear();
    m_changed = false;
  }

  Breakpoints m_breakpoints;
  std::optional<BreakHit> m_hit;
  std::mutex m_mutex;
  std::vector<Breakpoint> m_next;  // waits for the next event
  std::atomic<bool> m_changed = false, m_needsEntropy = false;
};

}  // namespace vitrine
