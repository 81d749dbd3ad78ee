#include "vitrine/prose/why.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "prose/candidate_words.h"
#include "prose/in_order.h"
#include "prose/still_waiting.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {
namespace {

int freeChange(const EventBody& body) {
  if (std::holds_alternative<BlockAllocated>(body) || std::holds_alternative<BlockCopied>(body)) return -1;
  if (const auto* hit = std::get_if<BlockHit>(&body)) return hit->refCount == 1 ? -1 : 0;
  if (const auto* freed = std::get_if<BlockFreed>(&body)) return freed->refCount == 0 ? 1 : 0;
  if (const auto* evicted = std::get_if<ContextEvicted>(&body)) return evicted->refCount == 0 ? 1 : 0;
  return 0;
}

// Most events become a row with their own sentence. Events of blocks and decodes are counted, and become one
// row for a sequence or for the step.
class WhyWriter : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  WhyWriter(const MachineState& after, const Names& names, const Language& language)
      : Speaker(names, language), m_after(after) {}

  std::vector<WhyRow> write(std::span<const Event> events) {
    m_free = static_cast<int>(m_after.freeQueue.size());
    for (const Event& event : events) m_free -= freeChange(event.body);  // now: before the step
    for (const Event& event : events) {
      m_event = &event;
      m_section = m_finished ? WhyRow::kAfter : m_started ? static_cast<int>(event.phase) : WhyRow::kBefore;
      std::visit([this](const auto& body) { say(unboxed(body)); }, event.body);
      m_free += freeChange(event.body);
    }
    flush();
    return sorted();
  }

 private:
  struct Count {
    int section = 0, count = 0;
  };
  struct Allocations : Count {
    int freeThen = 0;
  };
  struct Freed : Count {  // `count` freed, `released` still held by other sequences
    int released = 0;
  };
  struct SwappedIn : Count {  // `count` from memory
    int fromFile = 0;
  };
  struct Decodes : Count {
    std::vector<SequenceId> sequences;
    int draftTokens = 0;
  };
  using Position = std::pair<SequenceId, int>;  // of a token: a draft brings several in a step

  template <class Other>
  void say(const Other&) {}  // part of another row, or nothing to explain

  void say(const EngineFailed&) { add(0, true); }
  void say(const EventsDropped&) { add(0, true); }
  void say(const RequestSubmitted& e) { add(e.firstSequence); }
  void say(const RequestRejected&) { add(0, true); }
  void say(const RequestCancelled&) { add(0); }
  void say(const SamplingChanged&) { add(0); }
  void say(const RequestForgotten&) { add(0); }
  void say(const RequestFinished& e) {
    if (e.missedDeadline) add(0, true);
  }

  void say(const SequenceWaiting& e) {
    add(e.sequence, true);
    m_toldWaiting.insert(e.sequence);
  }
  void say(const SequenceAged& e) { add(e.sequence); }
  void say(const SequenceAdmitted& e) { add(e.sequence); }
  void say(const SequenceForked& e) { add(e.child); }
  void say(const SequenceReplaced& e) { add(e.sequence); }
  void say(const SequenceFinished& e) { add(e.sequence); }
  void say(const SequencePreempted& e) {
    add(e.sequence, true);
    m_explained.push_back(e.sequence);
  }
  void say(const KvForgotten& e) {
    add(e.sequence);
    m_explained.push_back(e.sequence);
  }
  void say(const SequenceScheduled& e) {
    m_prefillEnd[e.sequence] = e.kind == WorkKind::kPrefill ? e.firstPosition + e.tokens : 0;
    if (e.kind == WorkKind::kPrefill) return add(e.sequence);
    m_decodes.section = m_section;
    m_decodes.sequences.push_back(e.sequence);
    m_decodes.draftTokens += e.draftTokens;
  }

