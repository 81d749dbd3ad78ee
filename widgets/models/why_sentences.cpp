#include "widgets/models/why_sentences.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>

#include "widgets/models/why_rows.h"
#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

class WhyWriter : private WhyRows {
  Q_DECLARE_TR_FUNCTIONS(WhySentences)

 public:
  using WhyRows::WhyRows;

  std::vector<WhyRow> write() {
    m_free = freeBefore();
    for (const Event& event : m_events) {
      m_section = m_finished ? WhyRow::kAfter : m_started ? static_cast<int>(event.phase) : WhyRow::kBefore;
      std::visit([this](const auto& body) { say(unboxed(body)); }, event.body);
    }
    flush();
    return sorted(m_planRow);
  }

 private:
  // Blocks counted for one sequence in one phase, told in one sentence.
  struct Tally {
    int section = 0, allocated = 0, freeThen = 0, hits = 0, freed = 0, kept = 0;
  };
  struct Scheduled {
    int section = 0, computed = 0;
    WorkKind kind = WorkKind::kDecode;
  };

  template <class Other>
  void say(const Other&) {}  // told elsewhere, or nothing to explain

  void say(const RequestSubmitted& e) {
    add(e.firstSequence,
        e.sequences > 1 ? tr("%1 arrives with a prompt of %2 and asks for %n answers.", nullptr, e.sequences)
                              .arg(requestLetter(e.request), tokens(static_cast<int>(e.tokenIds.size())))
                        : tr("%1 arrives with a prompt of %2.")
                              .arg(requestLetter(e.request), tokens(static_cast<int>(e.tokenIds.size()))));
  }
  void say(const RequestFinished& e) {
    if (!e.missedDeadline) return;
    add(0,
        tr("%1 missed its deadline of %2 by %3.")
            .arg(requestLetter(e.request), formatDuration(static_cast<std::int64_t>(e.deadlineMs * 1e6)),
                 formatDuration(e.lateNs)),
        true);
  }
  void say(const RequestRejected& e) {
    add(0,
        tr("“%1” was turned away: %2").arg(QString::fromStdString(e.name), QString::fromStdString(e.message)),
        true);
  }
  void say(const EngineFailed& e) {
    add(0, tr("The engine failed: %1").arg(QString::fromStdString(e.message)), true);
  }
  void say(const RequestCancelled& e) {
    add(0, tr("%1 was stopped by its user.").arg(requestLetter(e.request)));
  }
  void say(const RequestForgotten& e) {
    add(0, tr("%1 had finished, and is forgotten: all that was kept of it is freed.")
               .arg(requestLetter(e.request)));
  }
  void say(const SamplingChanged& e) {
    add(0, tr("%1's sampling was changed: the tokens after this step follow the new settings.")
               .arg(requestLetter(e.request)));
  }
  void say(const EventsDropped& e) {
    add(0, tr("%1 details were left out, as the window could not keep up.").arg(formatCount(e.details)),
        true);
  }

  void say(const SequenceWaiting& e) {
    const QString who = letter(e.sequence);
    switch (e.reason) {
      case WaitReason::kBlocks:
        return add(e.sequence,
                   tr("%1 waits: it needs %2, %3.").arg(who, blocks(e.needed), areFree(e.available)), true);
      case WaitReason::kSequences:
        return add(e.sequence, tr("%1 waits: every place in the batch is taken.").arg(who), true);
      case WaitReason::kTokenBudget:
        return add(e.sequence,
                   tr("%1 waits: it needs %2 of this step's budget, %3 are left.")
                       .arg(who, tokens(e.needed))
                       .arg(e.available),
                   true);
      case WaitReason::kPreemption:
        return add(
            e.sequence,
            tr("%1 waits: memory is so short that someone had to give way, so nobody new comes in.").arg(who),
            true);
      case WaitReason::kBehind:
        return add(e.sequence, tr("%1 waits: someone who goes before it waits.").arg(who), true);
      case WaitReason::kBatch:
        return add(e.sequence, tr("%1 waits: the batch in flight must end before another begins.").arg(who),
                   true);
      case WaitReason::kBeams:
        return add(e.sequence,
                   tr("%1 waits: the first beam of its search has computed %2 of the %3 they share.")
                       .arg(who)
                       .arg(e.available)
                       .arg(tokens(e.needed)),
                   true);
      case WaitReason::kWindow:
        return add(e.sequence,
                   tr("%1 waits for company: the batch begins when it is full, or after %2 ms, of which %3 "
                      "are gone.")
                       .arg(who)
                       .arg(e.needed)
                       .arg(e.available),
                   true);
    }
  }

