#include "widgets/models/event_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

// One overload an event: what it is, of which kind, whom it concerns, and its numbers in words.
class EventTeller {
  Q_DECLARE_TR_FUNCTIONS(EventText)

 public:
  struct Line {
    EventKind kind;
    QString title, detail;
    SequenceId sequence = 0;
  };

  EventTeller(const MachineState& state, const SequenceNames& names) : m_state(state), m_names(names) {}

  Line operator()(const EngineLoaded& e) const {
    return {EventKind::kEngine, tr("Engine loaded"),
            tr("%1 on %2, %3 blocks of %4")
                .arg(text(e.model.name), text(e.device), formatCount(e.numBlocks), formatCount(e.blockSize))};
  }
  Line operator()(const EngineFailed& e) const {
    return {EventKind::kEngine, tr("Engine failed"), tr("%1. %2").arg(text(e.message), text(e.hint))};
  }
  Line operator()(const EventsDropped& e) const {
    return {EventKind::kEngine, tr("Details dropped"), tr("%1 events").arg(formatCount(e.details))};
  }
  Line operator()(const Snapshot&) const {
    return {EventKind::kEngine, tr("Snapshot"), tr("the whole machine")};
  }

  Line operator()(const RequestSubmitted& e) const {
    return {EventKind::kRequest, tr("Request submitted"),
            tr("%1 (%2), prompt of %n token(s)", nullptr, static_cast<int>(e.tokenIds.size()))
                .arg(requestLetter(e.request), text(e.name)),
            e.firstSequence};
  }
  Line operator()(const RequestRejected& e) const {
    return {EventKind::kRequest, tr("Request rejected"), tr("%1: %2").arg(text(e.name), text(e.message))};
  }
  Line operator()(const RequestCancelled& e) const {
    return {EventKind::kRequest, tr("Request cancelled"), requestLetter(e.request)};
  }
  Line operator()(const SamplingChanged& e) const {
    return {EventKind::kRequest, tr("Sampling changed"),
            tr("%1, temperature %2").arg(requestLetter(e.request), formatDecimal(e.sampling.temperature, 2))};
  }
  Line operator()(const RequestFinished& e) const {
    return {EventKind::kRequest, tr("Request finished"),
            tr("%1 %2, %3 tokens written, first after %4, whole %5")
                .arg(requestLetter(e.request), finishReasonText(e.reason))
                .arg(e.completionTokens)
                .arg(formatDuration(e.ttftNs), formatDuration(e.totalNs))};
  }
  Line operator()(const RequestForgotten& e) const {
    return {EventKind::kRequest, tr("Request forgotten"), requestLetter(e.request)};
  }

  Line operator()(const SequenceWaiting& e) const {
    return {EventKind::kSequence, tr("Sequence waits"),
            tr("%1, needed %2, available %3").arg(letter(e.sequence)).arg(e.needed).arg(e.available),
            e.sequence};
  }
  Line operator()(const SequenceAged& e) const {
    return {EventKind::kSequence, tr("Sequence aged"),
            tr("%1, %n step(s) old", nullptr, e.steps).arg(letter(e.sequence)), e.sequence};
  }
  Line operator()(const SequenceAdmitted& e) const {
    return {EventKind::kSequence, e.resumed ? tr("Sequence resumed") : tr("Sequence admitted"),
            tr("%1, %2 of %3 tokens cached").arg(letter(e.sequence)).arg(e.cachedTokens).arg(e.totalTokens),
            e.sequence};
  }
  Line operator()(const SequenceScheduled& e) const {
    return {EventKind::kSequence,
            e.kind == WorkKind::kPrefill ? tr("Prefill scheduled") : tr("Decode scheduled"),
            tr("%1, positions %2 to %3 of %4")
                .arg(letter(e.sequence))
                .arg(e.firstPosition)
                .arg(e.firstPosition + e.tokens - 1)
                .arg(e.totalTokens),
            e.sequence};
  }
  Line operator()(const SequencePreempted& e) const {
    if (e.how == Preemption::kSwap)
      return {EventKind::kSequence, tr("Sequence preempted"),
              tr("%1 for %2, %3 blocks freed, %4 swapped out")
                  .arg(letter(e.sequence), letter(e.forSequence))
                  .arg(e.freedBlocks)
                  .arg(e.swapBlocks),
              e.sequence};
    return {EventKind::kSequence, tr("Sequence preempted"),
            tr("%1 for %2, %3 blocks freed, %4 tokens lost")
                .arg(letter(e.sequence), letter(e.forSequence))
                .arg(e.freedBlocks)
                .arg(e.lostTokens),
            e.sequence};
  }
  Line operator()(const KvForgotten& e) const {
    return {EventKind::kSequence, tr("Keys and values forgotten"),
            tr("%1, %2 tokens to compute again").arg(letter(e.sequence)).arg(e.lostTokens), e.sequence};
  }
  Line operator()(const SequenceForked& e) const {
    return {EventKind::kSequence, tr("Sequence forked"),
            tr("%1 from %2, %3 blocks shared").arg(letter(e.child), letter(e.parent)).arg(e.sharedBlocks),
            e.child};
  }
  Line operator()(const SequenceReplaced& e) const {
    return {EventKind::kSequence, tr("Beam replaced"),
            tr("%1 goes on from %2, %3 blocks shared")
                .arg(letter(e.sequence), letter(e.parent))
                .arg(e.sharedBlocks),
            e.sequence};
  }
  Line operator()(const BeamStep& e) const {
    const auto kept = std::ranges::count(e.candidates, BeamFate::kKept, &BeamCandidate::fate);
    return {EventKind::kToken, tr("Beams chosen"),
            tr("%1 at length %2: %3 of %4 continuations go on, %n hypothesis(es)", nullptr, e.finished)
                .arg(requestLetter(e.request))
                .arg(e.length)
                .arg(kept)
                .arg(e.candidates.size())};
  }
  Line operator()(const BeamChosen& e) const {
    return {EventKind::kSequence, tr("Beam answer"),
            tr("%1 is hypothesis %2, score %3")
                .arg(letter(e.sequence))
                .arg(e.hypothesis)
                .arg(formatDecimal(e.score, 3)),
            e.sequence};
  }
  Line operator()(const AnswersRanked& e) const {
    const auto chosen = std::ranges::count(e.answers, true, &RankedAnswer::chosen);
    return {EventKind::kRequest, tr("Answers ranked"),
            tr("%1: the best %2 of %3").arg(requestLetter(e.request)).arg(chosen).arg(e.answers.size())};
  }
  Line operator()(const SequenceFinished& e) const {
    return {
        EventKind::kSequence, tr("Sequence finished"),
        tr("%1 %2, %3 tokens").arg(letter(e.sequence), finishReasonText(e.reason)).arg(e.completionTokens),
        e.sequence};
  }

