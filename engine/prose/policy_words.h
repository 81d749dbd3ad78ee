// The words of each scheduling policy: its order, and the numbers behind a request's place in it. Internal to
// event_prose.cpp. Thread: any. Read next: vitrine/events/standing.h.
#pragma once

#include <cstdint>
#include <limits>

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct PolicyWords : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

 protected:
  String orderOf(Policy policy) const {
    switch (policy) {
      case Policy::kFcfs:
        return tr("The request that came first goes first.");
      case Policy::kPriority:
        return tr("The request with the largest priority goes first.");
      case Policy::kDeadline:
        return tr("The request that is due first goes first.");
      case Policy::kShortest:
        return tr("The shortest request goes first.");
    }
    return "";
  }
  String numbersOf(const Standing& e) const {
    switch (e.policy) {
      case Policy::kFcfs:
        return tr("request number %1, %2").arg(e.claim, arrival(e.submittedStep));
      case Policy::kPriority:
        return tr("priority %1, %2").arg(e.claim, arrival(e.submittedStep));
      case Policy::kDeadline:
        return e.claim == std::numeric_limits<std::int64_t>::max()
                   ? tr("no deadline")
                   : tr("due %1 after the start of the run").arg(duration(e.claim, m_language));
      case Policy::kShortest:
        return tr("%n prompt and maximum token(s), %1", nullptr, static_cast<int>(e.claim))
            .arg(arrival(e.submittedStep));
    }
    return {};
  }

 private:
  String arrival(int submittedStep) const {
    return submittedStep == 0 ? tr("arrived before the first step")
                              : tr("arrived after step %1").arg(step(submittedStep));
  }
};

}  // namespace vitrine::prose