  void say(const SequenceAged& e) {
    add(e.sequence, tr("%1 is %n step(s) old and not done: from now on it counts as due.", nullptr, e.steps)
                        .arg(letter(e.sequence)));
  }

  void say(const SequenceAdmitted& e) {
    const QString who = letter(e.sequence);
    const QString come = e.resumed ? tr("%1 resumes").arg(who) : tr("%1 joins the batch").arg(who);
    if (e.swappedTokens > 0) {
      add(e.sequence, tr("%1: %2 of its %3 were swapped out and come back, so %4 are left to compute.")
                          .arg(come)
                          .arg(e.swappedTokens)
                          .arg(tokens(e.totalTokens))
                          .arg(e.totalTokens - e.cachedTokens - e.swappedTokens));
    } else if (e.cachedTokens > 0) {
      add(e.sequence, tr("%1: the prefix cache already holds %2 of its %3, so %4 are left to compute.")
                          .arg(come)
                          .arg(e.cachedTokens)
                          .arg(tokens(e.totalTokens))
                          .arg(e.totalTokens - e.cachedTokens));
    } else {
      add(e.sequence, tr("%1: %2 to compute.").arg(come, tokens(e.totalTokens)));
    }
  }

  void say(const StepPlanned& e) {
    if (e.sequences == 0) return;
    m_planned = e;
    // Said last by the engine, read first: the sum before its parts.
    m_planRow = m_rows.size();
    add(0, tr("The plan: %1 of prompts and %2 of answers, together %3 of a budget of %4.")
               .arg(tokens(e.prefillTokens), tokens(e.decodeTokens))
               .arg(e.prefillTokens + e.decodeTokens)
               .arg(e.tokenBudget));
  }

  void say(const SequenceScheduled& e) {
    m_scheduled[e.sequence] = {m_section, e.firstPosition + e.tokens, e.kind};
    if (e.kind == WorkKind::kDecode) {
      m_decodes.push_back(e.sequence);
      m_drafted += e.draftTokens;
      m_decodeSection = m_section;
      return;
    }
    const int left = e.totalTokens - e.firstPosition - e.tokens;
    const QString who = letter(e.sequence);
    if (left > 0) {
      add(e.sequence,
          tr("%1 computes %2 of its prompt; %3 are left for later steps, as the budget is used up.")
              .arg(who, tokens(e.tokens))
              .arg(left));
    } else if (const auto s = m_after.sequences.find(e.sequence);
               s != m_after.sequences.end() && e.totalTokens > s->second.promptTokens) {
      add(e.sequence, tr("%1 computes %2 of prompt and answer again and can then choose its next token.")
                          .arg(who, tokens(e.tokens)));
    } else if (e.firstPosition > 0) {
      add(e.sequence, tr("%1 computes the last %2 of its prompt and can then choose its next token.")
                          .arg(who, tokens(e.tokens)));
    } else {
      add(e.sequence, tr("%1 computes all %2 of its prompt and can then choose its next token.")
                          .arg(who, tokens(e.tokens)));
    }
  }

  void say(const SequencePreempted& e) {
    const QString who = letter(e.sequence);
    const QString why =
        e.reason == PreemptReason::kImportance
            ? tr("%1 gives way to %2, which goes before it and needs %3, %4, and a place in the batch, %5.")
                  .arg(who, letter(e.forSequence), blocks(e.neededBlocks), wereFree(e.freeBlocks),
                       e.freePlaces >= e.neededPlaces ? tr("which there was") : tr("which there was not"))
        : e.sequence == e.forSequence
            ? tr("%1 steps back: it needed %2, %3.").arg(who, blocks(e.neededBlocks), wereFree(e.freeBlocks))
            : tr("%1 gives way to %2, which needed %3: %4.")
                  .arg(who, letter(e.forSequence), blocks(e.neededBlocks), wereFree(e.freeBlocks));
    add(e.sequence, e.freedBlocks > 0 ? why + u' ' + priceOf(e) : why, true);
    m_preempted.push_back(e.sequence);
  }

  QString priceOf(const SequencePreempted& e) const {
    if (e.how == Preemption::kSwap)
      return tr("That frees %1; what was computed is swapped out, %2, and nothing is lost.")
          .arg(blocks(e.freedBlocks), blocks(e.swapBlocks));
    QString price = tr("That frees %1; %2 computed before must be computed again.")
                        .arg(blocks(e.freedBlocks), tokens(e.lostTokens));
    if (e.cause == PreemptionCause::kBeams)
      return price + u' ' + tr("A beam is not swapped out: it would come back with copies of all it shares.");
    if (e.cause != PreemptionCause::kNoRoom) return price;
    return price + u' ' +
           tr("Swapping takes room for %1, and there is room for %2.")
               .arg(blocks(e.swapBlocks))
               .arg(e.swapRoom);
  }