  void say(const StepStarted&) { m_started = true; }
  void say(const PhaseStarted& e) { m_admitted = m_admitted || e.phase == Phase::kPlan; }
  void say(const StepPlanned& e) {
    if (e.sequences == 0) return;
    m_plannedSequences = e.sequences;
    m_planRow = m_rows.size();  // the engine says it last; the reader wants the sum before its parts
    add(0);
  }
  void say(const StepFinished& e) {
    m_finished = true;
    if (e.tokens == 0) return;
    addAt(static_cast<int>(Phase::kForward), 0,
          tr("One forward pass computes %1 of %2 in %3.")
              .arg(tokens(e.tokens), sequences(m_plannedSequences),
                   duration(e.phaseNs[static_cast<std::size_t>(Phase::kForward)], m_language)));
  }

  void say(const BlockAllocated& e) {
    Allocations& allocations = m_allocations[e.sequence];
    if (allocations.count++ > 0) return;
    allocations.section = m_section;
    allocations.freeThen = m_free;
  }
  void say(const BlockCopied& e) { add(e.sequence); }
  void say(const ContextEvicted& e) { add(e.sequence); }
  void say(const BlockFreed& e) {
    Freed& freed = m_freed[e.sequence];
    freed.section = m_section;
    ++(e.refCount == 0 ? freed.count : freed.released);
  }
  void say(const BlockEvicted&) { count(m_evicted); }
  void say(const PrefixMissed& e) { add(e.sequence); }
  void say(const BlockCached&) { count(m_cached); }
  void say(const BlockDemoted&) { count(m_demoted); }
  void say(const BlockSwappedIn& e) {
    SwappedIn& swapped = m_swappedIn[e.sequence];
    swapped.section = m_section;
    ++(e.tier == SwapTier::kHost ? swapped.count : swapped.fromFile);
    --m_allocations[e.sequence].count;  // the block it is read into
  }
  void say(const SwapFailed& e) {
    add(e.sequence, true);
    if (e.move != SwapMove::kIn) return;
    --m_allocations[e.sequence].count;  // its block is freed at once
    m_explained.push_back(e.sequence);
  }

  void say(const DraftVerified& e) { add(e.sequence); }
  void say(const DraftRolledBack& e) { add(e.sequence); }
  void say(const StepSpeculated& e) {
    if (e.draftedTokens > 0) addAt(static_cast<int>(Phase::kForward), 0, sentence());
  }
  void say(const TokenSampled& e) {
    const Position position = {e.sequence, e.position};
    m_sampledRow[position] = m_rows.size();
    add(e.sequence);
    sayCandidates(position);
  }
  void say(const TokenCandidates& e) {
    if (e.stages.empty()) return;
    m_candidates[{e.sequence, e.position}] = CandidateWords(m_names, m_language).left(e.stages);
    sayCandidates({e.sequence, e.position});
  }
  void say(const BeamStep&) { add(0); }
  void say(const BeamChosen& e) { add(e.sequence); }
  void say(const AnswersRanked&) { add(0); }

  // Once both events are there: the detail may come before or after the token that it explains.
  void sayCandidates(const Position& position) {
    const auto row = m_sampledRow.find(position);
    const auto left = m_candidates.find(position);
    if (row == m_sampledRow.end() || left == m_candidates.end()) return;
    m_rows[row->second].text += " " + left->second;
  }

  void flush() {
    if (m_admitted)
      std::ranges::move(StillWaiting(m_names, m_language).rows(m_after, m_toldWaiting),
                        std::back_inserter(m_rows));
    sayDecodes();
    for (const auto& [sequence, swapped] : m_swappedIn) saySwappedIn(sequence, swapped);
    if (m_demoted.count > 0)
      addAt(m_demoted.section, 0,
            tr("Swapping moves %n block(s) from memory to the file, the oldest first.", nullptr,
               m_demoted.count));
    for (const auto& [sequence, allocations] : m_allocations)
      if (allocations.count > 0) sayAllocations(sequence, allocations);
    if (m_evicted.count > 0)
      addAt(m_evicted.section, 0,
            tr("Evicts %n block(s) from the prefix index, the least recently used first: new tokens need "
               "the memory.",
               nullptr, m_evicted.count));
    if (m_cached.count > 0)
      addAt(m_cached.section, 0,
            tr("Registers %n full block(s) in the prefix index, for prompts with the same beginning.",
               nullptr, m_cached.count));
    for (const auto& [sequence, freed] : m_freed) sayFreed(sequence, freed);
  }

