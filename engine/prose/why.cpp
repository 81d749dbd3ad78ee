#include "vitrine/prose/why.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "prose/admission_rules.h"
#include "prose/beam_words.h"
#include "prose/counted_rows.h"
#include "prose/link_marks.h"
#include "prose/pool_of_step.h"
#include "prose/sampled_rows.h"
#include "prose/still_waiting.h"
#include "prose/whole_search.h"
#include "vitrine/prose/preemption_cost.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {
namespace {

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

  // The events lead to `after`.
  WhyWriter(std::span<const Event> events, const MachineState& after, const LinkMarks& marks,
            const NamesOf& names, const Language& language)
      : Speaker(names.sentences, language),
        m_events(events),
        m_after(after),
        m_marks(marks),
        m_pool(events, after),
        m_rules(names.rules, language),
        m_beams(names.sentences, language),
        m_counted(names.sentences, language),
        m_sampled(names.sentences, names.rules, language) {}

  std::vector<WhyRow> write() {
    for (const Event& event : m_events) {
      m_event = &event;
      m_section = m_finished ? WhyRow::kAfter : m_started ? static_cast<int>(event.phase) : WhyRow::kBefore;
      std::visit([this](const auto& body) { say(unboxed(body)); }, event.body);
      m_pool.pass(event);
    }
    if (m_admitted) addStillWaiting();
    if (!m_after.isFromOutside()) m_sampled.addTo(m_rows);
    for (const auto& [row, blocks] : m_kept)
      m_rows[row].text += " " + tr("Of its blocks the prefix index keeps %1.").arg(blocks);
    m_counted.add(m_rows, {m_after, m_ends, m_explained, m_replaced});
    for (PreemptionCost& cost : preemptionCosts(m_events, m_after, m_names, m_language))
      m_rows.push_back({static_cast<int>(cost.phase), cost.sequence, std::move(cost.sentence)});
    return sorted();
  }

 private:
  template <class Other>
  void say(const Other&) {}  // part of another row, or nothing to explain