  Line operator()(const BlockAllocated& e) const { return block(tr("Block allocated"), e.block, e.sequence); }
  Line operator()(const BlockShared& e) const {
    return block(tr("Block shared"), e.block, e.sequence, references(e.refCount));
  }
  Line operator()(const BlockHit& e) const {
    return block(tr("Prefix cache hit"), e.block, e.sequence,
                 tr(", %1, hash %2").arg(tr("%n reference(s)", nullptr, e.refCount), formatHash(e.hash)));
  }
  Line operator()(const BlockCopied& e) const {
    return {EventKind::kBlock, tr("Block copied on write"),
            tr("block %1 to block %2 for %3").arg(e.from).arg(e.to).arg(letter(e.sequence)), e.sequence};
  }
  Line operator()(const BlockCached& e) const {
    return {EventKind::kBlock, tr("Block cached"),
            tr("block %1, hash %2 after %3").arg(e.block).arg(formatHash(e.hash), formatHash(e.parentHash))};
  }
  Line operator()(const BlockEvicted& e) const {
    return {EventKind::kBlock, tr("Block evicted"),
            tr("block %1, hash %2").arg(e.block).arg(formatHash(e.hash))};
  }
  Line operator()(const ContextEvicted& e) const {
    return block(tr("Context evicted"), e.block, e.sequence,
                 tr("positions %1 to %2").arg(e.firstPosition).arg(e.firstPosition + e.tokens - 1));
  }
  Line operator()(const BlockFreed& e) const {
    return block(e.refCount == 0 ? tr("Block freed") : tr("Block released"), e.block, e.sequence,
                 references(e.refCount));
  }

  Line operator()(const BlockSwappedOut& e) const {
    return block(tr("Block swapped out"), e.block, e.sequence, swapPlace(e.tier, e.slot));
  }
  Line operator()(const BlockSwappedIn& e) const {
    return block(tr("Block swapped in"), e.block, e.sequence, swapPlace(e.tier, e.slot));
  }
  Line operator()(const BlockDemoted& e) const {
    return {EventKind::kBlock, tr("Swapped content moved to the file"),
            tr("block %1 of %2, memory %3 to file %4")
                .arg(e.index)
                .arg(letter(e.sequence))
                .arg(e.hostSlot)
                .arg(e.diskSlot),
            e.sequence};
  }
  Line operator()(const SwapFailed& e) const {
    return {EventKind::kSequence, tr("Swapping failed"),
            tr("%1, %2 tokens to compute again: %3. %4")
                .arg(letter(e.sequence))
                .arg(e.lostTokens)
                .arg(text(e.message), text(e.hint)),
            e.sequence};
  }
  Line operator()(const StepSwapped& e) const {
    return {EventKind::kStep, tr("Step swapped"),
            tr("%1 out, %2 on to the file, %3 in, in %4")
                .arg(formatBytes(e.outBytes), formatBytes(e.demotedBytes), formatBytes(e.inBytes),
                     formatDuration(e.ns))};
  }