  void sayDecodes() {
    if (m_decodes.sequences.empty()) return;
    std::string list;
    for (const SequenceId id : m_decodes.sequences) list += (list.empty() ? "" : ", ") + sequence(id);
    const bool one = m_decodes.sequences.size() == 1;
    const int drafts = m_decodes.draftTokens;
    const std::string text =
        one ? drafts == 0 ? tr("%1 decodes its newest token, to sample the next one.").arg(list)
                          : tr("%1 decodes its newest token and verifies %n draft token(s).", nullptr, drafts)
                                .arg(list)
        : drafts == 0
            ? tr("%1 decode one token each, in one batch.").arg(list)
            : tr("%1 decode one token each and verify %n draft token(s).", nullptr, drafts).arg(list);
    addAt(m_decodes.section, one ? m_decodes.sequences.front() : 0, text);
  }

  void sayAllocations(SequenceId id, const Allocations& e) {
    const auto end = m_prefillEnd.find(id);
    const std::string what =
        end != m_prefillEnd.end() && end->second > 0
            ? tr("%1 allocates %2 of %3 for %4")
                  .arg(sequence(id), blocks(e.count), tokens(m_after.blockSize), positions(0, end->second))
            : tr("%1 has filled its blocks and allocates %2").arg(sequence(id), blocks(e.count));
    addAt(e.section, id, tr("%1; %2 free before.").arg(what, e.freeThen));
  }

  void saySwappedIn(SequenceId id, const SwappedIn& e) {
    addAt(e.section, id,
          e.fromFile == 0 ? tr("%1 swaps in %2 from memory.").arg(sequence(id), blocks(e.count))
                          : tr("%1 swaps in %2 from memory and %3 from the file.")
                                .arg(sequence(id), blocks(e.count), e.fromFile));
  }

  void sayFreed(SequenceId id, const Freed& e) {
    if (std::ranges::find(m_explained, id) != m_explained.end()) return;
    addAt(e.section, id,
          e.released == 0 ? tr("%1 frees %2.").arg(sequence(id), blocks(e.count))
                          : tr("%1 frees %2 and releases %3 that other sequences hold.")
                                .arg(sequence(id), blocks(e.count), e.released));
  }

  void count(Count& counted) {
    counted.section = m_section;
    ++counted.count;
  }
  std::string sentence() const { return describe(*m_event, m_names, m_language).sentence; }
  void add(SequenceId id, bool warning = false) { addAt(m_section, id, sentence(), warning); }
  void addAt(int section, SequenceId id, std::string text, bool warning = false) {
    m_rows.push_back({section, id, std::move(text), warning});
  }

  // By phase; the plan leads its own.
  std::vector<WhyRow> sorted() {
    if (m_planRow < m_rows.size()) {
      const auto plan = m_rows.begin() + static_cast<std::ptrdiff_t>(m_planRow);
      const auto first = std::ranges::find(m_rows, plan->section, &WhyRow::section);
      std::rotate(first, plan, plan + 1);
    }
    std::ranges::stable_sort(m_rows, {}, &WhyRow::section);
    return std::move(m_rows);
  }

  const MachineState& m_after;
  const Event* m_event = nullptr;
  std::vector<WhyRow> m_rows;
  InOrder<Allocations> m_allocations;
  InOrder<Freed> m_freed;
  InOrder<SwappedIn> m_swappedIn;
  std::set<SequenceId> m_toldWaiting;
  std::map<SequenceId, int> m_prefillEnd;        // tokens computed after this step's prefill; 0 for a decode
  std::map<Position, std::string> m_candidates;  // what is said about them
  std::map<Position, std::size_t> m_sampledRow;
  std::vector<SequenceId> m_explained;  // rows that already say why blocks are freed
  Decodes m_decodes;
  Count m_evicted, m_cached, m_demoted;
  std::size_t m_planRow = static_cast<std::size_t>(-1);
  int m_free = 0, m_section = 0, m_plannedSequences = 0;
  bool m_started = false, m_admitted = false, m_finished = false;
};

}  // namespace

std::vector<WhyRow> explainStep(std::span<const Event> events, const MachineState& after, const Names& names,
                                const Language& language) {
  return WhyWriter(after, names, language).write(events);
}

}  // namespace vitrine::prose
