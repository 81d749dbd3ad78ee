#include "vitrine/prose/headline.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "prose/first_written.h"
#include "prose/link_marks.h"
#include "prose/speaker.h"
#include "prose/whole_search.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {
namespace {

template <typename Body>
using Told = std::vector<const Body*>;

// Sorts the events of a step by kind, and makes the sentence of the first kind that has any.
class HeadlineWriter : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  HeadlineWriter(std::span<const Event> events, const MachineState& after, const Names& names,
                 const Language& language)
      : Speaker(names, language), m_after(after) {
    m_firsts.fill(-1);
    for (const Event& event : events) {
      m_event = &event;
      std::visit([this](const auto& body) { take(unboxed(body)); }, event.body);
    }
  }

  std::optional<HeadlineKind> kind() const {
    const auto first = std::ranges::find_if(m_firsts, [](std::int64_t number) { return number >= 0; });
    if (first == m_firsts.end()) return std::nullopt;
    return static_cast<HeadlineKind>(first - m_firsts.begin());
  }
  std::int64_t firstOf(HeadlineKind kind) const { return m_firsts[static_cast<std::size_t>(kind)]; }

  std::optional<Headline> write() const {
    const std::optional<HeadlineKind> first = kind();
    if (!first) return std::nullopt;
    return Headline{*first, sentenceOf(*first), {}, firstOf(*first)};
  }

 private:
  template <typename Other>
  void take(const Other&) {}

  void take(const EngineFailed& e) { note(HeadlineKind::kFailure), m_failed = &e; }
  void take(const SwapFailed& e) { note(HeadlineKind::kFailure), m_swapFailed = &e; }
  void take(const SequencePreempted& e) { note(HeadlineKind::kPreemption), m_preempted.push_back(&e); }
  void take(const ContextEvicted& e) { note(HeadlineKind::kEviction), m_contexts.push_back(&e); }
  void take(const BlockEvicted&) { note(HeadlineKind::kEviction), ++m_evictedBlocks; }
  void take(const BlockAllocated& e) {
    if (m_evictedBlocks > 0 && m_evictedFor == 0) m_evictedFor = e.sequence;
  }
  void take(const PrefixMissed& e) { note(HeadlineKind::kMiss), m_missed.push_back(&e); }
  void take(const RequestRejected& e) { note(HeadlineKind::kRejection), m_refused.push_back(&e); }
  void take(const DraftProposed& e) { m_proposed[e.sequence] = &e; }
  void take(const DraftVerified& e) {
    const bool rejects = std::ranges::any_of(e.judgements, [](const DraftJudgement& one) {
      return one.verdict == DraftVerdict::kDiffers || one.verdict == DraftVerdict::kBeyond;
    });
    note(rejects ? HeadlineKind::kRejection : HeadlineKind::kWork);
    (rejects ? m_rejecting : m_accepting).push_back(&e);
  }
  void take(const SequenceAdmitted& e) { note(HeadlineKind::kAdmission), m_admitted.push_back(&e); }
  void take(const SequenceWaiting& e) { note(HeadlineKind::kWaiting), m_waiting.push_back(&e); }
  void take(const SequenceFinished& e) {
    note(e.reason == FinishReason::kFailed ? HeadlineKind::kFailure : HeadlineKind::kCompletion);
    m_finished.push_back(&e);
  }
  void take(const SequenceForked& e) { ++m_forks[e.parent]; }
  void take(const SequenceScheduled& e) {
    note(HeadlineKind::kWork);
    if (e.kind == WorkKind::kPrefill) m_prefills.push_back(&e);
  }
  void take(const TokenSampled& e) {
    const bool isFirst = isFirstToken(e);
    note(isFirst ? HeadlineKind::kFirstToken : HeadlineKind::kWork);
    if (isFirst) m_firstTokens.push_back(&e);
    m_sampled.push_back(&e);
  }
  void take(const BeamStep& e) { note(HeadlineKind::kWork), m_beamSteps.push_back(&e); }
  void take(const StepPlanned& e) {
    if (e.sequences == 0) note(HeadlineKind::kNothing);
  }