  void say(const BlockDemoted&) {
    ++m_demoted;
    m_demotedSection = m_section;
  }
  void say(const BlockSwappedIn& e) {
    Tally& tally = m_swappedIn[e.sequence];
    tally.section = m_section;
    ++(e.tier == SwapTier::kHost ? tally.freed : tally.kept);
    --m_tallies[e.sequence].allocated;
  }
  void say(const SwapFailed& e) {
    const QString what = QString::fromStdString(e.message);
    add(e.sequence,
        e.move == SwapMove::kIn ? tr("%1's blocks do not come back: %2. It sits this step out, and its %3 "
                                     "are computed once more.")
                                      .arg(letter(e.sequence), what, tokens(e.lostTokens))
                                : tr("%1 cannot be swapped out: %2.").arg(letter(e.sequence), what),
        true);
    if (e.move != SwapMove::kIn) return;
    --m_tallies[e.sequence].allocated;  // the block for it goes back at once
    m_preempted.push_back(e.sequence);
  }

  void say(const KvForgotten& e) {
    add(e.sequence,
        tr("%1 keeps no keys and values: %2 were computed for one, and for the next all is computed anew.")
            .arg(letter(e.sequence), tokens(e.lostTokens)));
    m_preempted.push_back(e.sequence);
  }

  void say(const SequenceForked& e) {
    add(e.child, tr("%1 goes on from %2's prompt and shares its %3 instead of computing them again.")
                     .arg(letter(e.child), letter(e.parent), blocks(e.sharedBlocks)));
  }

  void say(const SequenceReplaced& e) {
    add(e.sequence,
        tr("None of %1's continuations is good enough: it goes on from %2 instead and shares its %3.")
            .arg(letter(e.sequence), letter(e.parent), blocks(e.sharedBlocks)));
  }
  void say(const BeamStep& e) {
    const auto count = [&](BeamFate fate) {
      return static_cast<int>(std::ranges::count(e.candidates, fate, &BeamCandidate::fate));
    };
    const QString who = requestLetter(e.request);
    add(0,
        tr("%1's beams compare their best continuations, %2 in all, by the sum of logprobs: %3 go on, %4 are "
           "complete, %5 are pruned.")
            .arg(who)
            .arg(e.candidates.size())
            .arg(count(BeamFate::kKept))
            .arg(count(BeamFate::kFinished) + count(BeamFate::kWorse) + count(BeamFate::kTooLow))
            .arg(count(BeamFate::kPruned)));
    const QString end = beamEnd(e);
    if (!end.isEmpty()) add(0, end.arg(who));
  }
  QString beamEnd(const BeamStep& e) const {
    switch (e.end) {
      case BeamEnd::kNone:
        return {};
      case BeamEnd::kEnough:
        return tr("%1's search ends: it has as many complete answers as beams, and stops early.");
      case BeamEnd::kNoImprovement:
        return tr("%2's search ends: its best beam may reach a score of %1, no better than its worst "
                  "complete "
                  "answer.")
            .arg(formatDecimal(e.bestPossible, 3));
      case BeamEnd::kNothingLeft:
        return tr("%1's search ends: every continuation is complete.");
    }
    return {};
  }
  void say(const BeamChosen& e) {
    add(e.sequence, tr("%1 is given as answer: score %2, the sum of its logprobs divided by its length.")
                        .arg(letter(e.sequence), formatDecimal(e.score, 3)));
  }
  void say(const AnswersRanked& e) {
    const auto chosen = std::ranges::count(e.answers, true, &RankedAnswer::chosen);
    add(0, tr("%1 gives the best %2 of %3 answers, by score.")
               .arg(requestLetter(e.request))
               .arg(chosen)
               .arg(e.answers.size()));
  }

