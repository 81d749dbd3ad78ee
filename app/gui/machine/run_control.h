// RunControl: the pace and the load that the window asks for, read by the engine's thread between and inside
// steps.
//
// A thread that is inside a step, or held at a gate, handles no queued calls. So the few commands that must
// reach it there are kept here, under a lock. A held thread also does the errands that are left here. Thread:
// any.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace vitrine {

using LoadTicket = std::int64_t;  // 1, 2, ... in the order of the loads

class RunControl {
 public:
  enum class Pace {
    kPaused,   // no step; one under way goes on to its end
    kRunning,  // one step after another
    kPhase,    // hold before each further phase of the step
  };

  void wish(Pace pace) {
    const std::lock_guard lock(m_mutex);
    m_pace = pace;
    ++m_wishes;
    m_changed.notify_all();
  }
  Pace pace() const {
    const std::lock_guard lock(m_mutex);
    return m_pace;
  }

  // On the engine's thread, when a step begins: it fulfils the wishes made before.
  void beginStep() {
    const std::lock_guard lock(m_mutex);
    m_met = m_wishes;
  }

  // On the engine's thread, when a breakpoint was met: no further step, or (inside) no further phase.
  void endRun(bool inside) {
    const std::lock_guard lock(m_mutex);
    if (m_pace == Pace::kRunning) m_pace = inside ? Pace::kPhase : Pace::kPaused;
  }

  // A call for the engine's thread that a held step need not put off. It may not throw. A queued call of
  // doErrands() must follow, for a thread that is not held.
  void leave(std::function<void()> errand) {
    const std::lock_guard lock(m_mutex);
    m_errands.push_back(std::move(errand));
    m_changed.notify_all();
  }
  // On the engine's thread: those that are left, in order.
  void doErrands() {
    std::vector<std::function<void()>> errands;
    {
      const std::lock_guard lock(m_mutex);
      errands.swap(m_errands);
    }
    for (const std::function<void()>& errand : errands) errand();
  }

  // On the engine's thread, before a phase: blocks while the pace is kPhase and no new wish has come. Returns
  // whether it did.
  template <class Announce>
  bool holdAtGate(Announce announce) {
    std::unique_lock lock(m_mutex);
    if (m_pace != Pace::kPhase || m_closing) return false;
    const bool holds = m_wishes == m_met;
    if (holds) {
      lock.unlock();
      announce();
      lock.lock();
      while (m_wishes == m_met && !m_closing) {
        if (m_errands.empty()) {
          m_changed.wait(lock);
          continue;
        }
        lock.unlock();
        doErrands();
        lock.lock();
      }
    }
    m_met = m_wishes;
    return holds;
  }

  // Each order to load gets a ticket. Only the newest one is wanted, until it is cancelled.
  LoadTicket orderLoad() { return m_wantedLoad = ++m_loads; }  // the window's thread
  void cancelLoad() { m_wantedLoad = 0; }
  bool wantsLoad(LoadTicket ticket) const { return m_wantedLoad == ticket; }

  // At the program's end: loads are cancelled, and gates no longer hold.
  void close() {
    cancelLoad();
    const std::lock_guard lock(m_mutex);
    m_closing = true;
    m_pace = Pace::kPaused;
    m_changed.notify_all();
  }

 private:
  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  Pace m_pace = Pace::kPaused;
  std::vector<std::function<void()>> m_errands;
  long m_wishes = 0;
  long m_met = 0;
  bool m_closing = false;
  LoadTicket m_loads = 0;
  std::atomic<LoadTicket> m_wantedLoad = 0;
};

}  // namespace vitrine