  void note(HeadlineKind kind) {
    std::int64_t& first = m_firsts[static_cast<std::size_t>(kind)];
    if (first < 0) first = m_event->number;
  }

  bool isFirstToken(const TokenSampled& e) const {
    return e.position == firstWrittenPosition(m_after, e.sequence);
  }

  String sentenceOf(HeadlineKind kind) const {
    switch (kind) {
      case HeadlineKind::kFailure:
        return failure();
      case HeadlineKind::kPreemption:
        return preemption();
      case HeadlineKind::kEviction:
        return eviction();
      case HeadlineKind::kMiss:
        return miss();
      case HeadlineKind::kRejection:
        return m_refused.empty() ? draftRejection() : refusal();
      case HeadlineKind::kAdmission:
        return admission();
      case HeadlineKind::kWaiting:
        return waiting();
      case HeadlineKind::kCompletion:
        return completion();
      case HeadlineKind::kFirstToken:
        return firstToken();
      case HeadlineKind::kWork:
        return work();
      case HeadlineKind::kNothing:
        return tr("Nothing is computed in this step.");
    }
    return {};
  }

  // --- one kind each ---

  String failure() const {
    if (m_failed != nullptr) return tr("The engine failed: %1.").arg(shortened(m_failed->message));
    if (m_swapFailed == nullptr)
      return tr("%1 ended: a step of its request failed.").arg(namesOf(m_finished));
    const std::string subject = sequence(m_swapFailed->sequence), why = shortened(m_swapFailed->message);
    switch (m_swapFailed->move) {
      case SwapMove::kOut:
        return tr("The blocks of %1 could not be copied out: %2.").arg(subject, why);
      case SwapMove::kDemote:
        return tr("The blocks of %1 could not be written to the disk: %2.").arg(subject, why);
      case SwapMove::kIn:
        return tr("The blocks of %1 could not be copied back: %2.").arg(subject, why);
    }
    return {};
  }

  String preemption() const {
    const SequencePreempted& first = *m_preempted.front();
    int freed = 0;
    for (const SequencePreempted* one : m_preempted) freed += one->freedBlocks;
    if (const RequestState* search = searchOf(m_after, first.sequence);
        search != nullptr && search->beams.size() > 1)
      return tr("The search of %1 loses its %n block(s): %2.", nullptr, freed)
          .arg(request(search->id), need(first));
    if (m_preempted.size() > 1)
      return tr("%1 lose their %n block(s): %2.", nullptr, freed).arg(namesOf(m_preempted), need(first));
    const std::string subject = sequence(first.sequence);
    if (first.how == Preemption::kSwap)
      return tr("%1 loses its %n block(s), copied out of the pool: %2.", nullptr, first.swapBlocks)
          .arg(subject, need(first));
    if (first.lostTokens == 0) return tr("%1 is preempted: %2.").arg(subject, need(first));
    return tr("%1 loses its %n block(s) and must compute %2 again: %3.", nullptr, first.freedBlocks)
        .arg(subject, tokens(first.lostTokens), need(first));
  }
  String need(const SequencePreempted& e) const {
    const std::string other = sequence(e.forSequence);
    if (e.reason == PreemptReason::kImportance) return tr("%1 goes first").arg(other);
    if (e.sequence == e.forSequence)
      return e.freeBlocks == 0 ? tr("it needs %n more, and none is free", nullptr, e.neededBlocks)
                               : tr("it needs %n more, %1 free", nullptr, e.neededBlocks).arg(e.freeBlocks);
    return e.freeBlocks == 0
               ? tr("%1 needs %n block(s), and none is free", nullptr, e.neededBlocks).arg(other)
               : tr("%1 needs %n block(s), %2 free", nullptr, e.neededBlocks).arg(other, e.freeBlocks);
  }