  void say(const BlockAllocated& e) {
    Tally& tally = m_tallies[e.sequence];
    if (tally.allocated++ == 0) {
      tally.section = m_section;
      tally.freeThen = m_free;
    }
    --m_free;
  }
  void say(const BlockHit& e) { m_free -= e.refCount == 1 ? 1 : 0; }
  void say(const BlockCopied& e) {
    --m_free;
    add(e.sequence,
        tr("%1 writes into block %2, which others read too, so it gets a copy of its own: block %3.")
            .arg(letter(e.sequence))
            .arg(e.from)
            .arg(e.to));
  }
  void say(const BlockEvicted&) {
    ++m_evicted;
    m_evictSection = m_section;
  }
  void say(const ContextEvicted& e) {
    m_free += e.refCount == 0 ? 1 : 0;
    const QString what = tr("%1 holds all the context it may, so positions %2 to %3 leave it with block %4")
                             .arg(letter(e.sequence))
                             .arg(e.firstPosition)
                             .arg(e.firstPosition + e.tokens - 1)
                             .arg(e.block);
    add(e.sequence,
        e.score > 0
            ? tr("%1: of what may go they had the least attention, %2.").arg(what).arg(e.score, 0, 'g', 3)
            : tr("%1; the first tokens and the last ones stay.").arg(what));
  }
  void say(const BlockCached&) {
    ++m_cached;
    m_cacheSection = m_section;
  }
  void say(const BlockFreed& e) {
    m_free += e.refCount == 0 ? 1 : 0;
    Tally& tally = m_freed[e.sequence];
    tally.section = m_section;
    ++(e.refCount == 0 ? tally.freed : tally.kept);
  }

  void say(const TokenCandidates& e) {
    const Place place = {e.sequence, e.position};
    if (!e.stages.empty()) m_left[place] = e.stages.back().kept;
    // The detail may follow the token it explains.
    if (const auto row = m_sampledRow.find(place); row != m_sampledRow.end()) {
      m_rows[row->second].text = sampledText(m_sampled[place]);
    }
  }
  void say(const TokenSampled& e) {
    m_sampled[{e.sequence, e.position}] = e;
    m_sampledRow[{e.sequence, e.position}] = m_rows.size();
    add(e.sequence, sampledText(e));
  }

  void say(const DraftVerified& e) {
    const QString who = letter(e.sequence);
    const int length = static_cast<int>(e.judgements.size());
    if (e.accepted == length) {
      return add(e.sequence, tr("%1's draft of %2 is accepted as it stands.").arg(who, tokens(length)));
    }
    QString why = tr("the answer ends there");
    for (const DraftJudgement& judgement : e.judgements) {
      if (judgement.verdict == DraftVerdict::kDiffers)
        why = tr("then the model itself chooses another token");
      if (judgement.verdict == DraftVerdict::kBeyond) {
        why = tr("the next had %1 from the model and %2 from the drafter, and the number drawn, %3, is not "
                 "below their "
                 "ratio")
                  .arg(formatPercent(judgement.p), formatPercent(judgement.q),
                       formatDecimal(judgement.uniform, 3));
      }
    }
    add(e.sequence,
        tr("Accepted: %1 of %2's draft of %3; %4.").arg(tokens(e.accepted), who, tokens(length), why));
  }
  void say(const DraftRolledBack& e) {
    add(e.sequence, tr("%1 gives up %2 that were computed for the draft and not accepted.")
                        .arg(letter(e.sequence), tokens(e.lostTokens)));
  }
  void say(const StepSpeculated& e) {
    if (e.draftedTokens == 0) return;
    addAt(static_cast<int>(Phase::kForward), 0,
          tr("Drafting took %1 and verifying %2, for %3.")
              .arg(formatDuration(e.draftNs), formatDuration(e.verifyNs), tokens(e.keptTokens)));
  }

  QString sampledText(const TokenSampled& e) const {
    const QString token = e.text.empty() ? QStringLiteral("#%1").arg(e.token) : visibleToken(e.text);
    const QString chosen = tr("%1 writes “%2”, which the model gave %3")
                               .arg(letter(e.sequence), token, formatPercent(std::exp(e.logprob)));
    const auto left = m_left.find({e.sequence, e.position});
    if (left == m_left.end()) return tr("%1.").arg(chosen);
    if (left->second <= 1) return tr("%1: the only candidate left.").arg(chosen);
    return tr("%1: drawn from %2 candidates.").arg(chosen, formatCount(left->second));
  }

  void say(const SequenceFinished& e) {
    add(e.sequence, tr("%1 is done: it %2 after %3.")
                        .arg(letter(e.sequence), finishReasonText(e.reason), tokens(e.completionTokens)));
  }

  void say(const StepStarted&) { m_started = true; }
  void say(const StepFinished& e) {
    m_finished = true;
    const auto ns = e.phaseNs[static_cast<std::size_t>(Phase::kForward)];
    if (e.tokens > 0) {
      addAt(
          static_cast<int>(Phase::kForward), 0,
          tr("One pass through the layers computes %1 of %2 together, in %3.")
              .arg(tokens(e.tokens), tr("%n sequence(s)", nullptr, m_planned.sequences), formatDuration(ns)));
    }
  }