  void say(const EngineFailed&) { add(0, true); }
  void say(const EventsDropped&) { add(0, true); }
  void say(const RequestSubmitted& e) { add(e.firstSequence); }
  void say(const RequestRejected&) { add(0, true); }
  void say(const RequestCancelled&) { add(0); }
  void say(const SamplingChanged&) { add(0); }
  void say(const OptionsChanged&) { add(0); }
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
    if (e.neededSlots == 0 && isLaterBeam(e.sequence)) {  // it joins its search
      m_rows.back().text += " " + std::string(tr("The first beam of its search has computed the %n token(s) "
                                                 "that they share.",
                                                 nullptr, e.cachedTokens));
      m_rows.back().rules.push_back(m_rules.joined(e));
    } else if (e.cachedTokens > 0 && m_after.blockSize > 0) {
      m_rows.back().rules.push_back(m_rules.hits(e, m_after.blockSize));
    }
  }
  void say(const BlockHit& e) { takeBlock(e.sequence, e.block); }
  void say(const BlockShared& e) { takeBlock(e.sequence, e.block); }
  void say(const SequenceForked& e) {
    add(e.child);
    m_takesBlocks[e.child] = m_rows.size() - 1;
  }
  void say(const SequenceReplaced& e) {
    add(e.sequence);
    m_replaced.insert(e.sequence);
    m_takesBlocks[e.sequence] = m_rows.size() - 1;
  }
  void say(const SequenceFinished& e) { add(e.sequence); }
  // Of a search only the first preempted beam has the numbers for a reason of its own.
  void say(const SequencePreempted& e) {
    const RequestState* search = searchOf(m_after, e.sequence);
    SequencePreempted told = e;
    if (search != nullptr && !m_preemptedSearches.insert(search->id).second)
      told.neededBlocks = told.neededSlots = 0;
    const Event event{m_event->run, m_event->number, m_event->step, m_event->phase, m_event->timeNs, told};
    m_rows.push_back(
        {m_section, e.sequence, describe(event, m_names, m_language).sentence, true, {}, {}, m_rules(told)});
    m_explained[e.sequence] = m_rows.size() - 1;
  }
  void say(const KvForgotten& e) {
    add(e.sequence);
    m_explained[e.sequence] = m_rows.size() - 1;
  }
  void say(const SequenceScheduled& e) {
    m_ends[e.sequence] = e.firstPosition + e.tokens;
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
    if (e.tokens == 0 || m_after.isFromOutside()) return;
    const std::int64_t forwardNs = e.phaseNs[static_cast<std::size_t>(Phase::kForward)] - m_draftNs;
    m_rows.push_back(
        {static_cast<int>(Phase::kForward), 0,
         tr("One forward pass computes %1 of %2 in %3.")
             .arg(tokens(e.tokens), sequences(m_plannedSequences), duration(forwardNs, m_language))});
  }

  void say(const BlockAllocated&) { count(); }
  void say(const BlockCopied& e) { add(e.sequence); }
  void say(const ContextEvicted& e) { add(e.sequence); }
  void say(const BlockFreed& e) {
    if (const auto draft = m_rolledBack.find(e.sequence);
        draft != m_rolledBack.end() && draft->second.blocks > 0) {
      --draft->second.blocks;
      m_rows[draft->second.row].blocks.push_back(e.block);
      return;
    }
    const auto row = m_explained.find(e.sequence);
    if (row != m_explained.end() && m_pool.isCached(e.block)) ++m_kept[row->second];
    count();
  }
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
    --m_plannedSequences;
    count();
    m_explained[e.sequence] = m_rows.size() - 1;
  }

  // A search says it once, of its first beam.
  void say(const DraftSkipped& e) {
    const RequestState* search = e.reason == NoDraftReason::kBeams ? searchOf(m_after, e.sequence) : nullptr;
    if (search == nullptr || m_undraftedSearches.insert(search->id).second) add(e.sequence);
  }
  void say(const DraftVerified& e) {
    add(e.sequence);
    m_sampled.note(e);
  }
  void say(const DraftRolledBack& e) {
    m_rolledBack[e.sequence] = {m_rows.size(), e.freedBlocks};
    add(e.sequence);
  }
  void say(const StepSpeculated& e) {
    m_draftNs = e.draftNs;
    if (e.draftedTokens > 0) m_rows.push_back({static_cast<int>(Phase::kForward), 0, sentence()});
  }
  void say(const GrammarMasked& e) { add(e.sequence); }
  void say(const TokenSampled& e) {
    m_sampled.note(e, m_rows.size());
    add(e.sequence);
  }
  void say(const TokenCandidates& e) { m_sampled.note(e); }
  void say(const BeamStep& e) {
    add(0);
    if (const std::string decided = m_beams.decided(e); !decided.empty()) m_rows.back().text += " " + decided;
  }
  void say(const BeamChosen& e) { add(e.sequence); }
  void say(const AnswersRanked&) { add(0); }

  bool isLaterBeam(SequenceId id) const {
    return searchOf(m_after, id) != nullptr && m_after.sequences.at(id).index > 0;
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

  void count() { m_counted.count(*m_event, m_section, m_pool.free()); }
  std::string sentence() const { return describe(*m_event, m_names, m_language).sentence; }
  void add(SequenceId id, bool warning = false) {
    m_rows.push_back({m_section, id, sentence(), warning, {}, {}, rules()});
  }
  // Those of this engine, and of no other.
  std::vector<Rule> rules() const {
    if (m_after.isFromOutside()) return {};
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

  const std::span<const Event> m_events;
  const MachineState& m_after;
  const LinkMarks& m_marks;
  PoolOfStep m_pool;
  EventRules m_rules;
  BeamWords m_beams;
  CountedRows m_counted;
  SampledRows m_sampled;
  const Event* m_event = nullptr;
  std::vector<WhyRow> m_rows;
  std::set<SequenceId> m_toldWaiting;
  std::map<SequenceId, int> m_ends;   // the position behind the last one that the step computes
  std::map<std::size_t, int> m_kept;  // freed blocks of a row that the prefix index keeps
  std::set<SequenceId> m_replaced;    // beams
  std::set<RequestId> m_preemptedSearches, m_undraftedSearches;
  std::map<SequenceId, std::size_t> m_takesBlocks, m_explained;  // their rows
  struct RolledBack {
    std::size_t row;
    int blocks;  // yet to be freed
  };
  std::map<SequenceId, RolledBack> m_rolledBack;
  std::size_t m_planRow = static_cast<std::size_t>(-1);
  int m_section = 0, m_plannedSequences = 0;
  std::int64_t m_draftNs = 0;
  bool m_started = false, m_admitted = false, m_finished = false;
};

}  // namespace

std::vector<WhyRow> explainStep(std::span<const Event> events, const MachineState& after, const Names& names,
                                const Language& language) {
  LinkMarks marks;
  const Names linked = marks.marking(names);
  return WhyWriter(events, after, marks, {linked, names}, language).write();
}

}  // namespace vitrine::prose
