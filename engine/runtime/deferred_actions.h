// DeferredActions: changes to requests that arrive during a step. They wait until the step ends, so that the
// lists of the step do not change under it.
//
// Invariant: no action waits outside a step. Thread: the engine's. Read next: engine_impl.h.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/check.h"

namespace vitrine {

class DeferredActions {
 public:
  bool inStep() const { return m_inStep; }

  // Requires that no step has begun.
  void beginStep() {
    VITRINE_CHECK(!m_inStep);
    m_inStep = true;
  }

  // Runs what has waited, in order of arrival. An action that one of them adds runs at once.
  void endStep() {
    m_inStep = false;
    for (std::size_t i = 0; i < m_actions.size(); ++i) m_actions[i]();
    m_actions.clear();
  }

  // Runs the action now, or when the step in progress ends.
  void run(std::function<void()> action) {
    if (m_inStep)
      m_actions.push_back(std::move(action));
    else
      action();
  }

 private:
  bool m_inStep = false;
  std::vector<std::function<void()>> m_actions;
};

}  // namespace vitrine
