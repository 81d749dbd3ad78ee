#include "trace_story.h"

#include <cstdarg>
#include <cstdio>

namespace vitrine::cli {
namespace {

__attribute__((format(printf, 1, 2))) std::string format(const char* pattern, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

std::string count(long long number, const char* thing) {
  return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

// "3, 5-8"
std::string listOf(const std::vector<BlockId>& blocks) {
  std::string text;
  for (std::size_t i = 0; i < blocks.size();) {
    std::size_t end = i + 1;
    while (end < blocks.size() && blocks[end] == blocks[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(blocks[i]);
    if (end - i > 1) text += "-" + std::to_string(blocks[end - 1]);
    i = end;
  }
  return text;
}

const char* reasonOf(FinishReason reason) {
  switch (reason) {
    case FinishReason::kStop:
      return "it came to its end";
    case FinishReason::kLength:
      return "it has all the tokens it may have";
    case FinishReason::kCancelled:
      return "it was cancelled";
    case FinishReason::kFailed:
      return "the forward failed";
    case FinishReason::kPruned:
      return "other beams were better";
  }
  return "";
}

// What people can read of a text: line ends and other control characters written out.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      out += format("\\x%02x", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace

struct TraceStory::Teller {
  TraceStory& story;
  const Event& event;

  std::string name(SequenceId sequence) const { return story.nameOf(sequence); }
  std::string request(RequestId id) const {
    const auto found = story.m_requests.find(id);
    return found == story.m_requests.end() ? "request " + std::to_string(id) : found->second;
  }

  std::string operator()(const EngineLoaded& e) const {
    return format(
        "%s on %s (%s): %s, %d layers, %s of %d tokens, budget of %d tokens a step, "
        "at most %s at once (%d whole contexts fit).",
        e.model.name.c_str(), e.backend.c_str(), e.device.c_str(), e.model.family.c_str(), e.model.layers,
        count(e.numBlocks, "block").c_str(), e.blockSize, e.tokenBudget,
        count(e.maxSequences, "sequence").c_str(), e.fittingSequences);
  }
  std::string operator()(const EngineFailed& e) const { return "The engine failed: " + e.message; }
  std::string operator()(const RequestSubmitted& e) const {
    story.m_requests[e.request] = e.name;
    story.m_names[e.firstSequence] = e.name;
    std::string wishes;
    if (e.sequences > 1) wishes += ", " + count(e.sequences, "answer");
    if (e.bestOf > e.sequences) wishes += format(", the best of %d", e.bestOf);
    if (e.beamWidth > 1) wishes += format(", by beam search of width %d", e.beamWidth);
    if (e.priority != 0) wishes += format(", priority %d", e.priority);
    if (e.deadlineMs > 0) wishes += format(", within %g ms", e.deadlineMs);
    return format("%s asks: %s and up to %d more%s.", e.name.c_str(),
                  count(static_cast<long long>(e.tokenIds.size()), "prompt token").c_str(), e.maxTokens,
                  wishes.c_str());
  }
  std::string operator()(const RequestRejected& e) const { return e.name + " is refused: " + e.message; }
  std::string operator()(const RequestCancelled& e) const { return request(e.request) + " is cancelled."; }
  std::string operator()(const SamplingChanged& e) const {
    return format("%s now samples with temperature %g.", request(e.request).c_str(), e.sampling.temperature);
  }
  std::string operator()(const RequestFinished& e) const {
    std::string more;
    if (e.preemptions > 0) more += ", preempted " + count(e.preemptions, "time");
    if (e.missedDeadline) more += format(", %.1f ms too late", static_cast<double>(e.lateNs) / 1e6);
    return format("%s is done: %s, first token after %.1f ms, %.1f ms in all%s.", request(e.request).c_str(),
                  count(e.completionTokens, "token").c_str(), static_cast<double>(e.ttftNs) / 1e6,
                  static_cast<double>(e.totalNs) / 1e6, more.c_str());
  }
  std::string operator()(const RequestForgotten& e) const {
    return request(e.request) + " is forgotten: nothing is kept of it.";
  }
  std::string operator()(const SequenceWaiting& e) const {
    switch (e.reason) {
      case WaitReason::kBlocks:
        return format("  %s waits: it needs %s, %d free.", name(e.sequence).c_str(),
                      count(e.needed, "block").c_str(), e.available);
      case WaitReason::kSequences:
        return format("  %s waits: it needs %s in the running set, %d left.", name(e.sequence).c_str(),
                      count(e.needed, "place").c_str(), e.available);
      case WaitReason::kTokenBudget:
        return format("  %s waits: it needs %s of this step's budget, %d left.", name(e.sequence).c_str(),
                      count(e.needed, "token").c_str(), e.available);
      case WaitReason::kPreemption:
        return format("  %s waits: this step must preempt (%s needed, %d free).", name(e.sequence).c_str(),
                      count(e.needed, "block").c_str(), e.available);
      case WaitReason::kBehind:
        return format("  %s waits behind another.", name(e.sequence).c_str());
      case WaitReason::kBatch:
        return format("  %s waits for the batch in flight to end.", name(e.sequence).c_str());
      case WaitReason::kBeams:
        return format("  %s waits: its search's first beam has computed %d of the %s they share.",
                      name(e.sequence).c_str(), e.available, count(e.needed, "token").c_str());
      case WaitReason::kWindow:
        return format("  %s waits for company, %d of %d ms by now.", name(e.sequence).c_str(), e.available,
                      e.needed);
    }
    return "";
  }
  std::string operator()(const SequenceAged& e) const {
    return format("  %s is %s old and counts as due from now on.", name(e.sequence).c_str(),
                  count(e.steps, "step").c_str());
  }
  std::string operator()(const SequenceAdmitted& e) const {
    std::string text =
        format("  %s %s with %s", name(e.sequence).c_str(), e.resumed ? "comes back" : "is admitted",
               count(e.totalTokens, "token").c_str());
    if (e.cachedTokens > 0) text += format(", %d of them found in the prefix index", e.cachedTokens);
    if (e.swappedTokens > 0) text += format(", %d of them swapped out", e.swappedTokens);
    return text + ".";
  }
  std::string operator()(const SequenceScheduled& e) const {
    if (e.kind == WorkKind::kDecode)
      return format("  %s decodes position %d.", name(e.sequence).c_str(), e.firstPosition);
    return format("  %s prefills positions %d to %d of %d.", name(e.sequence).c_str(), e.firstPosition,
                  e.firstPosition + e.tokens - 1, e.totalTokens);
  }
  std::string operator()(const SequencePreempted& e) const {
    const std::string text = causeOf(e) + " It gives " + count(e.freedBlocks, "block") + " back";
    if (e.how == Preemption::kSwap)
      return text + format("; its %s were swapped out.", count(e.swapBlocks, "block").c_str());
    const std::string lost = text + " and loses " + count(e.lostTokens, "computed token");
    if (e.cause == PreemptionCause::kBeams) return lost + ": beams are not swapped.";
    if (e.cause != PreemptionCause::kNoRoom) return lost + ".";
    return lost + format(": swapping takes room for %s, and there is room for %d.",
                         count(e.swapBlocks, "block").c_str(), e.swapRoom);
  }
  std::string causeOf(const SequencePreempted& e) const {
    if (e.reason == PreemptReason::kImportance)
      return format("  %s gives way to %s, which goes before it and needs %s (%d free) and %s (%d left).",
                    name(e.sequence).c_str(), name(e.forSequence).c_str(),
                    count(e.neededBlocks, "block").c_str(), e.freeBlocks,
                    count(e.neededPlaces, "place").c_str(), e.freePlaces);
    return format("  %s is preempted: %s needs %s, %d free.", name(e.sequence).c_str(),
                  e.sequence == e.forSequence ? "it" : name(e.forSequence).c_str(),
                  count(e.neededBlocks, "block").c_str(), e.freeBlocks);
  }
  std::string operator()(const KvForgotten& e) const {
    return format("  %s keeps nothing of %s: without a KV cache all is computed anew.",
                  name(e.sequence).c_str(), count(e.lostTokens, "computed token").c_str());
  }
  std::string operator()(const SequenceForked& e) const {
    story.m_names[e.child] = format("%s/%d", request(e.request).c_str(), e.index + 1);
    return format("  %s forks from %s and shares its %s.", name(e.child).c_str(), name(e.parent).c_str(),
                  count(e.sharedBlocks, "block").c_str());
  }
  std::string operator()(const SequenceReplaced& e) const {
    return format("  %s gives up its own tokens and goes on from %s, sharing %s.", name(e.sequence).c_str(),
                  name(e.parent).c_str(), count(e.sharedBlocks, "block").c_str());
  }
  std::string operator()(const BeamStep& e) const {
    std::string text = format("  %s searches at length %d, %s so far:", request(e.request).c_str(), e.length,
                              e.finished == 1 ? "1 hypothesis" : format("%d hypotheses", e.finished).c_str());
    for (const BeamCandidate& one : e.candidates)
      text += format("\n    %s + %d %s: %.4f, %s", name(one.parent).c_str(), one.token,
                     quoted(one.piece).c_str(), one.cumulative, fateOf(one).c_str());
    for (const int number : e.displaced) text += format("\n    hypothesis %d is displaced", number);
    return text + endOf(e);
  }
  std::string fateOf(const BeamCandidate& e) const {
    switch (e.fate) {
      case BeamFate::kKept: {
        const auto found = story.m_names.find(e.sequence);
        return found == story.m_names.end() ? "goes on in a new sequence" : "goes on as " + found->second;
      }
      case BeamFate::kFinished:
        return format("complete: hypothesis %d with score %.4f", e.hypothesis, e.score);
      case BeamFate::kWorse:
        return format("complete, but its score %.4f is no better than the hypotheses'", e.score);
      case BeamFate::kTooLow:
        return "complete, but ranked too low to count";
      case BeamFate::kPruned:
        return "pruned";
    }
    return "";
  }
  static std::string endOf(const BeamStep& e) {
    switch (e.end) {
      case BeamEnd::kNone:
        return "";
      case BeamEnd::kEnough:
        return "\n    The search ends: there are as many hypotheses as beams.";
      case BeamEnd::kNoImprovement:
        return format("\n    The search ends: a beam may reach %.4f, and the worst hypothesis has %.4f.",
                      e.bestPossible, e.worstFinished);
      case BeamEnd::kNothingLeft:
        return "\n    The search ends: nothing is left to go on with.";
    }
    return "";
  }
  std::string operator()(const BeamChosen& e) const {
    return format("  %s becomes hypothesis %d: %s with score %.4f.", name(e.sequence).c_str(), e.hypothesis,
                  quoted(e.text.substr(0, 200)).c_str(), e.score);
  }
  std::string operator()(const AnswersRanked& e) const {
    std::string text = format("  %s's answers by score:", request(e.request).c_str());
    for (const RankedAnswer& one : e.answers)
      text += format(" %s %.4f%s", name(one.sequence).c_str(), one.score, one.chosen ? " (chosen)" : "");
    return text + ".";
  }
  std::string operator()(const SequenceFinished& e) const {
    return format("  %s ends after %s: %s.", name(e.sequence).c_str(),
                  count(e.completionTokens, "token").c_str(), reasonOf(e.reason));
  }
  std::string operator()(const BlockCopied& e) const {
    return format("  %s writes into shared block %d, so it is copied to block %d.", name(e.sequence).c_str(),
                  e.from, e.to);
  }
  std::string operator()(const BlockEvicted& e) const {
    return format("  block %d forgets what it had cached.", e.block);
  }
  std::string operator()(const ContextEvicted& e) const {
    return format("  %s gives up positions %d to %d of its context, and block %d with them.",
                  name(e.sequence).c_str(), e.firstPosition, e.firstPosition + e.tokens - 1, e.block);
  }
  std::string operator()(const BlockCached& e) const {
    return format("  block %d is full and enters the prefix index.", e.block);
  }
  std::string operator()(const BlockDemoted& e) const {
    return format("  What was swapped out of %s's block %d moves on to the file.", name(e.sequence).c_str(),
                  e.index);
  }
  std::string operator()(const BlockSwappedIn& e) const {
    return format("  %s's block %d comes back from %s.", name(e.sequence).c_str(), e.index,
                  e.tier == SwapTier::kHost ? "memory" : "the file");
  }
  std::string operator()(const SwapFailed& e) const {
    return format("  Swapping %s %s failed: %s. Its %s will be computed again.", name(e.sequence).c_str(),
                  e.move == SwapMove::kIn ? "in" : "out", e.message.c_str(),
                  count(e.lostTokens, "token").c_str());
  }
  std::string operator()(const StepSwapped& e) const {
    return format(
        "  Swapped in %.2f ms: %s out, %d on to the file, %d in; now %d in memory and %d in the file.",
        static_cast<double>(e.ns) / 1e6, count(e.outBlocks, "block").c_str(), e.demotedBlocks, e.inBlocks,
        e.hostBlocks, e.diskBlocks);
  }
  std::string operator()(const StepStarted& e) const {
    return format("\nStep %d: %d waiting, %d running.", event.step, e.waiting, e.running);
  }
  std::string operator()(const StepPlanned& e) const {
    return format("  Plan: %s, %s, budget %d.", count(e.decodeTokens, "decode token").c_str(),
                  count(e.prefillTokens, "prefill token").c_str(), e.tokenBudget);
  }
  std::string operator()(const StepFinished& e) const {
    std::int64_t total = 0;
    for (const std::int64_t ns : e.phaseNs) total += ns;
    return format("  Done in %.2f ms: %s computed, %d sampled; %s free, %d of them still cached.",
                  static_cast<double>(total) / 1e6, count(e.tokens, "token").c_str(), e.sampled,
                  count(e.freeBlocks, "block").c_str(), e.cachedBlocks);
  }
  std::string operator()(const DraftProposed& e) const {
    return format("  %s: a draft of %s is proposed behind position %d.", name(e.sequence).c_str(),
                  count(static_cast<long long>(e.tokens.size()), "token").c_str(), e.firstPosition - 1);
  }
  std::string operator()(const DraftVerified& e) const {
    std::string text = format("  %s: %d of %s accepted", name(e.sequence).c_str(), e.accepted,
                              count(static_cast<long long>(e.judgements.size()), "drafted token").c_str());
    for (const DraftJudgement& judgement : e.judgements) {
      if (judgement.verdict == DraftVerdict::kDiffers)
        text += format("; token %d is not what the model chooses", judgement.token);
      if (judgement.verdict == DraftVerdict::kBeyond)
        text += format("; token %d has p/q = %.3f, and %.3f was drawn", judgement.token,
                       judgement.q > 0 ? judgement.p / judgement.q : 0.0, judgement.uniform);
    }
    return text + ".";
  }
  std::string operator()(const DraftRolledBack& e) const {
    return format("  %s gives up %s that were computed and not accepted, and %s.", name(e.sequence).c_str(),
                  count(e.lostTokens, "token").c_str(), count(e.freedBlocks, "block").c_str());
  }
  std::string operator()(const StepSpeculated& e) const {
    if (e.draftedTokens == 0) return "";
    return format("  Drafting took %.2f ms and verifying %.2f ms: %s for %s.",
                  static_cast<double>(e.draftNs) / 1e6, static_cast<double>(e.verifyNs) / 1e6,
                  count(e.keptTokens, "token").c_str(), count(e.sequences, "sequence").c_str());
  }
  std::string operator()(const TokenSampled& e) const {
    return format("  %s takes token %d %s (logprob %.3f).", name(e.sequence).c_str(), e.token,
                  quoted(e.text.substr(0, 200)).c_str(), e.logprob);
  }
  std::string operator()(const EventsDropped& e) const {
    return "  (" + count(e.details, "detail") + " dropped here)";
  }
  // Told by others, or of no use in a story.
  std::string operator()(const BlockAllocated&) const { return ""; }
  std::string operator()(const BlockShared&) const { return ""; }
  std::string operator()(const BlockSwappedOut&) const { return ""; }
  std::string operator()(const BlockHit&) const { return ""; }
  std::string operator()(const BlockFreed&) const { return ""; }
  std::string operator()(const PhaseStarted&) const { return ""; }
  std::string operator()(const TokenCandidates&) const { return ""; }
  std::string operator()(const LayerTap&) const { return ""; }
  std::string operator()(const Snapshot&) const { return ""; }
};

std::string TraceStory::nameOf(SequenceId sequence) const {
  const auto found = m_names.find(sequence);
  return found == m_names.end() ? "sequence " + std::to_string(sequence) : found->second;
}

std::string TraceStory::tell(const Event& event) {
  std::string verb;
  SequenceId owner = 0;
  BlockId block = 0;
  const auto gather = [&](const auto* body, const char* what) {
    if (body == nullptr) return;
    verb = what, owner = body->sequence, block = body->block;
  };
  gather(std::get_if<BlockAllocated>(&event.body), "takes");
  gather(std::get_if<BlockHit>(&event.body), "finds in the prefix index");
  gather(std::get_if<BlockFreed>(&event.body), "lets go of");
  std::string text;
  if (!m_blocks.empty() && (verb != m_blockVerb || owner != m_blockOwner)) {
    text = "  " + nameOf(m_blockOwner) + " " + m_blockVerb + (m_blocks.size() > 1 ? " blocks " : " block ") +
           listOf(m_blocks) + ".";
    m_blocks.clear();
  }
  if (!verb.empty()) {
    m_blockVerb = verb, m_blockOwner = owner;
    m_blocks.push_back(block);
  }
  const std::string line = std::visit(Teller{*this, event}, event.body);
  return text.empty() || line.empty() ? text + line : text + "\n" + line;
}

}  // namespace vitrine::cli