  void flush() {
    flushDecodes();
    for (const auto& [sequence, tally] : m_swappedIn) flushSwaps(sequence, tally);
    if (m_demoted > 0) {
      addAt(m_demotedSection, 0,
            tr("%n block(s) swapped out longest ago move from memory to the file, to make room.", nullptr,
               m_demoted));
    }
    for (const auto& [sequence, tally] : m_tallies) {
      if (tally.allocated > 0) flushAllocations(sequence, tally);
    }
    if (m_evicted > 0) {
      addAt(
          m_evictSection, 0,
          tr("%n cached block(s) nobody had used for longest are evicted to make room.", nullptr, m_evicted));
    }
    if (m_cached > 0) {
      addAt(m_cacheSection, 0,
            tr("%n full block(s) enter the prefix cache, for any later prompt that begins alike.", nullptr,
               m_cached));
    }
    for (const auto& [sequence, tally] : m_freed) flushFreed(sequence, tally);
  }

  void flushDecodes() {
    if (m_decodes.empty()) return;
    QStringList letters;
    for (const SequenceId sequence : m_decodes) letters << letter(sequence);
    const bool one = m_decodes.size() == 1;
    if (m_drafted > 0) {
      addAt(m_decodeSection, one ? m_decodes.front() : 0,
            one ? tr("%1 decodes: its newest token and a draft of %2 behind it are computed together.")
                      .arg(letters.front(), tokens(m_drafted))
                : tr("%1 decode: one token each and drafts of %2, computed together.")
                      .arg(letters.join(QStringLiteral(", ")), tokens(m_drafted)));
      return;
    }
    addAt(m_decodeSection, one ? m_decodes.front() : 0,
          one ? tr("%1 decodes: its newest token is computed, to choose the next.").arg(letters.front())
              : tr("%1 decode: one token each, computed together.").arg(letters.join(QStringLiteral(", "))));
  }

  void flushAllocations(SequenceId sequence, const Tally& tally) {
    const auto scheduled = m_scheduled.find(sequence);
    const QString who = letter(sequence), were = wereFree(tally.freeThen);
    if (scheduled != m_scheduled.end() && scheduled->second.kind == WorkKind::kPrefill) {
      addAt(tally.section, sequence,
            tr("%1 takes %2 of %3 slots for its prompt up to token %4; %5.")
                .arg(who, blocks(tally.allocated))
                .arg(m_after.blockSize)
                .arg(scheduled->second.computed)
                .arg(were));
    } else {
      addAt(tally.section, sequence,
            tr("%1 has filled its blocks and takes %2 more; %3.").arg(who).arg(tally.allocated).arg(were));
    }
  }

  void flushSwaps(SequenceId sequence, const Tally& tally) {
    addAt(tally.section, sequence,
          tally.kept == 0 ? tr("%1 gets back %2 from memory.").arg(letter(sequence), blocks(tally.freed))
                          : tr("%1 gets back %2 from memory and %3 from the file.")
                                .arg(letter(sequence), blocks(tally.freed), blocks(tally.kept)));
  }

  void flushFreed(SequenceId sequence, const Tally& tally) {
    if (std::find(m_preempted.begin(), m_preempted.end(), sequence) != m_preempted.end()) return;
    if (tally.kept == 0) {
      addAt(tally.section, sequence, tr("%1 gives back %2.").arg(letter(sequence), blocks(tally.freed)));
    } else {
      addAt(tally.section, sequence,
            tr("%1 gives back %2 and lets go of %3 that others still use.")
                .arg(letter(sequence), blocks(tally.freed), blocks(tally.kept)));
    }
  }

  std::map<SequenceId, Tally> m_tallies, m_freed;
  std::map<SequenceId, Tally> m_swappedIn;  // freed: from memory, kept: from the file
  std::map<SequenceId, Scheduled> m_scheduled;
  using Place = std::pair<SequenceId, int>;  // and the token's position: a draft brings several in a step
  std::map<Place, int> m_left;
  std::map<Place, TokenSampled> m_sampled;
  std::map<Place, std::size_t> m_sampledRow;
  std::vector<SequenceId> m_decodes, m_preempted;
  StepPlanned m_planned{};
  std::size_t m_planRow = static_cast<std::size_t>(-1);
  int m_free = 0, m_evicted = 0, m_cached = 0, m_drafted = 0;
  int m_demoted = 0, m_demotedSection = 0;
  int m_decodeSection = 0, m_evictSection = 0, m_cacheSection = 0;
  bool m_started = false, m_finished = false;
};

}  // namespace

std::vector<WhyRow> whySentences(std::span<const Event> events, const MachineState& after,
                                 const SequenceNames& names) {
  return WhyWriter(events, after, names).write();
}

}  // namespace vitrine