  Line operator()(const StepStarted& e) const {
    return {EventKind::kStep, tr("Step started"), tr("%1 waiting, %2 running").arg(e.waiting).arg(e.running)};
  }
  Line operator()(const StepPlanned& e) const {
    return {EventKind::kStep, tr("Step planned"),
            tr("%1 prefill and %2 decode tokens of %3")
                .arg(e.prefillTokens)
                .arg(e.decodeTokens)
                .arg(e.tokenBudget)};
  }
  Line operator()(const PhaseStarted& e) const {
    return {EventKind::kStep, tr("Phase started"), phaseName(e.phase)};
  }
  Line operator()(const StepFinished& e) const {
    return {
        EventKind::kStep, tr("Step finished"),
        tr("%1 tokens computed, %2 sampled, %3 blocks free").arg(e.tokens).arg(e.sampled).arg(e.freeBlocks)};
  }

  Line operator()(const DraftProposed& e) const {
    return {EventKind::kToken, tr("Draft proposed"),
            tr("%1, %n token(s) from %2", nullptr, static_cast<int>(e.tokens.size()))
                .arg(letter(e.sequence))
                .arg(e.firstPosition),
            e.sequence};
  }
  Line operator()(const DraftVerified& e) const {
    return {
        EventKind::kToken, tr("Draft verified"),
        tr("%1, %2 of %3 tokens accepted").arg(letter(e.sequence)).arg(e.accepted).arg(e.judgements.size()),
        e.sequence};
  }
  Line operator()(const DraftRolledBack& e) const {
    return {EventKind::kSequence, tr("Draft rolled back"),
            tr("%1, %2 tokens lost, %3 blocks freed")
                .arg(letter(e.sequence))
                .arg(e.lostTokens)
                .arg(e.freedBlocks),
            e.sequence};
  }
  Line operator()(const StepSpeculated& e) const {
    return {EventKind::kStep, tr("Step speculated"),
            tr("%1 of %2 drafted tokens accepted, drafting took %3, verifying %4")
                .arg(e.acceptedTokens)
                .arg(e.draftedTokens)
                .arg(formatDuration(e.draftNs), formatDuration(e.verifyNs))};
  }

  Line operator()(const TokenSampled& e) const {
    return {EventKind::kToken, tr("Token sampled"),
            tr("%1 “%2” at %3, %4")
                .arg(letter(e.sequence), visibleToken(e.text), formatCount(e.position),
                     formatPercent(std::exp(e.logprob))),
            e.sequence};
  }
  Line operator()(const TokenCandidates& e) const {
    return {EventKind::kToken, tr("Candidates"),
            tr("%1 at %2, %n stage(s)", nullptr, static_cast<int>(e.stages.size()))
                .arg(letter(e.sequence))
                .arg(e.position),
            e.sequence};
  }
  Line operator()(const LayerTap& e) const {
    return {EventKind::kToken, tr("Layer norm"),
            tr("%1 at %2, layer %3: %4")
                .arg(letter(e.sequence))
                .arg(e.position)
                .arg(e.layer)
                .arg(formatDecimal(static_cast<double>(e.norm), 3)),
            e.sequence};
  }

 private:
  static QString swapPlace(SwapTier tier, int slot) {
    return tier == SwapTier::kHost ? tr(", memory slot %1").arg(slot) : tr(", file slot %1").arg(slot);
  }
  QString letter(SequenceId sequence) const { return m_names.letter(sequence, m_state); }
  static QString references(int count) { return tr(", ") + tr("%n reference(s)", nullptr, count); }
  Line block(const QString& title, BlockId id, SequenceId sequence, const QString& more = {}) const {
    return {EventKind::kBlock, title, tr("block %1, %2").arg(id).arg(letter(sequence)) + more, sequence};
  }

  const MachineState& m_state;
  const SequenceNames& m_names;
};

struct SequenceOf {
  template <class Body>
  SequenceId operator()(const Body& body) const {
    if constexpr (requires { body.sequence; })
      return body.sequence;
    else if constexpr (requires { body.child; })
      return body.child;
    else if constexpr (requires { body.firstSequence; })
      return body.firstSequence;
    else
      return 0;
  }
};

}  // namespace

QString eventKindName(EventKind kind) {
  switch (kind) {
    case EventKind::kEngine:
      return EventTeller::tr("Engine");
    case EventKind::kRequest:
      return EventTeller::tr("Requests");
    case EventKind::kSequence:
      return EventTeller::tr("Scheduling");
    case EventKind::kBlock:
      return EventTeller::tr("Blocks");
    case EventKind::kStep:
      return EventTeller::tr("Steps");
    case EventKind::kToken:
      return EventTeller::tr("Tokens");
  }
  return {};
}

QString eventTitle(const Event& event) { return std::visit(EventTeller({}, {}), event.body).title; }
QString eventText(const Event& event, const MachineState& state, const SequenceNames& names) {
  return std::visit(EventTeller(state, names), event.body).detail;
}
SequenceId eventSequence(const Event& event) {
  return std::visit([](const auto& body) { return SequenceOf()(unboxed(body)); }, event.body);
}

}  // namespace vitrine