  String eviction() const {
    if (m_contexts.size() == 1) {
      const ContextEvicted& e = *m_contexts.front();
      return tr("The context of %1 is full: block %2 with %n token(s) leaves it.", nullptr, e.tokens)
          .arg(sequence(e.sequence), block(e.block));
    }
    if (!m_contexts.empty())
      return tr("The contexts of %1 are full, and each gives up a block.").arg(namesOf(m_contexts));
    const Pattern given = tr("The prefix index gives up %n block(s)", nullptr, m_evictedBlocks);
    return m_evictedFor == 0 ? tr("%1.").arg(std::string(given))
                             : tr("%1: %2 needs room.").arg(std::string(given), sequence(m_evictedFor));
  }

  String miss() const {
    int again = 0;
    for (const PrefixMissed* one : m_missed) again += one->recomputedTokens;
    if (m_missed.size() > 1)
      return tr("%1 find too little in the prefix index: %n token(s) are computed again.", nullptr, again)
          .arg(namesOf(m_missed));
    const PrefixMissed& e = *m_missed.front();
    const std::string subject = sequence(e.sequence), owner = request(e.owner),
                      rest = tr("%1 computes %n token(s)", nullptr, again).arg(subject);
    if (e.cause == MissCause::kEvicted)
      return tr("%1: the block that it had in common with %2 was evicted.").arg(rest, owner);
    return e.position == 0
               ? tr("%1: it differs from %2 at once.").arg(rest, owner)
               : tr("%1: it differs from %2 after %n token(s).", nullptr, e.position).arg(rest, owner);
  }

  String refusal() const {
    const RequestRejected& first = *m_refused.front();
    if (m_refused.size() > 1)
      return tr("%n request(s) rejected: %1.", nullptr, static_cast<int>(m_refused.size()))
          .arg(shortened(first.message));
    return rejection(shortened(first.name), shortened(first.message) + '.');
  }
  String draftRejection() const {
    int drafted = 0, accepted = 0;
    for (const DraftVerified* one : m_rejecting)
      drafted += static_cast<int>(one->judgements.size()), accepted += one->accepted;
    if (m_rejecting.size() > 1)
      return tr("%1 keep %2 of %n draft token(s).", nullptr, drafted).arg(namesOf(m_rejecting), accepted);
    const DraftVerified& e = *m_rejecting.front();
    const std::string subject = sequence(e.sequence);
    const auto proposed = m_proposed.find(e.sequence);
    const auto place = static_cast<std::size_t>(e.accepted);
    const auto drawn = std::ranges::find_if(m_sampled, [&](const TokenSampled* one) {
      return one->sequence == e.sequence && one->position == e.firstPosition + e.accepted;
    });
    if (proposed == m_proposed.end() || place >= proposed->second->pieces.size() || drawn == m_sampled.end())
      return tr("%1 keeps %2 of %n draft token(s).", nullptr, drafted).arg(subject, accepted);
    return tr("%1 keeps %2 of %n draft token(s): the model writes %3, not %4.", nullptr, drafted)
        .arg(subject, accepted, quoted(**drawn), quoted(proposed->second->pieces[place]));
  }

  String admission() const {
    int prompt = 0, cached = 0;
    bool anyNew = false, anyBack = false;
    for (const SequenceAdmitted* one : m_admitted) {
      prompt += one->totalTokens, cached += one->cachedTokens;
      (one->resumed ? anyBack : anyNew) = true;
    }
    const std::string subjects = namesOf(m_admitted);
    if (m_admitted.size() > 1) {
      if (anyBack && anyNew) return tr("%1 are admitted.").arg(subjects);
      if (anyBack) return tr("%1 come back.").arg(subjects);
      return cached == 0 ? tr("%1 start with %n prompt token(s) in all.", nullptr, prompt).arg(subjects)
                         : tr("%1 start with %n prompt token(s) in all, %2 of them cached.", nullptr, prompt)
                               .arg(subjects, cached);
    }
    const SequenceAdmitted& e = *m_admitted.front();
    if (m_after.isFromOutside()) return tr("%1 begins to answer.").arg(subjects);
    const int rest = e.totalTokens - e.cachedTokens - e.swappedTokens;
    if (e.resumed && e.neededSlots == 0 && searchOf(m_after, e.sequence) != nullptr)
      return tr("%1 joins its search.").arg(subjects);
    if (e.resumed && e.swappedTokens > 0)
      return tr("%1 comes back: the KV of %n token(s) is copied in again.", nullptr, e.swappedTokens)
          .arg(subjects);
    if (e.resumed) return tr("%1 comes back and computes %n token(s) again.", nullptr, rest).arg(subjects);
    if (cached > 0)
      return tr("%1 starts: %2 of its %n token(s) are cached already.", nullptr, e.totalTokens)
          .arg(subjects, cached);
    return tr("%1 starts with %n token(s) to compute.", nullptr, rest).arg(subjects);
  }

