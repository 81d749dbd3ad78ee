#include "vitrine/prose/why.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "prose/admission_rules.h"
#include "prose/candidate_words.h"
#include "prose/counted_rows.h"
#include "prose/link_marks.h"
#include "prose/sampling_rules.h"
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

template <typename... Subjects>
struct RulesOf : Subjects... {
  RulesOf(const Names& names, const Language& language) : Subjects(names, language)... {}
  using Subjects::operator()...;
  template <typename Other>
  std::vector<Rule> operator()(const Other&) const {
    return {};
  }
};
using EventRules = RulesOf<AdmissionRules, PlanRules, BlockRules, SamplingRules>;

// Most events become a row with their own sentence and rules; CountedRows makes rows of the others.
class WhyWriter : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  struct NamesOf {
    const Names &sentences, &rules;  // those of the sentences mark their links
  };

  WhyWriter(const MachineState& after, const LinkMarks& marks, const NamesOf& names, const Language& language)
      : Speaker(names.sentences, language),
        m_after(after),
        m_marks(marks),
        m_rules(names.rules, language),
        m_counted(names.sentences, language) {}

  std::vector<WhyRow> write(std::span<const Event> events) {
    m_free = static_cast<int>(m_after.freeQueue.size());
    for (const Event& event : events) m_free -= freeChange(event.body);  // now: before the step
    for (const Event& event : events) {
      m_event = &event;
      m_section = m_finished ? WhyRow::kAfter : m_started ? static_cast<int>(event.phase) : WhyRow::kBefore;
      std::visit([this](const auto& body) { say(unboxed(body)); }, event.body);
      m_free += freeChange(event.body);
    }
    if (m_admitted) addStillWaiting();
    m_counted.add(m_rows, {m_after, m_prefillEnds, m_explained});
    return sorted();
  }

 private:
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
  void say(const SequenceAdmitted& e) {
    add(e.sequence);
    m_takesBlocks[e.sequence] = m_rows.size() - 1;
    if (e.cachedTokens > 0 && e.neededSlots > 0 && m_after.blockSize > 0)
      m_rows.back().rules.push_back(m_rules.hits(e, m_after.blockSize));
  }
  void say(const BlockHit& e) { takeBlock(e.sequence, e.block); }
  void say(const BlockShared& e) { takeBlock(e.sequence, e.block); }
  void say(const SequenceForked& e) {
    add(e.child);
    m_takesBlocks[e.child] = m_rows.size() - 1;
  }
  void say(const SequenceReplaced& e) {
    add(e.sequence);
    m_takesBlocks[e.sequence] = m_rows.size() - 1;
  }
  void say(const SequenceFinished& e) { add(e.sequence); }
  void say(const SequencePreempted& e) {
    add(e.sequence, true);
    m_explained[e.sequence] = m_rows.size() - 1;
  }
  void say(const KvForgotten& e) {
    add(e.sequence);
    m_explained[e.sequence] = m_rows.size() - 1;
  }
  void say(const SequenceScheduled& e) {
    m_prefillEnds[e.sequence] = e.kind == WorkKind::kPrefill ? e.firstPosition + e.tokens : 0;
    e.kind == WorkKind::kPrefill ? add(e.sequence) : count();
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
    m_rows.push_back({static_cast<int>(Phase::kForward), 0,
                      tr("One forward pass computes %1 of %2 in %3.")
                          .arg(tokens(e.tokens), sequences(m_plannedSequences),
                               duration(e.phaseNs[static_cast<std::size_t>(Phase::kForward)], m_language))});
  }

  void say(const BlockAllocated&) { count(); }
  void say(const BlockCopied& e) { add(e.sequence); }
  void say(const ContextEvicted& e) { add(e.sequence); }
  void say(const BlockFreed&) { count(); }
  void say(const BlockEvicted&) { count(); }
  void say(const PrefixMissed& e) {
    add(e.sequence);
    if (m_after.blockSize > 0) m_rows.back().rules.push_back(m_rules.miss(e, m_after.blockSize));
  }
  void say(const BlockCached&) { count(); }
  void say(const BlockDemoted&) { count(); }
  void say(const BlockSwappedIn&) { count(); }
  void say(const SwapFailed& e) {
    add(e.sequence, true);
    if (e.move != SwapMove::kIn) return;
    count();
    m_explained[e.sequence] = m_rows.size() - 1;
  }

  void say(const DraftVerified& e) { add(e.sequence); }
  void say(const DraftRolledBack& e) { add(e.sequence); }
  void say(const StepSpeculated& e) {
    if (e.draftedTokens > 0) m_rows.push_back({static_cast<int>(Phase::kForward), 0, sentence()});
  }
  void say(const TokenSampled& e) {
    const Position position = {e.sequence, e.position};
    m_sampledRow[position] = m_rows.size();
    add(e.sequence);
    sayCandidates(position);
  }
  void say(const TokenCandidates& e) {
    if (e.stages.empty()) return;
    m_candidates[{e.sequence, e.position}] = {CandidateWords(m_names, m_language).left(e.stages),
                                              m_rules.stages(e.stages)};
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
    m_rows[row->second].text += " " + left->second.text;
    m_rows[row->second].rules = left->second.rules;
  }

  // A found or shared block belongs to the row that says why.
  void takeBlock(SequenceId id, BlockId block) {
    const auto row = m_takesBlocks.find(id);
    if (row != m_takesBlocks.end()) m_rows[row->second].blocks.push_back(block);
  }

  void addStillWaiting() {
    for (WhyRow& row : StillWaiting(m_names, m_language).rows(m_after, m_toldWaiting)) {
      const auto state = m_after.sequences.find(row.sequence);  // none for the row of those behind others
      SequenceWaiting waiting{row.sequence, WaitReason::kBehind};
      if (state != m_after.sequences.end() && state->second.wait) {
        const WaitState& wait = *state->second.wait;
        waiting = {row.sequence, wait.reason, wait.needed, wait.available};
      }
      row.rules = m_rules(waiting);
      m_rows.push_back(std::move(row));
    }
  }

  void count() { m_counted.count(*m_event, m_section, m_free); }
  std::string sentence() const { return describe(*m_event, m_names, m_language).sentence; }
  void add(SequenceId id, bool warning = false) {
    m_rows.push_back({m_section, id, sentence(), warning, {}, {}, rules()});
  }
  std::vector<Rule> rules() const {
    return std::visit([this](const auto& body) { return m_rules(unboxed(body)); }, m_event->body);
  }

  // By phase; the plan leads its own.
  std::vector<WhyRow> sorted() {
    if (m_planRow < m_rows.size()) {
      const auto plan = m_rows.begin() + static_cast<std::ptrdiff_t>(m_planRow);
      const auto first = std::ranges::find(m_rows, plan->section, &WhyRow::section);
      std::rotate(first, plan, plan + 1);
    }
    std::ranges::stable_sort(m_rows, {}, &WhyRow::section);
    for (WhyRow& row : m_rows) std::tie(row.text, row.links) = m_marks.read(row.text);
    return std::move(m_rows);
  }

  struct Candidates {
    std::string text;
    std::vector<Rule> rules;
  };

  const MachineState& m_after;
  const LinkMarks& m_marks;
  EventRules m_rules;
  CountedRows m_counted;
  const Event* m_event = nullptr;
  std::vector<WhyRow> m_rows;
  std::set<SequenceId> m_toldWaiting;
  std::map<SequenceId, int> m_prefillEnds;  // tokens computed after this step's prefill; 0 for a decode
  std::map<Position, Candidates> m_candidates;
  std::map<Position, std::size_t> m_sampledRow;
  std::map<SequenceId, std::size_t> m_takesBlocks, m_explained;  // their rows
  std::size_t m_planRow = static_cast<std::size_t>(-1);
  int m_free = 0, m_section = 0, m_plannedSequences = 0;
  bool m_started = false, m_admitted = false, m_finished = false;
};

}  // namespace

std::vector<WhyRow> explainStep(std::span<const Event> events, const MachineState& after, const Names& names,
                                const Language& language) {
  LinkMarks marks;
  const Names linked = marks.marking(names);
  return WhyWriter(after, marks, {linked, names}, language).write(events);
}

}  // namespace vitrine::prose
