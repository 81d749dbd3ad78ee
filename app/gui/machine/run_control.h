// RunControl: the pace and the load that the window asks for, read by the engine's thread between and inside
// steps.
//
// A thread that is inside a step, or held at a gate, handles no queued calls. So the few commands that must
// reach it there are kept here, under a lock. A held thread also makes the calls that are posted here.
// Thread: any.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "gui/machine/guarded.h"

namespace vitrine {

using LoadTicket = std::int64_t;  // 1, 2, ... in the order of the loads

// Of a run: the steps a second that the window's slider says, or as fast as the engine goes.
enum class RunSpeed : std::uint8_t { kChosen, kFull };

class RunControl {
 public:
  enum class Pace {
    kPaused,   // no step; one under way goes on to its end
    kRunning,  // one step after another
    kPhase,    // hold before each further phase of the step
  };

  void request(Pace pace) {
    const Lock lock(m_mutex);
    take(pace);
  }
  // A request that was made when `earlier` others had come, and reaches the machine only now: one that came
  // meanwhile overrules it.
  void requestAfter(long earlier, Pace pace) {
    const Lock lock(m_mutex);
    if (m_requested == earlier) take(pace);
  }
  long requested() const {
    const Lock lock(m_mutex);
    return m_requested;
  }
  Pace pace() const {
    const Lock lock(m_mutex);
    return m_pace;
  }

  // On the engine's thread, when a step begins: it serves the requests made before.
  void beginStep() {
    const Lock lock(m_mutex);
    m_served = m_requested;
  }

  // On the engine's thread, when a breakpoint was met: no further step, or (inside) no further phase.
  void endRun(bool inside) {
    const Lock lock(m_mutex);
    if (m_pace == Pace::kRunning) m_pace = inside ? Pace::kPhase : Pace::kPaused;
  }

  // A call for the engine's thread that a held step need not put off. It may not throw. A queued call of
  // doPosted() must follow, for a thread that is not held.
  void post(std::function<void()> call) {
    const Lock lock(m_mutex);
    m_posted.push_back(std::move(call));
    m_changed.notify_all();
  }
  // On the engine's thread: those that were posted, in order.
  void doPosted() VITRINE_EXCLUDES(m_mutex) {
    std::vector<std::function<void()>> calls;
    {
      const Lock lock(m_mutex);
      calls.swap(m_posted);
    }
    for (const std::function<void()>& call : calls) call();
  }

  // On the engine's thread, before a phase: blocks while the pace is kPhase and no new request has come.
  // Returns whether it did.
  template <class Announce>
  bool holdAtGate(Announce announce) VITRINE_EXCLUDES(m_mutex) {
    Lock lock(m_mutex);
    if (m_pace != Pace::kPhase || m_closing) return false;
    const bool holds = m_requested == m_served;
    if (holds) {
      lock.unlock();
      announce();
      lock.lock();
      while (m_requested == m_served && !m_closing) {
        if (m_posted.empty()) {
          m_changed.wait(lock);
          continue;
        }
        lock.unlock();
        doPosted();
        lock.lock();
      }
    }
    m_served = m_requested;
    return holds;
  }

  // Each order to load gets a ticket. Only the newest one is wanted, until it is cancelled.
  LoadTicket orderLoad() { return m_wantedLoad = ++m_loads; }  // the window's thread
  void cancelLoad() { m_wantedLoad = 0; }
  bool wantsLoad(LoadTicket ticket) const { return m_wantedLoad == ticket; }

  // At the program's end: loads are cancelled, and gates no longer hold.
  void close() {
    cancelLoad();
    const Lock lock(m_mutex);
    m_closing = true;
    m_pace = Pace::kPaused;
    m_changed.notify_all();
  }

 private:
  void take(Pace pace) VITRINE_REQUIRES(m_mutex) {
    m_pace = pace;
    ++m_requested;
    m_changed.notify_all();
  }

  mutable Mutex m_mutex;
  std::condition_variable_any m_changed;
  Pace m_pace VITRINE_GUARDED_BY(m_mutex) = Pace::kPaused;
  std::vector<std::function<void()>> m_posted VITRINE_GUARDED_BY(m_mutex);
  long m_requested VITRINE_GUARDED_BY(m_mutex) = 0;
  long m_served VITRINE_GUARDED_BY(m_mutex) = 0;
  bool m_closing VITRINE_GUARDED_BY(m_mutex) = false;
  LoadTicket m_loads = 0;  // the window's thread alone has it
  std::atomic<LoadTicket> m_wantedLoad = 0;
};

}  // namespace vitrine