  String waiting() const {
    const SequenceWaiting& first = *m_waiting.front();
    const std::string subjects = namesOf(m_waiting);
    if (first.reason == WaitReason::kBehind && first.behind != 0)
      return (m_waiting.size() > 1 ? tr("%1 wait behind %2.") : tr("%1 waits behind %2."))
          .arg(subjects, sequence(first.behind));
    return (m_waiting.size() > 1 ? tr("%1 wait: %2.") : tr("%1 waits: %2."))
        .arg(subjects, waitReason(first, m_language));
  }

  String completion() const {
    const SequenceFinished& first = *m_finished.front();
    if (const RequestState* search = searchOf(m_after, first.sequence))
      return search->cancelled ? tr("The search of %1 is cancelled.").arg(request(search->id))
                               : tr("The search of %1 ends.").arg(request(search->id));
    if (m_finished.size() > 1) return tr("%1 are done.").arg(namesOf(m_finished));
    const std::string subject = sequence(first.sequence);
    if (first.reason == FinishReason::kCancelled)
      return tr("%1 is cancelled after %n token(s).", nullptr, first.completionTokens).arg(subject);
    if (first.reason == FinishReason::kLength)
      return tr("%1 is done: it has the %n token(s) that it may write.", nullptr, first.completionTokens)
          .arg(subject);
    return tr("%1 is done after %n token(s).", nullptr, first.completionTokens).arg(subject);
  }

  String firstToken() const {
    const TokenSampled& first = *m_firstTokens.front();
    if (const auto forks = m_forks.find(first.sequence); forks != m_forks.end())
      return tr("The prompt of %1 is computed: %n more answer(s) share its blocks.", nullptr, forks->second)
          .arg(sequence(first.sequence));
    if (m_firstTokens.size() > 1) return tr("%1 write their first tokens.").arg(namesOf(m_firstTokens));
    return tr("%1 writes its first token, %2.").arg(sequence(first.sequence), quoted(first));
  }

  String work() const {
    if (!m_beamSteps.empty()) return beams();
    if (!m_accepting.empty()) {
      int accepted = 0;
      for (const DraftVerified* one : m_accepting) accepted += one->accepted;
      const std::string subjects = namesOf(m_accepting);
      return (m_accepting.size() > 1 ? tr("%1 keep all %n draft token(s).", nullptr, accepted)
                                     : tr("%1 keeps all %n draft token(s).", nullptr, accepted))
          .arg(subjects);
    }
    if (!m_prefills.empty()) return prefill();
    if (m_sampled.empty()) return tr("A step is computed.");
    if (m_sampled.size() == 1)
      return tr("%1 writes %2.").arg(sequence(m_sampled.front()->sequence), quoted(*m_sampled.front()));
    constexpr std::size_t kMostWritten = 4;
    if (m_sampled.size() > kMostWritten)
      return tr("%n sequence(s) write a token each.", nullptr, static_cast<int>(m_sampled.size()));
    std::string written;
    for (const TokenSampled* one : m_sampled)
      written += (written.empty() ? "" : ", ") + tr("%1 %2").arg(sequence(one->sequence), quoted(*one));
    return tr("A token each: %1.").arg(written);
  }
  String beams() const {
    const BeamStep& first = *m_beamSteps.front();
    const auto kept = std::ranges::count(first.candidates, BeamFate::kKept, &BeamCandidate::fate);
    return tr("The search of %1 goes on with its %n best continuation(s).", nullptr, static_cast<int>(kept))
        .arg(request(first.request));
  }
  // The rest of a prompt, or a whole one that was admitted before.
  String prefill() const {
    int computed = 0, left = 0;
    for (const SequenceScheduled* one : m_prefills) {
      computed += one->tokens;
      left += one->totalTokens - one->firstPosition - one->tokens;
    }
    const std::string subjects = namesOf(m_prefills),
                      most = tr("%n token(s) of its prompt", nullptr, computed);
    if (m_prefills.size() > 1)
      return tr("%1 compute %n more prompt token(s).", nullptr, computed).arg(subjects);
    return left > 0 ? tr("%1 computes %2, and %n are left.", nullptr, left).arg(subjects, most)
                    : tr("%1 computes the last %2.").arg(subjects, most);
  }

