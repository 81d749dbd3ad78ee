#include "vitrine/prose/preemption_cost.h"

#include <algorithm>
#include <set>

#include "prose/first_written.h"
#include "prose/in_order.h"
#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {
namespace {

class CostWriter : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  CostWriter(std::span<const Event> events, const MachineState& after, const Names& names,
             const Language& language)
      : Speaker(names, language), m_after(after) {
    for (const Event& event : events)
      std::visit([this](const auto& body) { take(unboxed(body)); }, event.body);
  }

  std::vector<PreemptionCost> write() const {
    std::vector<PreemptionCost> costs;
    for (const SequenceAdmitted* back : m_resumed)
      if (back->cachedTokens == back->totalTokens - 1 &&
          isBehindItsFirstToken(back->sequence, back->totalTokens))
        costs.push_back({back->sequence, Phase::kAdmit, noCost(*back)});
    if (m_moves != nullptr)
      for (const auto& [id, read] : m_read)
        if (!m_failed.contains(id)) costs.push_back({id, Phase::kAllocate, swapCost(id, read)});
    if (m_finished == nullptr) return costs;
    for (const SequenceScheduled* work : m_prefills)
      if (endsARecovery(*work)) costs.push_back({work->sequence, Phase::kForward, computingCost(*work)});
    return costs;
  }

 private:
  struct Read {
    int blocks = 0;
    std::int64_t bytes = 0;
  };

  template <typename Other>
  void take(const Other&) {}
  void take(const SequenceAdmitted& e) {
    if (e.resumed) m_resumed.push_back(&e);
  }
  void take(const BlockSwappedIn& e) {
    Read& read = m_read[e.sequence];
    ++read.blocks;
    read.bytes += e.bytes;
  }
  void take(const SwapFailed& e) { m_failed.insert(e.sequence); }
  void take(const StepSwapped& e) { m_moves = &e; }
  void take(const SequenceScheduled& e) {
    if (e.kind == WorkKind::kPrefill) m_prefills.push_back(&e);
  }
  void take(const KvForgotten& e) { m_forgetting.insert(e.sequence); }
  void take(const StepSpeculated& e) { m_draftNs = e.draftNs; }
  void take(const StepFinished& e) { m_finished = &e; }

  // The time of the moves is one figure for the whole step.
  String swapCost(SequenceId id, const Read& read) const {
    const std::string time = duration(m_moves->ns, m_language);
    const bool isAlone =
        m_moves->outBlocks == 0 && m_moves->demotedBlocks == 0 && m_moves->inBlocks == read.blocks;
    return (isAlone ? tr("Cost of the preemption of %1: %2 (%3) out and in again; reading them back took %4.")
                    : tr("Cost of the preemption of %1: %2 (%3) out and in again; all moves of this step "
                         "took %4."))
        .arg(sequence(id), blocks(read.blocks), byteSize(read.bytes, m_language), time);
  }

  String noCost(const SequenceAdmitted& e) const {
    return tr("Cost of the preemption of %1: none, for the prefix index still had its %n computed token(s).",
              nullptr, e.cachedTokens)
        .arg(sequence(e.sequence));
  }

  // Then all of its tokens but the newest had been computed before it was preempted.
  bool isBehindItsFirstToken(SequenceId id, int totalTokens) const {
    const auto sequence = m_after.sequences.find(id);
    if (sequence == m_after.sequences.end() || sequence->second.preemptions == 0) return false;
    return totalTokens > firstWrittenPosition(m_after, id);
  }
  int lostTokensIn(const SequenceScheduled& work) const {
    return std::min(work.tokens, work.totalTokens - 1 - work.firstPosition);
  }
  // Without a KV cache every step computes all tokens again, and that is no preemption's cost.
  bool endsARecovery(const SequenceScheduled& work) const {
    return lostTokensIn(work) > 0 && work.firstPosition + work.tokens >= work.totalTokens - 1 &&
           !m_forgetting.contains(work.sequence) && isBehindItsFirstToken(work.sequence, work.totalTokens);
  }

  // A forward's time is shared by its tokens. Of earlier steps the state knows the tokens alone, and those
  // only where no part of them may have been swapped in.
  String computingCost(const SequenceScheduled& work) const {
    const int now = lostTokensIn(work);
    const int all = work.totalTokens - 1 - m_after.sequences.at(work.sequence).cachedTokens;
    const std::int64_t forwardNs = m_finished->phaseNs[static_cast<std::size_t>(Phase::kForward)] - m_draftNs;
    const std::string subject = sequence(work.sequence),
                      time = duration(forwardNs * now / std::max(m_finished->tokens, 1), m_language);
    if (now == all)
      return tr("Cost of the preemption of %1: %n token(s) computed again, about %2 of the forward pass.",
                nullptr, all)
          .arg(subject, time);
    if (std::ranges::any_of(m_after.swapBlocks, [](int room) { return room > 0; }))
      return tr("Cost of the preemption of %1 in this step: %n token(s) computed again, about %2 of the "
                "forward pass.",
                nullptr, now)
          .arg(subject, time);
    return tr("Cost of the preemption of %1: %n token(s) computed again, %2 of them in this step, for about "
              "%3 "
              "of its forward pass.",
              nullptr, all)
        .arg(subject, now, time);
  }

  const MachineState& m_after;
  std::vector<const SequenceAdmitted*> m_resumed;
  InOrder<Read> m_read;
  std::vector<const SequenceScheduled*> m_prefills;
  std::set<SequenceId> m_failed, m_forgetting;
  const StepSwapped* m_moves = nullptr;
  const StepFinished* m_finished = nullptr;
  std::int64_t m_draftNs = 0;
};

}  // namespace

std::vector<PreemptionCost> preemptionCosts(std::span<const Event> events, const MachineState& after,
                                            const Names& names, const Language& language) {
  return CostWriter(events, after, names, language).write();
}

}  // namespace vitrine::prose