  // --- words ---

  // "A", "A and B", "A, B and C", "A, B, C and 2 more".
  template <typename Body>
  String namesOf(const Told<Body>& told) const {
    constexpr std::size_t kMostNames = 3;
    const std::size_t named = told.size() > kMostNames + 1 ? kMostNames : told.size();
    std::vector<String> names;
    for (std::size_t i = 0; i < named; ++i) names.push_back(sequence(told[i]->sequence));
    return enumerated(names, static_cast<int>(told.size() - named));
  }
  String quoted(const std::string& text) const { return tr("“%1”").arg(shortened(visibleText(text), 20)); }
  // Its text, or the part of a character that it is; a model without a tokenizer has numbers alone.
  String quoted(const TokenSampled& e) const {
    const std::string& text = e.text.empty() ? e.piece : e.text;
    return text.empty() ? tr("token %1").arg(e.token) : quoted(text);
  }
  // Whole characters of UTF-8.
  static String shortened(const std::string& text, std::size_t most = 60) {
    if (text.size() <= most) return text;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end) + "…";
  }

  const MachineState& m_after;
  const Event* m_event = nullptr;
  std::array<std::int64_t, kHeadlineKinds> m_firsts;  // event numbers; -1: none
  const EngineFailed* m_failed = nullptr;
  const SwapFailed* m_swapFailed = nullptr;
  Told<SequencePreempted> m_preempted;
  Told<ContextEvicted> m_contexts;
  Told<PrefixMissed> m_missed;
  Told<RequestRejected> m_refused;
  Told<DraftVerified> m_rejecting, m_accepting;
  Told<SequenceAdmitted> m_admitted;
  Told<SequenceWaiting> m_waiting;
  Told<SequenceFinished> m_finished;
  Told<TokenSampled> m_firstTokens, m_sampled;
  Told<SequenceScheduled> m_prefills;
  Told<BeamStep> m_beamSteps;
  std::map<SequenceId, const DraftProposed*> m_proposed;
  std::map<SequenceId, int> m_forks;  // of a parent
  int m_evictedBlocks = 0;
  SequenceId m_evictedFor = 0;  // its need evicted them
};

}  // namespace

std::optional<Headline> headlineOf(std::span<const Event> events, const MachineState& after,
                                   const Names& names, const Language& language) {
  LinkMarks marks;
  const Names linked = marks.marking(names);
  std::optional<Headline> headline = HeadlineWriter(events, after, linked, language).write();
  if (headline) std::tie(headline->text, headline->links) = marks.read(headline->text);
  return headline;
}

std::int64_t headlineEvent(std::span<const Event> events, const MachineState& after) {
  const HeadlineWriter writer(events, after, kNoNames, english());
  const std::optional<HeadlineKind> kind = writer.kind();
  return kind ? writer.firstOf(*kind) : -1;
}

}  // namespace vitrine::prose
