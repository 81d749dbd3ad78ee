// Events as sentences: all have one, they are true English, and every text passes the hook for translation.
#include <QDirIterator>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <limits>
#include <map>
#include <set>

#include "vitrine/prose/breakpoint_words.h"
#include "vitrine/prose/event_prose.h"
#include "vitrine/prose/excerpts.h"
#include "vitrine/prose/headline.h"
#include "vitrine/prose/preemption_cost.h"
#include "vitrine/prose/why.h"
#include "vitrine/prose/words.h"

using namespace vitrine;
using prose::describe;
using prose::explainStep;

namespace {

// One event of each kind, all its numbers 0.
template <std::size_t... I>
std::vector<Event> emptyEvents(std::index_sequence<I...>) {
  std::vector<Event> events(sizeof...(I));
  ((events[I].body = EventBody(std::in_place_index<I>)), ...);
  return events;
}
std::vector<Event> emptyEvents() {
  return emptyEvents(std::make_index_sequence<std::variant_size_v<EventVariant>>());
}

Event eventOf(EventBody body, Phase phase = Phase::kAdmit) {
  Event event;
  event.phase = phase;
  event.body = std::move(body);
  return event;
}

// As the window names them: A, B, ...
prose::Names letters() {
  const auto letter = [](std::int32_t id) { return std::string(1, static_cast<char>('A' + id - 1)); };
  return {letter, letter};
}

class Marking : public prose::Language {
 public:
  std::string translate(const char* text, int) const override { return "⟦" + std::string(text) + "⟧"; }
};

// Says what it is for first, and writes numbers as in Germany.
class Backwards : public prose::Language {
 public:
  std::string translate(const char* text, int count) const override {
    if (text == std::string("%1 forks from %2 and shares its %3.")) return "%3: %2 -> %1";
    if (text == std::string("%n block(s)")) return count == 1 ? "%n Block" : "%n Blöcke";
    return text;
  }
  std::string number(std::int64_t value) const override { return "#" + std::to_string(value); }
  std::string decimal(double value, int digits) const override {
    return QString::fromStdString(Language::decimal(value, digits)).replace('.', ',').toStdString();
  }
};

// What stands outside of the marks.
QString unmarked(const std::string& text) {
  QString rest = QString::fromStdString(text);
  static const QRegularExpression innermost(QStringLiteral("⟦[^⟦⟧]*⟧"));
  for (QString before; before != rest;) {
    before = rest;
    rest.remove(innermost);
  }
  return rest;
}

struct Said {
  Event event;
  const char* title;
  const char* sentence;
};

RequestSubmitted submitted() {
  RequestSubmitted e{};
  e.request = e.firstSequence = 1;
  e.asked.name = "letter";
  e.asked.tokenIds.assign(12, 5);
  e.asked.maxTokens = 8;
  e.asked.sequences = 2;
  e.asked.bestOf = 4;
  e.asked.priority = 3;
  e.asked.deadlineMs = 2;
  return e;
}

SequencePreempted preempted(PreemptReason reason, Preemption how, PreemptionCause cause) {
  SequencePreempted e{2, 1, 1, 0, 2, 8};
  e.reason = reason;
  e.how = how;
  e.cause = cause;
  e.swapBlocks = 2;
  e.swapRoom = 1;
  e.neededSlots = 1;
  return e;
}

std::vector<Said> requestSentences() {
  RequestFinished late{1, FinishReason::kLength, 12, 1, 0, 1, 0, 1'500'000, 2'400'000};
  late.deadlineMs = 2;
  late.lateNs = 400'000;
  late.missedDeadline = true;
  return {
      {eventOf(submitted()), "Request submitted",
       "A (letter) arrives: 12 prompt tokens, at most 8 new, 2 answers, best of 4, priority 3, "
       "deadline 2.0 ms."},
      {eventOf(RequestRejected{"big", "context_too_long", "the prompt has 99 tokens", "shorten it"}),
       "Request rejected", "“big” is rejected: the prompt has 99 tokens. Hint: shorten it."},
      {eventOf(RequestRejected{"", "context_too_long", "the prompt has 99 tokens", ""}), "Request rejected",
       "A request is rejected: the prompt has 99 tokens."},
      {eventOf(RequestCancelled{1}), "Request cancelled", "A is cancelled."},
      {eventOf(RequestForgotten{1}), "Request forgotten",
       "The engine frees all that it kept of A, which has finished."},
      {eventOf(late), "Request finished",
       "A finishes after 2.4 ms: 1 generated token, the first after 1.5 ms, preempted 1 time. It missed its "
       "deadline of 2.0 ms by 400 µs."},
  };
}

std::vector<Said> waitingSentences() {
  using enum WaitReason;
  const auto waits = [](WaitReason reason, int needed, int available) {
    return eventOf(SequenceWaiting{2, reason, needed, available});
  };
  const char* const title = "Sequence waits";
  return {
      {waits(kBlocks, 3, 2), title, "B waits: needs 3 blocks, free 2 at Admit."},
      {waits(kBlocks, 1, 0), title, "B waits: needs 1 block, free 0 at Admit."},
      {waits(kSequences, 1, 0), title, "B waits: needs 1 slot, free 0 at Admit."},
      {waits(kSequences, 4, 2), title, "B waits: needs 4 slots, free 2 at Admit."},
      {waits(kTokenBudget, 30, 4), title, "B waits: needs 30 tokens, 4 left in this step's budget."},
      {waits(kPreemption, 2, 1), title,
       "B waits: a step that preempts admits no sequence (running sequences need 2 blocks, free 1 at "
       "Admit)."},
      {waits(kBehind, 0, 0), title,
       "B waits: a request in front of it cannot be admitted (head-of-line blocking)."},
      {waits(kBatch, 3, 0), title, "B waits: the batch is closed; 3 running sequences must end first."},
      {waits(kBatch, 0, 0), title, "B waits: the batch is closed until its preempted sequences have ended."},
      {waits(kBeams, 16, 8), title, "B waits: the first beam has computed 8 of 16 shared tokens."},
      {waits(kWindow, 50, 10), title, "B waits: 10 of 50 ms of the batching window have passed."},
  };
}

SequenceAdmitted admitted(Policy policy, std::int64_t claim) {
  SequenceAdmitted e{1, 16, 20, false};
  e.neededSlots = 1, e.freeSlots = 3;
  e.neededBlocks = 2, e.freeBlocks = 9;
  e.neededTokens = 1, e.freeTokens = 64;
  e.waiting = 3;
  e.standing = {policy, 4, claim};
  return e;
}

// Why this one: the rule of the policy, with its numbers.
std::vector<Said> reasonSentences() {
  const auto first = [](Policy policy, std::int64_t claim, const char* sentence) {
    return Said{eventOf(admitted(policy, claim)), "Sequence admitted", sentence};
  };
#define NEEDS                                                              \
  "A is admitted with 20 tokens, 16 from the prefix cache, 4 to compute. " \
  "It needs 1 slot (free 3), 2 blocks (free 9) and at least 1 token of the step's budget (64 left). "
  SequencePreempted memory = preempted(PreemptReason::kMemory, Preemption::kSwap, PreemptionCause::kRoom);
  memory.running = 3;
  memory.standing = {Policy::kFcfs, 4, 2};
  SequencePreempted importance = memory;
  importance.reason = PreemptReason::kImportance;
  importance.standing = {Policy::kPriority, 0, 0};
  importance.forStanding = {Policy::kPriority, 4, 3};
  SequencePreempted alone = importance;
  alone.running = 1;
  alone.standing = {Policy::kShortest, 0, 45};
  alone.forStanding = {Policy::kShortest, 3, 20};
  SequenceAdmitted whole = admitted(Policy::kFcfs, 1);
  whole.waiting = 1;
  whole.neededTokens = 95, whole.freeTokens = 32;
  SequenceAdmitted window = admitted(Policy::kFcfs, 0);
  window.waiting = 1;
  window.windowLeftMs = 1994;
  return {
      first(Policy::kFcfs, 2,
            NEEDS
            "It is the first of 3 waiting sequences (policy fcfs: request number 2, arrived after step 4)."),
      first(Policy::kPriority, -2,
            NEEDS
            "It is the first of 3 waiting sequences (policy priority: priority -2, arrived after step 4)."),
      first(
          Policy::kDeadline, 2'500'000,
          NEEDS
          "It is the first of 3 waiting sequences (policy deadline: due 2.5 ms after the start of the run)."),
      first(Policy::kDeadline, std::numeric_limits<std::int64_t>::max(),
            NEEDS "It is the first of 3 waiting sequences (policy deadline: no deadline)."),
      first(Policy::kShortest, 12,
            NEEDS "It is the first of 3 waiting sequences (policy shortest: 12 prompt and maximum tokens, "
                  "arrived after step 4)."),
      {eventOf(window), "Sequence admitted", NEEDS "The batch is full 1994 ms before its window ends."},
      {eventOf(memory), "Sequence preempted",
       "B is preempted: A needs 1 block, free 0 at Plan. B ranks last of 3 running sequences (policy fcfs: "
       "request "
       "number 2, arrived after step 4). This swaps out and frees 2 blocks."},
      {eventOf(importance), "Sequence preempted",
       "B is preempted: A needs 1 block (free 0) and 1 slot (free 0) at Admit. B ranks last of 3 running "
       "sequences "
       "(policy priority: priority 0, arrived before the first step). A ranks before it (priority 3, arrived "
       "after step 4). This swaps out and frees 2 blocks."},
      {eventOf(alone), "Sequence preempted",
       "B is preempted: A needs 1 block (free 0) and 1 slot (free 0) at Admit. B is the only running "
       "sequence (policy "
       "shortest: 45 prompt and maximum tokens, arrived before the first step). A ranks before it (20 prompt "
       "and maximum tokens, arrived after step 3). This swaps out and frees 2 blocks."},
      {eventOf(whole), "Sequence admitted",
       "A is admitted with 20 tokens, 16 from the prefix cache, 4 to compute. It needs 1 slot (free 3), 2 "
       "blocks (free 9) and 95 tokens. They exceed the budget of 32, so it gets a step of its own."},
  };
#undef NEEDS
}

// What had been told wrongly: a prompt's tokens and generated ones, one thing as many, what has no name.
std::vector<Said> mendedSentences() {
  SequenceAdmitted resumed{2, 0, 16, true};
  resumed.writtenTokens = 12;
  SequenceScheduled chunk{1, WorkKind::kPrefill, 0, 16, 20};
  chunk.writtenTokens = 12;
  SequenceScheduled behind{1, WorkKind::kPrefill, 16, 4, 20};
  behind.writtenTokens = 4;
  TokenSampled end{1, 2, 12, -1, 0, ""};
  end.piece = "</s>";
  return {
      {eventOf(resumed), "Sequence resumed",
       "B resumes with 16 tokens (4 of the prompt, 12 generated), 16 to compute."},
      {eventOf(chunk), "Prefill scheduled",
       "A prefills 16 tokens, positions 0 to 15 (4 of the prompt, 12 generated before); 4 tokens left for "
       "later steps."},
      {eventOf(behind), "Prefill scheduled",
       "A prefills 4 tokens, positions 16 to 19 (all generated before), and then can sample its next token."},
      {eventOf(SequenceScheduled{1, WorkKind::kPrefill, 4, 1, 5}), "Prefill scheduled",
       "A prefills 1 token, position 4, and then can sample its next token."},
      {eventOf(SequenceWaiting{3, WaitReason::kBehind, 0, 0, 2}), "Sequence waits",
       "C waits behind B, which cannot be admitted (head-of-line blocking)."},
      {eventOf(StepPlanned{0, 95, 32, 1}), "Step planned",
       "Plan for 1 sequence: 95 tokens of prefill + 0 of decode = 95, more than the budget of 32. Without "
       "chunked "
       "prefill a sequence is prefilled at once, here in a step of its own."},
      {eventOf(StepPlanned{0, 0, 32, 0}), "Step planned", "Plan: there is nothing to compute in this step."},
      {eventOf(end), "Token sampled", "A samples “</s>” (token 2) at position 12 with probability 100.0 %."},
      {eventOf(TokenSampled{1, 200, 12, -1, 0, ""}), "Token sampled",
       "A samples token 200 at position 12 with probability 100.0 %."},
      {eventOf(ContextEvicted{5, 1, 1, 16, 1, 0, 0}), "Context evicted",
       "The context of A is full, so A evicts block 5 with position 16. It is the first block behind the "
       "attention "
       "sinks."},
      {eventOf(PrefixMissed{2, MissCause::kEvicted, 1, 1, 1, -1, -1, -1, 41}), "Prefix missed",
       "B begins with 1 cached token; the block of A that came next was evicted in step 41. So B computes 1 "
       "of its 2 tokens."},
  };
}

std::vector<Said> schedulingSentences() {
  using enum PreemptionCause;
  const auto memory = PreemptReason::kMemory;
  SequencePreempted itself = preempted(memory, Preemption::kRecompute, kOption);
  itself.forSequence = itself.sequence;
  SequenceAdmitted swapped{2, 0, 8, true, 7}, joined{2, 4, 9, true, 0, 5};
  SequenceAdmitted several = admitted(Policy::kFcfs, 1);
  several.waiting = 1;
  several.neededSlots = 4, several.neededTokens = 4;
  SequencePreempted nothing = preempted(memory, Preemption::kRecompute, kNothing);
  nothing.freedBlocks = nothing.lostTokens = nothing.swapBlocks = 0;
  SequencePreempted shared = preempted(memory, Preemption::kSwap, kRoom);
  shared.freedBlocks = 1;
  SequencePreempted beam = preempted(PreemptReason::kImportance, Preemption::kRecompute, kBeams);
  beam.freeBlocks = 3, beam.freeSlots = 2;
  return {
      {eventOf(SequenceAged{1, 64, 0}), "Sequence aged",
       "A has been in the engine for 64 steps, so it counts as due from now on (aging)."},
      {eventOf(SequenceAdmitted{1, 16, 20, false}), "Sequence admitted",
       "A is admitted with 20 tokens, 16 from the prefix cache, 4 to compute."},
      {eventOf(swapped), "Sequence resumed", "B resumes with 8 tokens, 7 to swap in, 1 to compute."},
      {eventOf(joined), "Sequence resumed",
       "B resumes with 9 tokens (4 of the prompt, 5 generated), 4 in shared or cached blocks, 5 to compute."},
      {eventOf(several), "Sequence admitted",
       "A is admitted with 20 tokens, 16 from the prefix cache, 4 to compute. It needs 4 slots, one a "
       "sequence (free 3), 2 blocks (free 9) and 4 tokens of the step's budget (64 left)."},
      {eventOf(SequenceScheduled{1, WorkKind::kPrefill, 0, 16, 30}), "Prefill scheduled",
       "A prefills 16 tokens, positions 0 to 15; 14 tokens left for later steps."},
      {eventOf(SequenceScheduled{1, WorkKind::kPrefill, 16, 14, 30}), "Prefill scheduled",
       "A prefills 14 tokens, positions 16 to 29, and then can sample its next token."},
      {eventOf(SequenceScheduled{1, WorkKind::kDecode, 30, 1, 31}), "Decode scheduled",
       "A decodes position 30."},
      {eventOf(SequenceScheduled{1, WorkKind::kDecode, 30, 2, 31, 1}), "Decode scheduled",
       "A decodes position 30 and verifies 1 draft token."},
      {eventOf(preempted(memory, Preemption::kRecompute, kOption)), "Sequence preempted",
       "B is preempted: A needs 1 block, free 0 at Plan. This frees 2 blocks and drops 8 computed tokens."},
      {eventOf(itself), "Sequence preempted",
       "B is preempted: it needs 1 block, free 0 at Plan. This frees 2 blocks and drops 8 computed tokens."},
      {eventOf(preempted(memory, Preemption::kSwap, kRoom)), "Sequence preempted",
       "B is preempted: A needs 1 block, free 0 at Plan. This swaps out and frees 2 blocks."},
      {eventOf(preempted(memory, Preemption::kRecompute, kNoRoom)), "Sequence preempted",
       "B is preempted: A needs 1 block, free 0 at Plan. This frees 2 blocks and drops 8 computed tokens. "
       "Swapping "
       "it "
       "out needs room for 2 blocks (free 1)."},
      {eventOf(preempted(memory, Preemption::kRecompute, kFailed)), "Sequence preempted",
       "B is preempted: A needs 1 block, free 0 at Plan. This frees 2 blocks and drops 8 computed tokens. "
       "Swapping "
       "it "
       "out has failed."},
      {eventOf(nothing), "Sequence preempted",
       "B is preempted: A needs 1 block, free 0 at Plan. This frees 0 blocks. It holds no block to swap "
       "out."},
      {eventOf(shared), "Sequence preempted",
       "B is preempted: A needs 1 block, free 0 at Plan. This swaps out 2 blocks and frees 1 of them; other "
       "sequences "
       "hold the rest."},
      {eventOf(beam), "Sequence preempted",
       "B is preempted with the other beams of its search, for A. This frees 2 blocks and drops 8 computed "
       "tokens. Beams share blocks and are not swapped."},
      {eventOf(preempted(memory, Preemption::kRecompute, kBeams)), "Sequence preempted",
       "B is preempted: A needs 1 block, free 0 at Plan. This frees 2 blocks and drops 8 computed tokens. "
       "Beams "
       "share "
       "blocks and are not swapped."},
      {eventOf(preempted(PreemptReason::kImportance, Preemption::kRecompute, kOption)), "Sequence preempted",
       "B is preempted: A needs 1 block (free 0) and 1 slot (free 0) at Admit. This frees 2 blocks and drops "
       "8 "
       "computed tokens."},
      {eventOf(KvForgotten{1, 1}), "KV discarded",
       "Without a KV cache A discards what it has computed, 1 token; the next step computes it again."},
      {eventOf(SequenceForked{1, 2, 1, 1, 1}), "Sequence forked", "B forks from A and shares its 1 block."},
      {eventOf(SequenceFinished{1, FinishReason::kStop, 3}), "Sequence finished",
       "A finishes after 3 tokens: an end token or a stop string ends it."},
      {eventOf(SequenceFinished{1, FinishReason::kLength, 1}), "Sequence finished",
       "A finishes after 1 token, the most that it may generate."},
      {eventOf(SequenceFinished{1, FinishReason::kCancelled, 0}), "Sequence finished",
       "A ends after 0 tokens: its request is cancelled."},
      {eventOf(SequenceFinished{1, FinishReason::kFailed, 2}), "Sequence finished",
       "A ends after 2 tokens: its request has failed."},
      {eventOf(SequenceFinished{1, FinishReason::kPruned, 2}), "Sequence finished",
       "A ends after 2 tokens: it is not among the answers of its search."},
  };
}

std::vector<Said> blockSentences() {
  return {
      {eventOf(BlockAllocated{5, 1, 0}), "Block allocated", "A allocates 1 block: 5."},
      {eventOf(BlockShared{5, 1, 0, 2}), "Block shared", "A shares block 5 (2 references)."},
      {eventOf(BlockHit{5, 1, 0, 1, 0x0123456789abcdefu}), "Prefix cache hit",
       "A finds 1 block in the prefix index: 5 (1 reference, hash 01234567)."},
      {eventOf(BlockCopied{5, 7, 1, 0}), "Block copied on write",
       "A writes into shared block 5, so it is copied to block 7 (copy-on-write)."},
      {eventOf(BlockCached{5, 0x0123456789abcdefu, 0}), "Block cached",
       "Block 5 is full and enters the prefix index (hash 01234567)."},
      {eventOf(BlockEvicted{5, 0x0123456789abcdefu}), "Block evicted",
       "Block 5 leaves the prefix index (hash 01234567)."},
      {eventOf(ContextEvicted{5, 1, 1, 16, 16, 0.25, 0}), "Context evicted",
       "The context of A is full, so A evicts block 5 with positions 16 to 31. Its tokens received the "
       "least attention (0.250)."},
      {eventOf(PrefixMissed{2, MissCause::kDiffers, 1, 16, 38, 17, 12, 7, -1}), "Prefix missed",
       "After 17 equal tokens B has token 12 where A has token 7. Only whole blocks are reused, so it "
       "computes 38 of its 54 tokens."},
      {eventOf(PrefixMissed{2, MissCause::kDiffers, 1, 0, 95, 1, 12, 7, -1}), "Prefix missed",
       "After 1 equal token B has token 12 where A has token 7. Only whole blocks are reused, so it computes "
       "all 95 tokens."},
      {eventOf(PrefixMissed{2, MissCause::kEvicted, 1, 16, 38, -1, -1, -1, 41}), "Prefix missed",
       "B begins with 16 cached tokens; the block of A that came next was evicted in step 41. So B computes "
       "38 of its 54 tokens."},
      {eventOf(PrefixMissed{2, MissCause::kEvicted, 1, 0, 5, -1, -1, -1, 41}), "Prefix missed",
       "The block of A that B begins with was evicted in step 41. So B computes all 5 tokens."},
      {eventOf(Boxed<OptionsChanged>(
           OptionsChanged{{.tokenBudget = 32, .policy = Policy::kShortest, .agingSteps = 0}, 0, 0, {}})),
       "Options changed",
       "From the next step on a step computes at most 32 tokens. The shortest request goes first."},
      {eventOf(BlockFreed{5, 1, 0}), "Block freed", "A frees 1 block: 5."},
      {eventOf(BlockFreed{5, 1, 2}), "Block released",
       "A releases 1 block that other sequences hold: 5 (2 references left)."},
      {eventOf(BlockSwappedOut{5, 1, 0, SwapTier::kHost, 3, 65536}), "Block swapped out",
       "A swaps out block 5 (64.0 KiB) to memory slot 3."},
      {eventOf(BlockSwappedIn{5, 1, 0, SwapTier::kDisk, 3, 512}), "Block swapped in",
       "A swaps in block 5 (512 bytes) from file slot 3."},
      {eventOf(BlockDemoted{1, 2, 3, 4, 512}), "Swapped block moved to the file",
       "A swapped block of A, the one with index 2, moves from memory slot 3 to file slot 4."},
      {eventOf(SwapFailed{1, SwapMove::kIn, SwapTier::kDisk, 0, 7, "io", "its checksum differs", ""}),
       "Swapping failed",
       "Swapping in A failed: its checksum differs. 7 tokens must be computed again. It leaves the plan of "
       "this "
       "step."},
      {eventOf(StepSwapped{2, 1, 0, 1024, 512, 0, 1'200'000, 1, 1}), "Step swapped",
       "Swapping took the engine 1.2 ms: 2 blocks out (1.0 KiB), 1 on to the file (512 bytes), 0 in (0 "
       "bytes)."},
  };
}

std::vector<Said> stepSentences() {
  using enum DraftVerdict;
  return {
      {eventOf(StepStarted{1, 2}), "Step started", "1 sequence waiting, 2 running."},
      {eventOf(StepPlanned{2, 23, 64, 3}), "Step planned",
       "Plan for 3 sequences: 23 tokens of prefill + 2 of decode = 25 of the budget of 64."},
      {eventOf(PhaseStarted{Phase::kForward}), "Phase started", "The phase Forward begins."},
      {eventOf(StepFinished{{0, 0, 0, 1'000'000, 0, 200'000}, 25, 3, 1, 2, 9, 4}), "Step finished",
       "The step took 1.2 ms: 25 tokens computed, 3 sampled; 9 blocks free now, 4 of them still in the "
       "prefix "
       "index."},
      {eventOf(TokenSampled{1, 42, 12, -1, -0.5, " the\n"}), "Token sampled",
       "A samples “␣the↵” (token 42) at position 12 with probability 60.7 %."},
      {eventOf(LayerTap{1, 3, 2, 1.5f}), "Layer norm",
       "The hidden state of A at position 3 has the norm 1.500 after layer 2."},
      {eventOf(ForwardMeasured{1'800'000,
                               {{Operation::kQkv, 2, 250'000, 0, 0},
                                {Operation::kGateUp, 2, 690'000, 0, 0},
                                {Operation::kDown, 2, 350'000, 0, 0},
                                {Operation::kOther, 1, 510'000, 0, 0}}}),
       "Forward measured", "The forward took 1.8 ms: gate-up 690 µs, other 510 µs, down 350 µs."},
      {eventOf(ForwardMeasured{850'000, {}}), "Forward measured", "The forward took 850 µs."},
      {eventOf(BatchPadded{5, 8}), "Batch padded",
       "8 rows with 3 rows of padding: the GPU knows steps of some sizes only."},
      {eventOf(BatchPadded{7, 8}), "Batch padded",
       "8 rows with 1 row of padding: the GPU knows steps of some sizes only."},
      {eventOf(ForwardAhead{5, 0}), "Forward begun early",
       "The GPU computed 5 rows of this forward pass early, in the step before."},
      {eventOf(ForwardAhead{5, 1}), "Forward begun early",
       "The GPU computed 5 rows of this forward pass early, 1 of them in vain, for sequences that have "
       "ended."},
      {eventOf(ForwardAhead{1, 1}), "Forward begun early",
       "The GPU computed 1 row in vain: it had begun another step than this one."},
      {eventOf(LaunchesMeasured{LaunchWay::kGraph,
                                5,
                                8,
                                28,
                                {{LaunchWay::kEager, 168, 1'420'000, {}},
                                 {LaunchWay::kGraph, 1, 610'000, {}},
                                 {LaunchWay::kPersistent, 2, 430'000, {}}}}),
       "Launches measured",
       "The time of all layers: kernels one by one 1.4 ms, one graph 610 µs, one kernel 430 µs."},
      {eventOf(RoofMeasured{
           {"Big GPU", 0, 250'000, {{1 << 20, 6000}, {1 << 30, 3000}}, 0, 0, RoofPeak::kBf16Products}}),
       "Limits measured", "Big GPU computes at most 250000 GFLOP/s and moves 3000 GB/s."},
      {eventOf(RoofMeasured{{"AVX-512", 2, 90, {{1 << 30, 10}}}}), "Limits measured",
       "AVX-512, 2 threads computes at most 90 GFLOP/s and moves 10.0 GB/s."},
      {eventOf(RoofMeasured{{"AVX2",
                             1,
                             90,
                             {{1 << 30, 10}},
                             0,
                             0,
                             RoofPeak::kF32InRegisters,
                             {{RoofPeak::kInt8InRegisters, 200, "AVX2"}}}}),
       "Limits measured", "AVX2, 1 thread computes at most 90 GFLOP/s and moves 10.0 GB/s."},
      {eventOf(DraftProposed{1, DraftMethod::kNgram, 4, {5, 6}}), "Draft proposed",
       "The drafter proposes 2 tokens for A, from position 4 on."},
      {eventOf(DraftProposed{1, DraftMethod::kNgram, 4, {5, 6}, {" the", "n"}}), "Draft proposed",
       "The drafter proposes 2 tokens for A, from position 4 on: “␣the” “n”."},
      {eventOf(DraftSkipped{1, NoDraftReason::kBeams}), "No draft",
       "A drafts nothing: the beams of a search go on without drafts."},
      {eventOf(DraftSkipped{1, NoDraftReason::kAnswerEnd, 2, 1}), "No draft",
       "A drafts nothing: a draft needs 2 tokens of the answer, which may have 1 more."},
      {eventOf(DraftSkipped{1, NoDraftReason::kContextEnd, 2, 1}), "No draft",
       "A drafts nothing: a draft needs 2 tokens of the context, which has room for 1 more."},
      {eventOf(DraftSkipped{1, NoDraftReason::kComparison, 64}), "No draft",
       "A drafts nothing: one step in 64 has no draft, to compare the others with it."},
      {eventOf(DraftSkipped{1, NoDraftReason::kCost}), "No draft",
       "A drafts nothing: by the measured costs and acceptance no draft saves time."},
      {eventOf(DraftSkipped{1, NoDraftReason::kNoMatch}), "No draft",
       "A drafts nothing: its last token stands nowhere before in its text."},
      {eventOf(DraftSkipped{1, NoDraftReason::kDraftContext, 40, 32}), "No draft",
       "A drafts nothing: it has 40 tokens, and the draft model's context 32."},
      {eventOf(DraftSkipped{1, NoDraftReason::kDraftBlocks, 3, 2}), "No draft",
       "A drafts nothing: it needs 3 blocks of the draft model's KV cache, free 2 at Plan."},
      {eventOf(DraftSkipped{1, NoDraftReason::kBlocks, 1, 0}), "No draft",
       "A drafts nothing: it needs 1 block, free 0 at Plan."},
      {eventOf(DraftSkipped{1, NoDraftReason::kTokenBudget, 1, 0}), "No draft",
       "A drafts nothing: it needs 1 token, 0 left in this step's budget."},
      {eventOf(DraftVerified{1, 4, 1, {{5, kSame, 0, 0, 0}, {6, kDiffers, 0, 0, 0}}}), "Draft verified",
       "A accepts 1 of 2 draft tokens. The model chooses another token than 6."},
      {eventOf(DraftVerified{1, 4, 1, {{5, kSame, 0, 0, 0, 5}, {6, kDiffers, 0, 0, 0, 9}}}), "Draft verified",
       "A accepts 1 of 2 draft tokens. The model chooses token 9 where the draft has token 6."},
      {eventOf(DraftVerified{1, 4, 0, {{6, kDiffers, 0.125, 0.5, 0.75, 9}, {7, kUndecided}}}),
       "Draft verified",
       "A accepts 0 of 2 draft tokens. With 0.750 drawn the model has token 9, the draft token 6 "
       "(12.5 % by the model, 50.0 % by the drafter)."},
      {eventOf(DraftVerified{1, 4, 1, {{5, kSame, 0, 0, 0, 5}, {6, kUndecided}, {7, kUndecided}}}),
       "Draft verified", "A accepts 1 of 3 draft tokens. The answer ends before the other 2 draft tokens."},
      {eventOf(DraftVerified{1, 4, 0, {{5, kBeyond, 0.125, 0.5, 0.75}}}), "Draft verified",
       "A accepts 0 of 1 draft token. Token 5 is rejected. The drawn number 0.750 is not below p / q (12.5 % "
       "by "
       "the model, 50.0 % by the drafter)."},
      {eventOf(DraftVerified{1, 4, 0, {{5, kBeyond, 0.125, 0.5, 0.75, 9}}}), "Draft verified",
       "A accepts 0 of 1 draft token. Token 9 replaces token 5. The drawn number 0.750 is not below p / q "
       "(12.5 % "
       "by the model, 50.0 % by the drafter)."},
      {eventOf(DraftRolledBack{1, 4, 2, 1}), "Draft rolled back",
       "A discards the KV of 2 draft tokens that its answer does not keep, and frees 1 block."},
      {eventOf(DraftRolledBack{1, 4, 1, 0}), "Draft rolled back",
       "A discards the KV of 1 draft token that its answer does not keep."},
      {eventOf(StepSpeculated{1, 1, 3, 1, 2, 0, 1'000'000, 3'000'000}), "Step speculated",
       "Drafting took 1.0 ms and verifying 3.0 ms: 1 of 3 draft tokens accepted, 2 tokens for 1 sequence in "
       "all."},
      {eventOf(StepSpeculated{1, 0, 0, 0, 1, 0, 0, 3'000'000}), "Step speculated",
       "This step drafts no token: its forward pass took 3.0 ms, to compare others with."},
      {eventOf(SequenceReplaced{2, 1, 3}), "Beam replaced",
       "No continuation of B is kept, so B takes over the tokens of A and shares its 3 blocks."},
      {eventOf(BeamChosen{1, 2, {5}, "five", -1.5}), "Beam answer",
       "A gives hypothesis 2 as its answer, with score -1.5000."},
      {eventOf(AnswersRanked{1, {{2, -1.5, true}, {1, -2, false}}}), "Answers ranked",
       "A ranks its answers by score: B -1.5000 (chosen), A -2.0000."},
  };
}

std::vector<Said> allSentences() {
  std::vector<Said> all;
  for (const auto& some : {requestSentences(), waitingSentences(), schedulingSentences(), reasonSentences(),
                           mendedSentences(), blockSentences(), stepSentences()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

// Two sequences in one step: B is admitted, A decodes, both allocate and sample.
std::vector<Event> stepEvents() {
  std::vector<Event> events = {
      eventOf(RequestCancelled{3}),
      eventOf(StepStarted{1, 1}),
      eventOf(SequenceAdmitted{2, 0, 20, false}),
      eventOf(PrefixMissed{2, MissCause::kDiffers, 1, 0, 20, 5, 12, 7, -1}),
      eventOf(SequenceWaiting{4, WaitReason::kBehind, 0, 0}),
      eventOf(SequenceScheduled{1, WorkKind::kDecode, 16, 1, 17}, Phase::kPlan),
      eventOf(SequenceScheduled{2, WorkKind::kPrefill, 0, 20, 20}, Phase::kPlan),
      eventOf(StepPlanned{1, 20, 64, 2}, Phase::kPlan),
      eventOf(BlockAllocated{4, 1, 1}, Phase::kAllocate),
      eventOf(BlockAllocated{5, 2, 0}, Phase::kAllocate),
      eventOf(BlockAllocated{6, 2, 1}, Phase::kAllocate),
      eventOf(TokenSampled{1, 7, 17, -1, 0, "a"}, Phase::kSample),
      eventOf(BlockCached{5, 1, 0}, Phase::kCommit),
      eventOf(SequenceFinished{1, FinishReason::kLength, 2}, Phase::kCommit),
      eventOf(BlockFreed{3, 1, 0}, Phase::kCommit),
      eventOf(BlockFreed{4, 1, 1}, Phase::kCommit),
      eventOf(StepFinished{{0, 0, 0, 2'000'000, 0, 0}, 21, 1, 1, 1, 7, 1}, Phase::kCommit),
      eventOf(RequestRejected{"big", "", "too long", ""}),
  };
  TokenCandidates candidates{1, 17, 7, {{"logits", 3, {}}}, {}};
  events.insert(events.begin() + 12, eventOf(candidates, Phase::kSample));
  return events;
}

MachineState stateAfter() {
  MachineState after;
  after.blockSize = 16;
  after.freeQueue = BlockQueue(7);
  for (BlockId block = 0; block < 7; ++block) after.freeQueue.pushBack(block);
  return after;
}

}  // namespace

class TestProse : public QObject {
  Q_OBJECT

 private slots:
  void everyEventHasATitleAndASentence() {
    static const QRegularExpression unfilled(QStringLiteral("%[n1-9]|\\(s\\)"));
    for (const Event& event : emptyEvents()) {
      const prose::EventProse said = describe(event);
      const QByteArray index = QByteArray::number(event.body.index());
      QVERIFY2(!said.title.empty() && !said.sentence.empty(), index);
      QVERIFY2(said.sentence.ends_with('.'), said.sentence.c_str());
      QVERIFY2(!QString::fromStdString(said.title + said.sentence).contains(unfilled), said.sentence.c_str());
    }
  }

  void theSentencesAreThese() {
    for (const Said& said : allSentences()) {
      const prose::EventProse prose = describe(said.event, letters());
      QCOMPARE(QString::fromStdString(prose.title), QString::fromUtf8(said.title));
      QCOMPARE(QString::fromStdString(prose.sentence), QString::fromUtf8(said.sentence));
    }
  }

  void theyAreShortAndPlain() {
    static const QRegularExpression dialect(
        QStringLiteral("\\b(who|whoever|someone|somebody|nobody|told|tell|gives? way|sister|lets? go)\\b"));
    for (const Said& said : allSentences())
      for (const QString& sentence : QString::fromUtf8(said.sentence).split(QStringLiteral(". "))) {
        QVERIFY2(sentence.size() <= 110, qPrintable(sentence));
        QVERIFY2(!sentence.contains(dialect), qPrintable(sentence));
      }
  }

  void everyTextPassesTheHook() {
    static const QRegularExpression punctuation(QStringLiteral("^[ .,]*$"));
    const Marking marking;
    for (const Event& event : emptyEvents()) {
      const prose::EventProse said = describe(event, {}, marking);
      QVERIFY2(unmarked(said.title).isEmpty(), said.title.c_str());
      QVERIFY2(said.sentence.starts_with("⟦"), said.sentence.c_str());
    }
    for (const Said& said : allSentences()) {
      const std::string text = describe(said.event, letters(), marking).sentence;
      QVERIFY2(unmarked(text).contains(punctuation), text.c_str());
    }
    static const QRegularExpression code(QStringLiteral("^[a-z0-9 _>-]*$"));  // the stages and their numbers
    for (const prose::WhyRow& row : explainStep(stepEvents(), stateAfter(), letters(), marking)) {
      QVERIFY2(unmarked(row.text).contains(punctuation), row.text.c_str());
      for (const prose::Rule& rule : row.rules)
        QVERIFY2(unmarked(rule.text).contains(rule.decision == prose::Decision::kStages ? code : punctuation),
                 rule.text.c_str());
    }
    for (int phase = 0; phase < kPhaseCount; ++phase)
      QVERIFY(unmarked(prose::phaseName(static_cast<Phase>(phase), marking)).isEmpty());
    for (int operation = 0; operation < kOperationCount; ++operation)
      QVERIFY(unmarked(prose::operationName(static_cast<Operation>(operation), marking)).isEmpty());
  }

#ifdef VITRINE_LUPDATE
  // A translator sees what lupdate finds, so it must find each tr("...") of the room, in the hook's context.
  void lupdateFindsEveryText() {
    const QString room = QStringLiteral(VITRINE_SOURCE_DIR "/engine/prose");
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("prose.ts"));
    QProcess lupdate;
    lupdate.start(QStringLiteral(VITRINE_LUPDATE),
                  {"-silent", "-locations", "none", "-I", VITRINE_SOURCE_DIR "/engine", "-tr-function-alias",
                   "Q_DECLARE_TR_FUNCTIONS+=VITRINE_PROSE_CONTEXT", room, "-ts", file});
    QVERIFY(lupdate.waitForFinished() && lupdate.exitCode() == 0);
    QFile ts(file);
    QVERIFY(ts.open(QIODevice::ReadOnly));
    std::set<QString> found;
    for (QXmlStreamReader xml(&ts); !xml.atEnd();) {
      xml.readNextStartElement();
      if (xml.name() == u"name") QCOMPARE(xml.readElementText(), QString::fromUtf8(prose::kContext));
      if (xml.name() == u"source") found.insert(xml.readElementText());
    }
    static const QRegularExpression seam(QStringLiteral("\"\\s*\n\\s*\"")),
        text(QStringLiteral("\\btr\\(\\s*\"([^\"\\n]*)\""));
    int seen = 0;
    for (QDirIterator walk(room, {"*.cpp", "*_sentences.h", "*_words.h", "*_reasons.h", "*_rules.h"});
         walk.hasNext();) {
      QFile source(walk.next());
      QVERIFY(source.open(QIODevice::ReadOnly));
      const QString code = QString::fromUtf8(source.readAll()).remove(seam);
      for (auto match = text.globalMatch(code); match.hasNext(); ++seen) {
        const QString literal = match.next().captured(1);
        QVERIFY2(found.contains(literal), qPrintable(literal));
      }
    }
    QVERIFY(seen > 150);
  }
#endif

  void whyARunStopped() {
    const auto said = [](const char* text, prose::Names names = letters()) {
      BreakHit hit{0, 46, Phase::kPlan, 2, 1, 9, 12, 31, 4.126};
      return prose::stopReason({breakpointFromText(text), hit}, names);
    };
    const std::map<const char*, const char*> sentences = {
        {"admission", "Stopped at step 46: B was admitted."},
        {"first_prefill", "Stopped at step 46: B computes the first chunk of its prompt."},
        {"block_full", "Stopped at step 46: B fills a block, up to position 31."},
        {"prefix_hit", "Stopped at step 46: B finds block 9 in the prefix index."},
        {"prefix_miss", "Stopped at step 46: a part of the prompt of B is computed again."},
        {"copy_on_write", "Stopped at step 46: B writes into shared block 9, which is copied."},
        {"preemption", "Stopped at step 46: B was preempted."},
        {"swap", "Stopped at step 46: blocks of B are swapped."},
        {"draft_rejected", "Stopped at step 46: the model rejected a draft token of B, at position 31."},
        {"finished", "Stopped at step 46: B has ended."},
        {"token= the", "Stopped at step 46: B sampled “␣the” at position 31."},
        {"token=#12", "Stopped at step 46: B sampled token 12 at position 31."},
        {"entropy=4", "Stopped at step 46: the distribution of B at position 31 has 4.13 bits."},
        {"request=#2", "Stopped at step 46: an event concerns B."},
        {"step=46", "Stopped at step 46: a breakpoint names this step."},
        {"event=block_freed", "Stopped at step 46: block freed (B)."}};
    QCOMPARE(int(sentences.size()), kBreakKindCount + 1);
    for (const auto& [text, sentence] : sentences) QCOMPARE(said(text), std::string(sentence));
    QCOMPARE(said("preemption", {}), std::string("Stopped at step 46: sequence 2 was preempted."));
    // A sequence that comes back after a preemption was admitted before.
    for (const auto& [text, sentence] : {std::pair("admission", "Stopped at step 46: B has resumed."),
                                         std::pair(R"(event=sequence_admitted{"resumed":true})",
                                                   "Stopped at step 46: sequence resumed (B).")}) {
      const BreakHit back{.step = 46, .sequence = 2, .request = 1, .resumed = true};
      QCOMPARE(prose::stopReason({breakpointFromText(text), back}, letters()), std::string(sentence));
    }
    Breakpoint once = breakpointFromText("step=46");
    once.once = true;  // a run to this step: no breakpoint of the list
    QCOMPARE(prose::stopReason({once, {.step = 46}}, letters()), std::string("Reached step 46."));
    BreakHit early;
    early.request = 2;
    QCOMPARE(prose::stopReason({breakpointFromText("request=#2"), early}, letters()),
             std::string("Stopped before the first step: an event concerns B."));
    const auto listed = [](const char* text) {
      return prose::breakpointText(breakpointFromText(text), letters());
    };
    QCOMPARE(listed("preemption@#2"), std::string("preemption of B"));
    QCOMPARE(listed("token=#12@Ada"), std::string("token 12 of Ada"));
    QCOMPARE(listed("entropy=3.5"), std::string("entropy above 3.5 bits"));
    QCOMPARE(listed("step=46"), std::string("step 46"));
    QCOMPARE(listed(R"(event=block_freed{"ref_count":0}@#2)"),
             std::string("block freed with ref count 0 of B"));
    const BreakHit ofNoSequence{0, 46};
    QCOMPARE(prose::stopReason({breakpointFromText("event=step_planned"), ofNoSequence}, letters()),
             std::string("Stopped at step 46: step planned."));
    for (int i = 0; i < kBreakKindCount; ++i) {
      const auto words = prose::wordsOf(static_cast<BreakKind>(i));
      QVERIFY(!words.title.empty() && words.help.ends_with("."));
      QVERIFY(unmarked(prose::wordsOf(static_cast<BreakKind>(i), Marking()).title).isEmpty());
    }
  }

  void translationsMayReorderTheirValues() {
    const Backwards backwards;
    const Event event = eventOf(SequenceForked{1, 2, 1, 1, 3});
    QCOMPARE(QString::fromStdString(describe(event, letters(), backwards).sentence),
             QStringLiteral("#3 Blöcke: A -> B"));
    QCOMPARE(prose::duration(12'300'000, backwards), "12,3 ms");
  }

  // "%2" in a name is text, not the place of the next value; "(s)" in one is no plural.
  void placeholdersInValuesAreText() {
    prose::Names names = letters();
    names.sequence = [](SequenceId) { return std::string("%2 %n token(s)"); };
    QCOMPARE(describe(eventOf(SequenceAged{1, 2, 0}), names).sentence,
             "%2 %n token(s) has been in the engine for 2 steps, so it counts as due from now on (aging).");
    QCOMPARE(describe(eventOf(TokenSampled{1, 7, 5, -1, 0, "%3%4"}), names).sentence,
             "%2 %n token(s) samples “%3%4” (token 7) at position 5 with probability 100.0 %.");
  }

  void withoutNamesTheNumbersAreNames() {
    QCOMPARE(describe(eventOf(RequestCancelled{3})).sentence, "request 3 is cancelled.");
    QCOMPARE(describe(eventOf(SequenceForked{1, 2, 1, 1, 0})).sentence,
             "sequence 2 forks from sequence 1 and shares its 0 blocks.");
  }

  void tokensAreNamedByTheirTexts() {
    prose::Names names = letters();
    names.token = [](TokenId id, const PrefixMissed&) {
      return id == 12 ? std::string(" cat") : std::string();
    };
    const std::string sentence =
        describe(eventOf(PrefixMissed{2, MissCause::kDiffers, 1, 16, 38, 17, 12, 7, -1}), names).sentence;
    QVERIFY2(sentence.find("token 12 “␣cat” where A has token 7.") != std::string::npos, sentence.c_str());
  }

  void blocksInARowShareASentence() {
    std::vector<Event> run;
    for (const BlockId block : {3, 5, 6, 7, 8}) run.push_back(eventOf(BlockFreed{block, 1, 0}));
    for (const Event& event : run) QVERIFY(prose::inOneRun(run.front(), event));
    QVERIFY(!prose::inOneRun(run.front(), eventOf(BlockFreed{9, 1, 1})));      // still held
    QVERIFY(!prose::inOneRun(run.front(), eventOf(BlockFreed{9, 2, 0})));      // of another sequence
    QVERIFY(!prose::inOneRun(run.front(), eventOf(BlockAllocated{9, 1, 0})));  // another event
    const Event alone = eventOf(SequenceAged{1, 2, 0});
    QVERIFY(!prose::inOneRun(alone, alone));
    QCOMPARE(prose::describeRun(run, letters()).sentence, "A frees 5 blocks: 3, 5-8.");
    QCOMPARE(prose::describeRun({&alone, 1}, letters()).sentence, describe(alone, letters()).sentence);
  }

  void aBeamStepListsItsCandidates() {
    BeamStep step{1, 4, {}, {2}, 1, -1, -2, BeamEnd::kNoImprovement};
    step.candidates = {{1, 5, " a", -1, -1.5, -0.5, BeamFate::kKept, 2, 0},
                       {1, 6, "", -2, -2.5, -0.75, BeamFate::kFinished, 0, 3}};
    const prose::EventProse said = describe(eventOf(step), letters());
    QCOMPARE(
        said.sentence,
        "A sorts 2 continuations of length 4 by their sums of logprobs: 1 kept, 1 complete, 0 pruned. The "
        "search ends: the best beam can reach -1.0000, the worst hypothesis has -2.0000.");
    const std::vector<std::string> lines = {
        "A + “␣a” (token 5): -1.5000, continues as B.",
        "A + “” (token 6): -2.5000, complete: hypothesis 3 with score -0.7500.",
        "Hypothesis 2 is displaced."};
    QCOMPARE(said.more, lines);
  }

  void aBeamStepSaysWhatItDecides() {
    using enum BeamFate;
    const auto decided = [](std::vector<BeamCandidate> all, BeamEnd end = BeamEnd::kNone) {
      BeamStep step;
      step.request = 1;
      step.length = 2;
      step.candidates = std::move(all);
      step.end = end;
      const std::string text =
          explainStep({{eventOf(step, Phase::kSample)}}, stateAfter(), letters()).at(0).text;
      return text.substr(text.find("pruned.") + 7);
    };
    const BeamCandidate best{1, 5, " a", -1, -1.5, -0.75, kKept, 1}, last{2, 6, " b", -1, -2, -1, kKept, 2},
        worse{2, 7, " c", -1, -3, -1.5, kPruned}, worst{1, 8, "", -1, -4, -2, kPruned};
    QCOMPARE(decided({best, last, worse}),
             " Kept: “␣a” after A (score -0.750), “␣b” after B (score -1.000). Pruned: “␣c” after B (score "
             "-1.500), with "
             "a lower score than the last kept one.");
    QCOMPARE(decided({best, last, worse, worst}),
             " Kept: “␣a” after A (score -0.750), “␣b” after B (score -1.000). Pruned: 2 continuations, all "
             "with a "
             "lower score than the last kept one; the best of them is “␣c” after B (score -1.500).");
    BeamCandidate ends{1, 2, "</s>", -1, -1, -0.5, kFinished};
    ends.hypothesis = 3;
    QCOMPARE(decided({ends, worst}, BeamEnd::kEnough),
             " The search ends: it has as many hypotheses as beams. Complete: “</s>” after A (hypothesis "
             "3, score -0.500). Pruned: 1 continuation, since the search has ended.");
    ends.fate = kTooLow;
    QCOMPARE(decided({worst, ends}),
             " Complete, but not among the best continuations: “</s>” after A (score -0.500). Pruned: 1 "
             "continuation, since the search has ended.");
    QCOMPARE(decided(std::vector<BeamCandidate>(10, best)).ends_with(" and 2 more."), true);
    QCOMPARE(decided({}), "");
  }

  void theLoadedEngineSaysHowDraftsAreAccepted() {
    EngineLoaded loaded;
    QCOMPARE(describe(eventOf(loaded)).more.size(), std::size_t{1});
    loaded.options.speculation.drafter = DraftMethod::kNgram;
    QCOMPARE(describe(eventOf(loaded)).more.back(),
             std::string("A drawn draft token is accepted by rejection sampling."));
    loaded.options.speculation.acceptance = DraftAcceptance::kSameDraw;
    QCOMPARE(describe(eventOf(loaded)).more.back(),
             std::string("A drawn draft token is accepted if the model draws it too with the same random "
                         "number."));
  }

  void weightsSayWhereTheyCameFrom() {
    EngineLoaded loaded;
    const std::size_t without = describe(eventOf(loaded)).more.size();
    loaded.packedCopy = PackedCopy::kRead;
    QCOMPARE(describe(eventOf(loaded)).more.back(),
             std::string("Its packed weights were read from the copy that an earlier start had kept."));
    loaded.packedCopy = PackedCopy::kKept;
    QCOMPARE(describe(eventOf(loaded)).more.back(),
             std::string("Its weights were packed, and are being kept for the next start."));
    QCOMPARE(describe(eventOf(loaded)).more.size(), without + 1);
  }

  void ignoredTensorsAreNamed() {
    EngineLoaded loaded;
    loaded.ignoredTensors = {{"m", 1, {"score.weight"}, false}};
    QCOMPARE(describe(eventOf(loaded)).more.back(),
             std::string("The decoder of m does not use 1 tensor of its files: score.weight."));
    loaded.ignoredTensors = {{"m", 9, {"mtp.a", "mtp.b", "mtp.c"}, true}};
    QCOMPARE(
        describe(eventOf(loaded)).more.back(),
        std::string(
            "The decoder of m does not use 9 tensors of its files: mtp.a, mtp.b, mtp.c and 6 more. Among "
            "them is a head that drafts tokens (multi-token prediction), which is not computed."));
    const std::string tie =
        "config.json of m says that its head is the embedding, but its files hold another head "
        "(lm_head.weight). The head of the files is used.";
    loaded.ignoredTensors = {{"m", 0, {}, false, true}};
    QCOMPARE(describe(eventOf(loaded)).more.back(), tie);
    loaded.ignoredTensors = {{"m", 1, {"score.weight"}, false, true}};
    QCOMPARE(describe(eventOf(loaded)).more.back(),
             "The decoder of m does not use 1 tensor of its files: score.weight. " + tie);
  }

  void aStepIsExplainedByPhases() {
    using Row = prose::WhyRow;
    const auto admit = static_cast<int>(Phase::kAdmit), plan = static_cast<int>(Phase::kPlan),
               allocate = static_cast<int>(Phase::kAllocate), forward = static_cast<int>(Phase::kForward),
               sample = static_cast<int>(Phase::kSample), commit = static_cast<int>(Phase::kCommit);
    const std::vector<Row> expected = {
        {Row::kBefore, 0, "C is cancelled."},
        {admit, 2, "B is admitted with 20 tokens, 20 to compute."},
        {admit, 2,
         "After 5 equal tokens B has token 12 where A has token 7. Only whole blocks are reused, so it "
         "computes all 20 tokens."},
        {admit, 4, "D waits: a request in front of it cannot be admitted (head-of-line blocking).", true},
        {plan, 0, "Plan for 2 sequences: 20 tokens of prefill + 1 of decode = 21 of the budget of 64."},
        {plan, 2, "B prefills 20 tokens, positions 0 to 19, and then can sample its next token."},
        {plan, 1, "A decodes its newest token, to sample the next one."},
        {allocate, 1,
         "A allocates 1 block of 16 tokens for position 16, behind the 1 block that it holds; free before: 9 "
         "blocks."},
        {allocate, 2, "B allocates 2 blocks of 16 tokens for positions 0 to 19; free before: 8 blocks."},
        {forward, 0, "One forward pass computes 21 tokens of 2 sequences in 2.0 ms."},
        {sample, 1,
         "A samples “a” (token 7) at position 17 with probability 100.0 %. It was drawn from 3 candidates."},
        {commit, 1, "A finishes after 2 tokens, the most that it may generate."},
        {commit, 0,
         "The prefix index registers 1 full block, so that a later prompt with the same beginning can share "
         "the KV."},
        {commit, 1, "A frees 1 block and releases 1 that other sequences hold."},
        {Row::kAfter, 0, "“big” is rejected: too long.", true},
    };
    const std::vector<Row> rows = explainStep(stepEvents(), stateAfter(), letters());
    for (std::size_t i = 0; i < std::min(rows.size(), expected.size()); ++i) {
      QCOMPARE(rows[i].text, expected[i].text);
      const auto place = [](const Row& row) { return std::tuple(row.section, row.sequence, row.warning); };
      QVERIFY2(place(rows[i]) == place(expected[i]), rows[i].text.c_str());
    }
    QCOMPARE(rows.size(), expected.size());
  }

  // "words -> what they link to", of each link of a row.
  static QStringList linksOf(const prose::WhyRow& row) {
    QStringList all;
    for (const auto& [begin, length, to] : row.links) {
      QString text = QString::fromStdString(row.text.substr(begin, length)) + " ->";
      if (to.request != 0) text += QStringLiteral(" request %1").arg(to.request);
      if (to.sequence != 0) text += QStringLiteral(" sequence %1").arg(to.sequence);
      if (to.step != 0) text += QStringLiteral(" step %1").arg(to.step);
      if (to.position >= 0) text += QStringLiteral(" position %1").arg(to.position);
      for (const BlockId block : to.blocks) text += QStringLiteral(" block %1").arg(block);
      all << text;
    }
    return all;
  }
  static prose::WhyRow rowWith(const std::vector<prose::WhyRow>& rows, const char* words) {
    for (const prose::WhyRow& row : rows)
      if (row.text.find(words) != std::string::npos) return row;
    qFatal("no row says %s", words);
  }

  void wordsLinkToWhatTheySpeakOf() {
    std::vector<Event> events = stepEvents();
    events.insert(events.begin() + 3, eventOf(BlockHit{2, 2, 0, 1, 0}));
    events.insert(events.begin() + 9, eventOf(BlockCopied{0, 1, 1, 0}, Phase::kAllocate));
    const std::vector<prose::WhyRow> rows = explainStep(events, stateAfter(), letters());
    QCOMPARE(linksOf(rowWith(rows, "is cancelled")), QStringList("C -> request 3"));
    QCOMPARE(linksOf(rowWith(rows, "equal tokens")), QStringList({"B -> sequence 2", "A -> request 1"}));
    QCOMPARE(linksOf(rowWith(rows, "writes into")),
             QStringList({"A -> sequence 1", "0 -> block 0", "1 -> block 1"}));
    QCOMPARE(linksOf(rowWith(rows, "B allocates")),
             QStringList({"B -> sequence 2", "2 blocks -> sequence 2 block 5 block 6",
                          "positions 0 to 19 -> sequence 2 position 0"}));
    QCOMPARE(linksOf(rowWith(rows, "samples “")),
             QStringList({"A -> sequence 1", "17 -> sequence 1 position 17"}));
    QCOMPARE(linksOf(rowWith(rows, "registers")), QStringList("1 full block -> block 5"));
    QCOMPARE(linksOf(rowWith(rows, "A frees")),
             QStringList({"A -> sequence 1", "1 block -> sequence 1 block 3 block 4"}));
    QCOMPARE(rowWith(rows, "is admitted").blocks, std::vector<BlockId>{2});  // the hit is its reason
  }

  // A translation moves links with their words; names and texts may hold control characters.
  void linksFollowTheirWords() {
    prose::Names names = letters();
    names.sequence = [](SequenceId id) { return id == 1 ? std::string("\x03\x01") + "7\x02" : "B"; };
    const Backwards backwards;
    const std::vector<Event> events = {eventOf(SequenceForked{1, 2, 1, 1, 3}),
                                       eventOf(BlockShared{4, 2, 0, 2})};
    const prose::WhyRow row = explainStep(events, stateAfter(), names, backwards).at(0);
    QCOMPARE(row.text, std::string("#3 Blöcke: 7 -> B"));
    QCOMPARE(row.links.size(), std::size_t{2});
    QCOMPARE(row.text.substr(row.links[0].begin, row.links[0].length), std::string("7"));
    QCOMPARE(row.text.substr(row.links[1].begin, row.links[1].length), std::string("B"));
    QCOMPARE(row.blocks, std::vector<BlockId>{4});
  }

  // The numbers of the sentence stand in the rule.
  void eachDecisionHasItsRule() {
    struct Case {
      EventBody event;
      std::vector<prose::Rule> rules;
    };
    using enum prose::Decision;
    using enum DraftVerdict;
    SequenceAdmitted admitted{2, 16, 20, false, 0, 0, 1, 4, 2, 9, 1, 30, 3};
    SequencePreempted preempted{2, 1, 3, 1, 4, 50};
    preempted.running = 5;
    SequencePreempted displaced{
        2, 1, 3, 1, 4, 0, Preemption::kSwap, PreemptionCause::kRoom, 4, 6, PreemptReason::kImportance,
        1, 0, 5};
    const std::vector<Case> cases = {
        {admitted,
         {{kAdmission,
           "slots 1 <= 4 free and blocks 2 <= free - promised = 9 and tokens 1 <= 30 left -> true: admit"},
          {kQueue, "next = first of 3 waiting sequences by policy fcfs"},
          {kPrefixHit, "1 cached block in a row <= floor((20 - 1) / 16) = 1: reuse 16 tokens"}}},
        {SequenceWaiting{2, WaitReason::kBlocks, 3, 2},
         {{kAdmission, "need 3 blocks <= free - promised = 2 -> false: wait"}}},
        {SequenceWaiting{2, WaitReason::kSequences, 1, 0},
         {{kAdmission, "need 1 slot <= 0 free -> false: wait"}}},
        {SequenceWaiting{2, WaitReason::kTokenBudget, 40, 7},
         {{kAdmission, "need 40 tokens <= 7 left of the budget -> false: wait"}}},
        {SequenceWaiting{2, WaitReason::kPreemption, 2, 1},
         {{kAdmission, "running sequences need 2 blocks <= 1 free -> false: preempt, and admit none"}}},
        {SequenceWaiting{2, WaitReason::kBehind, 0, 0, 1},
         {{kQueue, "A waits -> stop: admit none behind it"}}},
        {SequenceWaiting{2, WaitReason::kBatch, 3, 0},
         {{kBatch, "3 running sequences == 0 -> false: the batch is closed, wait"}}},
        {SequenceWaiting{2, WaitReason::kBatch, 0, 0},
         {{kBatch, "a preempted sequence is to resume: the batch is closed, wait"}}},
        {SequenceWaiting{2, WaitReason::kBeams, 12, 3},
         {{kBeamAdmission, "3 computed >= 12 shared tokens -> false: wait"}}},
        {SequenceWaiting{2, WaitReason::kWindow, 50, 10},
         {{kBatch, "10 ms passed >= 50 ms, or the batch is full -> false: wait"}}},
        {SequenceAged{2, 8, 0}, {{kAging, "8 steps in the engine >= the aging limit -> true: due now"}}},
        {preempted,
         {{kPreemption,
           "A needs 3 blocks <= 1 free -> false: preempt\nvictim = last of 5 running sequences by policy "
           "fcfs = B"},
          {kSwapOrDrop, "swapping is off -> drop 50 computed tokens"}}},
        {displaced,
         {{kImportance,
           "A ranks before it and needs blocks 3 <= 1 free and slots 1 <= 0 free -> false: preempt\nvictim = "
           "last of 5 running sequences by policy fcfs = B"},
          {kSwapOrDrop, "swap out 4 blocks <= room for 6 -> true: swap out"}}},
        {SequenceScheduled{2, WorkKind::kPrefill, 16, 8, 30},
         {{kBudget, "16 computed + a chunk of 8 = 24 == 30 tokens -> false: 6 left"}}},
        {SequenceScheduled{2, WorkKind::kDecode, 16, 3, 17, 2},
         {{kBudget, "1 * 1 token not computed + 2 draft = 3: decodes go before prefills"}}},
        {StepPlanned{3, 20, 64, 4}, {{kBudget, "3 decode + 20 prefill = 23 <= a budget of 64 -> true"}}},
        {PrefixMissed{2, MissCause::kDiffers, 1, 16, 20, 21, 12, 7, -1},
         {{kPrefixMiss, "token 12 == 7 -> false at position 21: floor(21 / 16) * 16 = 16 tokens"}}},
        {PrefixMissed{2, MissCause::kEvicted, 1, 16, 20, -1, -1, -1, 9},
         {{kPrefixMiss, "the next block was evicted in step 9 -> whole blocks found: 16 tokens"}}},
        {BlockCopied{4, 5, 2, 0},
         {{kCopyOnWrite, "references of block 4 > 1 -> true: copy it before the write"}}},
        {BlockAllocated{4, 2, 0}, {{kAllocation, "need 1 block <= 8 free -> true: take from the front"}}},
        {BlockEvicted{4, 0},
         {{kIndexEviction, "the front of the free queue is cached -> true, 1 time: forget its tokens"}}},
        {BlockCached{4, 0, 0},
         {{kRegister, "16 computed tokens in a block == 16 -> true for 1 block: register"}}},
        {BlockFreed{4, 2, 0}, {{kRelease, "references - 1 == 0 -> true for 1 block: free"}}},
        {ContextEvicted{4, 2, 1, 16, 16, 0.25, 0},
         {{kContextEviction, "context == its limit -> true: evict the least attention, 0.250 of block 4"}}},
        {SequenceForked{1, 2, 1, 1, 3}, {{kShare, "3 blocks: references + 1, no copy"}}},
        {BlockSwappedIn{4, 2, 0, SwapTier::kDisk, 0, 9},
         {{kSwapIn, "1 block outside the pool > 0 -> true: read them back"}}},
        {BlockDemoted{2, 0, 0, 0, 9},
         {{kDemotion, "free slots in memory == 0 -> true, 1 time: the oldest block moves on"}}},
        {DraftSkipped{2, NoDraftReason::kBeams}, {{kDraft, "a beam -> no draft"}}},
        {DraftSkipped{2, NoDraftReason::kAnswerEnd, 2, 1},
         {{kDraft, "1 token left of the answer < 2 -> true: no draft"}}},
        {DraftSkipped{2, NoDraftReason::kContextEnd, 2, 1},
         {{kDraft, "1 token left of the context < 2 -> true: no draft"}}},
        {DraftSkipped{2, NoDraftReason::kComparison, 64},
         {{kDraft, "1 step in 64 is plain -> true: no draft"}}},
        {DraftSkipped{2, NoDraftReason::kCost},
         {{kDraft, "the length with the most tokens for its time == 0 -> no draft"}}},
        {DraftSkipped{2, NoDraftReason::kNoMatch},
         {{kDraft, "the last token occurs before -> false: no draft"}}},
        {DraftSkipped{2, NoDraftReason::kDraftContext, 40, 32},
         {{kDraft, "40 positions <= a context of 32 -> false: no draft"}}},
        {DraftSkipped{2, NoDraftReason::kDraftBlocks, 3, 2},
         {{kDraft, "3 blocks <= 2 free -> false: no draft"}}},
        {DraftSkipped{2, NoDraftReason::kBlocks, 1, 0},
         {{kDraftRoom, "1 block <= 0 free -> false: no draft"}}},
        {DraftSkipped{2, NoDraftReason::kTokenBudget, 1, 0},
         {{kDraftRoom, "1 token <= 0 left of the budget -> false: no draft"}}},
        {DraftVerified{2, 9, 1, {{5, kSame}, {6, kDiffers, 0, 0, 0, 8}, {7, kUndecided}}},
         {{kDraftSame, "draft token == the model's -> true 1 time: accept"},
          {kDraftSame, "draft token 6 == the model's 8 -> false: reject"}}},
        {DraftVerified{2, 9, 0, {{5, kBeyond, 0.125, 0.5, 0.75, 8}}},
         {{kDraftRejection, "0.750000 * 0.500000 < 0.125000 -> false: reject token 5"}}},
        {DraftRolledBack{2, 30, 2, 0},
         {{kRollback, "32 computed > 30 before the newest token -> true: discard 2"}}},
        {SequenceFinished{2, FinishReason::kStop, 4},
         {{kFinish, "stop token or stop string -> true: finish"}}},
        {SequenceFinished{2, FinishReason::kLength, 4},
         {{kFinish, "4 tokens generated, the most allowed -> true: finish"}}},
        {KvForgotten{2, 30}, {{kForget, "no KV cache -> drop 30 tokens"}}},
        {SequenceFinished{2, FinishReason::kCancelled, 4}, {}},
    };
    for (const Case& one : cases) {
      const std::vector<Event> events = {eventOf(one.event)};
      const std::vector<prose::WhyRow> rows = explainStep(events, stateAfter(), letters());
      const std::vector<prose::Rule> rules = rows.at(0).rules;
      for (std::size_t i = 0; i < std::min(rules.size(), one.rules.size()); ++i) {
        QCOMPARE(QString::fromStdString(rules[i].text), QString::fromStdString(one.rules[i].text));
        QCOMPARE(nameOf(rules[i].decision), nameOf(one.rules[i].decision));
      }
      QCOMPARE(rules.size(), one.rules.size());
    }
  }

  void theStagesOfATokenAreItsRule() {
    const auto rules = [](std::vector<SamplingStage> stages) {
      const std::vector<Event> events = {
          eventOf(TokenSampled{1, 7, 5, -1, 0, "a"}, Phase::kSample),
          eventOf(TokenCandidates{1, 5, 7, std::move(stages), {}}, Phase::kSample)};
      return explainStep(events, stateAfter(), letters()).at(0).rules;
    };
    const auto drawn = rules({{"logits", 2048, {}}, {"temperature", 2048, {}}, {"top_k", 5, {}}});
    QCOMPARE(drawn.at(0).text, std::string("logits 2048 -> top-k 5"));
    QCOMPARE(drawn.at(1).text,
             std::string("token = the first of 5 at which the sum of probabilities > the drawn number"));
    QCOMPARE(rules({{"logits", 2048, {}}, {"temperature", 1, {}}}).at(1).text,
             std::string("1 candidate left: no choice"));
  }

  // A prompt of 20 tokens in blocks of 16: the second chunk needs one more block than it holds.
  void anAllocationCountsWhatIsHeld() {
    const std::vector<Event> events = {
        eventOf(StepStarted{0, 1}),
        eventOf(SequenceScheduled{1, WorkKind::kPrefill, 16, 24, 40}, Phase::kPlan),
        eventOf(BlockAllocated{4, 1, 1}, Phase::kAllocate),
        eventOf(BlockAllocated{5, 1, 2}, Phase::kAllocate)};
    const std::vector<prose::WhyRow> rows = explainStep(events, stateAfter(), letters());
    QCOMPARE(rows.at(1).rules.at(0).text,
             std::string("need ceil(40 / 16) - 1 held = 2 blocks <= 9 free -> true: take from the front"));
  }

  // Its newest token still fits into its block; the draft does not. What it loses, its own row says.
  void aDraftAllocatesBehindWhatIsHeld() {
    const std::vector<Event> events = {
        eventOf(StepStarted{0, 1}),
        eventOf(SequenceScheduled{1, WorkKind::kDecode, 13, 9, 14, 8}, Phase::kPlan),
        eventOf(StepPlanned{9, 0, 64, 1}, Phase::kPlan),
        eventOf(BlockAllocated{4, 1, 1}, Phase::kAllocate),
        eventOf(DraftRolledBack{1, 14, 8, 1}, Phase::kCommit),
        eventOf(BlockFreed{4, 1, 0}, Phase::kCommit),
        eventOf(SequenceFinished{1, FinishReason::kLength, 2}, Phase::kCommit),
        eventOf(BlockFreed{3, 1, 0}, Phase::kCommit),
        eventOf(StepSpeculated{1, 1, 8, 0, 1, 0, 4'000'000, 9'000'000}, Phase::kCommit),
        eventOf(StepFinished{{0, 0, 0, 13'000'000, 0, 0}, 9, 1, 0, 1, 7, 0}, Phase::kCommit)};
    const std::vector<prose::WhyRow> rows = explainStep(events, stateAfter(), letters());
    QCOMPARE(
        rowWith(rows, "allocates").text,
        "A allocates 1 block of 16 tokens for positions 16 to 21, behind the 1 block that it holds; free "
        "before: 6 blocks.");
    QCOMPARE(rowWith(rows, "allocates").rules.at(0).text,
             "need ceil(22 / 16) - 1 held = 1 block <= 6 free -> true: take from the front");
    QCOMPARE(rowWith(rows, "One forward").text,
             "One forward pass computes 9 tokens of 1 sequence in 9.0 ms.");
    QCOMPARE(rowWith(rows, "discards").blocks, std::vector<BlockId>{4});
    QCOMPARE(rowWith(rows, "A frees").text, "A frees 1 block.");  // at its end
  }

  // Blocks come back from one tier or from both; a sequence whose block does not come back is not computed.
  void swappedBlocksAreCountedByTier() {
    const auto in = [](SequenceId sequence, BlockId block, int index, SwapTier tier) {
      return eventOf(BlockSwappedIn{block, sequence, index, tier, 0, 9}, Phase::kAllocate);
    };
    const auto decode = [](SequenceId sequence, int position) {
      return eventOf(SequenceScheduled{sequence, WorkKind::kDecode, position, 1, position + 1}, Phase::kPlan);
    };
    const auto allocated = [](SequenceId sequence, BlockId block, int index) {
      return eventOf(BlockAllocated{block, sequence, index}, Phase::kAllocate);
    };
    const std::vector<Event> events = {
        eventOf(StepStarted{0, 2}),
        decode(1, 32),
        decode(2, 16),
        decode(3, 8),
        eventOf(StepPlanned{3, 0, 64, 3}, Phase::kPlan),
        allocated(1, 0, 0),
        in(1, 0, 0, SwapTier::kDisk),
        allocated(1, 1, 1),
        in(1, 1, 1, SwapTier::kHost),
        allocated(2, 2, 0),
        in(2, 2, 0, SwapTier::kDisk),
        allocated(3, 3, 0),
        eventOf(SwapFailed{3, SwapMove::kIn, SwapTier::kDisk, 0, 8, "", "lost", ""}, Phase::kAllocate),
        eventOf(BlockFreed{3, 3, 0}, Phase::kAllocate),
        allocated(1, 3, 2),
        eventOf(StepFinished{{}, 2, 2, 0, 2, 7, 0}, Phase::kCommit)};
    const std::vector<prose::WhyRow> rows = explainStep(events, stateAfter(), letters());
    QCOMPARE(rowWith(rows, "A swaps in").text, "A swaps in 2 blocks, 1 of them from the file.");
    QCOMPARE(rowWith(rows, "B swaps in").text, "B swaps in 1 block from the file.");
    QCOMPARE(
        rowWith(rows, "A allocates").text,
        "A allocates 1 block of 16 tokens for position 32, behind the 2 blocks that it holds; free before: "
        "8 blocks.");
    QCOMPARE(rowWith(rows, "One forward").text, "One forward pass computes 2 tokens of 2 sequences in 0 µs.");
    QVERIFY(rowWith(rows, "Swapping in C").text.ends_with("It leaves the plan of this step."));
  }

  // 30 tokens of a prompt of 20: the newest one had never been computed.
  void aPreemptionSaysItsCost() {
    MachineState after = stateAfter();
    SequenceState& back = after.sequences[2];
    back.promptTokens = 20;
    back.preemptions = 1;
    const auto costs = [&](std::vector<EventBody> step) {
      std::vector<Event> events;
      for (EventBody& body : step) events.push_back(eventOf(std::move(body)));
      std::string said;
      for (const prose::PreemptionCost& cost : prose::preemptionCosts(events, after, letters()))
        said += nameOf(cost.phase) + (": " + cost.sentence);
      return said;
    };
    const auto prefill = [](int first, int tokens) {
      return SequenceScheduled{2, WorkKind::kPrefill, first, tokens, 30};
    };
    const StepFinished finished{{0, 0, 0, 4'000'000, 0, 0}, 40, 1, 0, 1, 7, 0};
    QCOMPARE(
        costs({prefill(0, 30), finished}),
        "forward: Cost of the preemption of B: 29 tokens computed again, about 2.9 ms of the forward pass.");
    QCOMPARE(costs({prefill(0, 30)}), "");            // not computed yet
    QCOMPARE(costs({prefill(0, 20), finished}), "");  // not all of them
    QCOMPARE(costs({prefill(0, 30), KvForgotten{2, 30}, finished}), "");
    QCOMPARE(costs({prefill(20, 10), finished}),
             "forward: Cost of the preemption of B: 29 tokens computed again, 9 of them in this step, for "
             "about 900 "
             "µs of its forward pass.");
    QCOMPARE(costs({prefill(20, 9), finished}),  // the newest token is decoded in the next step
             "forward: Cost of the preemption of B: 29 tokens computed again, 9 of them in this step, for "
             "about 900 "
             "µs of its forward pass.");
    back.cachedTokens = 16;
    QCOMPARE(
        costs({prefill(16, 14), finished}),
        "forward: Cost of the preemption of B: 13 tokens computed again, about 1.3 ms of the forward pass.");
    after.swapBlocks[0] = 4;  // a part of them may have been swapped in
    QCOMPARE(
        costs({prefill(24, 6), finished}),
        "forward: Cost of the preemption of B in this step: 5 tokens computed again, about 500 µs of the "
        "forward pass.");
    const SequenceAdmitted admitted{2, 29, 30, true};
    QCOMPARE(
        costs({admitted, finished}),
        "admit: Cost of the preemption of B: none, for the prefix index still had its 29 computed tokens.");
    back.promptTokens = 30;  // preempted in its prompt: no event of this step says how far it was
    QCOMPARE(costs({admitted, prefill(0, 30), finished}), "");
    back.promptTokens = 20;
    back.preemptions = 0;
    QCOMPARE(costs({prefill(0, 30), finished}), "");
  }

  void aSwapSaysItsCost() {
    const auto costs = [](const StepSwapped& moves, bool fails) {
      std::vector<Event> events = {eventOf(BlockSwappedIn{0, 2, 0, SwapTier::kHost, 0, 1024}),
                                   eventOf(BlockSwappedIn{1, 2, 1, SwapTier::kDisk, 0, 1024}),
                                   eventOf(moves)};
      if (fails)
        events.push_back(eventOf(SwapFailed{2, SwapMove::kIn, SwapTier::kDisk, 2, 8, "", "lost", ""}));
      std::string said;
      for (const prose::PreemptionCost& cost : prose::preemptionCosts(events, stateAfter(), letters()))
        said += nameOf(cost.phase) + (": " + cost.sentence);
      return said;
    };
    const StepSwapped alone{0, 0, 2, 0, 0, 2048, 220'000, 0, 0};
    QCOMPARE(
        costs(alone, false),
        "allocate: Cost of the preemption of B: 2 blocks (2.0 KiB) out and in again; reading them back took "
        "220 µs.");
    QCOMPARE(
        costs({0, 1, 2, 0, 1024, 2048, 220'000, 0, 0}, false),
        "allocate: Cost of the preemption of B: 2 blocks (2.0 KiB) out and in again; all moves of this step "
        "took 220 µs.");
    QCOMPARE(costs(alone, true), "");  // it is not back: the rest must be computed again
  }

  void whatIsFreedSaysWhy() {
    MachineState after = stateAfter();
    after.sequences[1].status = SequenceStatus::kFinished;
    after.sequences[2].status = SequenceStatus::kRunning;
    const std::vector<Event> events = {
        eventOf(StepStarted{0, 2}), eventOf(SequenceReplaced{2, 3, 2}, Phase::kSample),
        eventOf(BlockFreed{4, 2, 0}, Phase::kSample), eventOf(BlockFreed{5, 1, 1}, Phase::kCommit),
        eventOf(BlockFreed{6, 1, 2}, Phase::kCommit)};
    const std::vector<prose::WhyRow> rows = explainStep(events, after, letters());
    QCOMPARE(rowWith(rows, "B gives").text, "B gives up its former tokens: it frees 1 block.");
    QCOMPARE(rowWith(rows, "A has ended").text,
             "A has ended: it releases 2 blocks that other sequences hold.");
    QCOMPARE(rowWith(rows, "A has ended").rules.at(0).text,
             "references - 1 == 0 -> false for 2 blocks: others hold it");
  }

  // A search is preempted as a whole: only its last beam lacked room.
  void beamsArePreemptedAndResumedTogether() {
    MachineState after = stateAfter();
    after.requests[1].id = 1;
    after.requests[1].beamWidth = 2;
    for (const SequenceId id : {1, 2}) after.sequences[id].request = 1, after.sequences[id].index = id - 1;
    SequencePreempted last =
        preempted(PreemptReason::kMemory, Preemption::kRecompute, PreemptionCause::kOption);
    last.forSequence = 3;
    SequencePreempted first = last;
    first.sequence = 1;
    const std::vector<Event> preempt = {eventOf(last, Phase::kPlan), eventOf(first, Phase::kPlan)};
    std::vector<prose::WhyRow> rows = explainStep(preempt, after, letters());
    QCOMPARE(
        rows.at(0).text,
        "B is preempted: C needs 1 block, free 0 at Plan. This frees 2 blocks and drops 8 computed tokens.");
    QCOMPARE(rows.at(1).text,
             "A is preempted with the other beams of its search, for C. This frees 2 blocks and "
             "drops 8 computed tokens.");
    QCOMPARE(rows.at(1).rules.at(0).text, "another beam of its search is preempted -> true: preempt all");
    SequenceAdmitted joins{2, 4, 9, true, 0, 5};
    rows = explainStep({{eventOf(joins)}}, after, letters());
    QCOMPARE(
        rows.at(0).text,
        "B resumes with 9 tokens (4 of the prompt, 5 generated), 4 in shared or cached blocks, 5 to compute. "
        "The first beam of its search has computed the 4 tokens that they share.");
    QCOMPARE(rows.at(0).rules.at(0).text, "the first beam has computed the 4 shared tokens -> true: admit");
    joins.sequence = 3;  // no beam: of a trace without the numbers of the need
    QCOMPARE(nameOf(explainStep({{eventOf(joins)}}, after, letters()).at(0).rules.at(0).decision),
             nameOf(prose::Decision::kPrefixHit));
  }

  // Block 4 was registered before the step and is evicted behind the preemption, 6 only in this step.
  void aPreemptionSaysWhatThePrefixIndexKeeps() {
    MachineState after = stateAfter();
    after.blocks.resize(7);
    after.blocks[5].cached = after.blocks[6].cached = true;
    const std::vector<Event> events = {
        eventOf(preempted(PreemptReason::kMemory, Preemption::kRecompute, PreemptionCause::kOption),
                Phase::kPlan),
        eventOf(BlockFreed{4, 2, 0}, Phase::kPlan),
        eventOf(BlockFreed{5, 2, 0}, Phase::kPlan),
        eventOf(BlockFreed{6, 2, 0}, Phase::kPlan),
        eventOf(BlockEvicted{4, 0}, Phase::kAllocate),
        eventOf(BlockCached{6, 0, 0}, Phase::kCommit)};
    QCOMPARE(explainStep(events, after, letters()).at(0).text,
             "B is preempted: A needs 1 block, free 0 at Plan. This frees 2 blocks and drops 8 computed "
             "tokens. Of its "
             "blocks the prefix index keeps 2.");
  }

  // Each sequence has its reason in Plan; a search says its own once.
  void aStepSaysWhyItDraftsNothing() {
    MachineState after = stateAfter();
    for (const SequenceId id : {SequenceId{3}, SequenceId{4}}) {
      after.sequences[id].id = id;
      after.sequences[id].request = 9;
    }
    after.requests[9].id = 9;
    after.requests[9].beamWidth = 2;
    const std::vector<Event> events = {eventOf(StepStarted{0, 4}),
                                       eventOf(DraftSkipped{1, NoDraftReason::kNoMatch}, Phase::kPlan),
                                       eventOf(DraftSkipped{2, NoDraftReason::kBlocks, 1, 0}, Phase::kPlan),
                                       eventOf(DraftSkipped{3, NoDraftReason::kBeams}, Phase::kPlan),
                                       eventOf(DraftSkipped{4, NoDraftReason::kBeams}, Phase::kPlan)};
    const std::vector<prose::WhyRow> rows = explainStep(events, after, letters());
    QCOMPARE(rows.size(), std::size_t{3});
    for (const prose::WhyRow& row : rows) QCOMPARE(row.section, static_cast<int>(Phase::kPlan));
    QCOMPARE(rows[0].text, "A drafts nothing: its last token stands nowhere before in its text.");
    QCOMPARE(rows[1].text, "B drafts nothing: it needs 1 block, free 0 at Plan.");
    QCOMPARE(rows[2].sequence, SequenceId{3});
    QVERIFY(!prose::headlineOf(events, after, letters()));  // it never is what a step did
  }

  // Rejection sampling accepts the drafter's token, or draws another from the rest.
  void aJudgedTokenWasNotDrawnFromItsCandidates() {
    using enum DraftVerdict;
    std::vector<Event> events;
    for (const int position : {5, 6})
      events.push_back(eventOf(TokenCandidates{1, position, 7, {{"logits", 3, {}}, {"top_k", 2, {}}}, {}}));
    events.push_back(
        eventOf(DraftVerified{1, 5, 1, {{7, kWithin, 0.5, 0.5, 0.5, 7}, {8, kBeyond, 0, 0.5, 0.5, 7}}}));
    for (const int position : {5, 6}) events.push_back(eventOf(TokenSampled{1, 7, position, -1, 0, "a"}));
    const std::vector<prose::WhyRow> rows = explainStep(events, stateAfter(), letters());
    QVERIFY2(rows.at(1).text.ends_with("%. It is the draft token, which was accepted."),
             rows.at(1).text.c_str());
    QVERIFY2(rows.at(2).text.ends_with(
                 "%. It was drawn anew, from what the model finds more likely than the drafter."),
             rows.at(2).text.c_str());
    QCOMPARE(rows.at(2).rules.size(), std::size_t{1});
    QCOMPARE(rows.at(2).rules.at(0).text, "logits 3 -> top-k 2");
  }

  void changedOptionsAreARow() {
    OptionsChanged changed;
    changed.options.tokenBudget = 1;
    const std::vector<Event> events = {eventOf(Boxed<OptionsChanged>(changed)), eventOf(StepStarted{0, 1})};
    QCOMPARE(
        explainStep(events, stateAfter(), letters()).at(0).text,
        "From the next step on a step computes at most 1 token. The request that came first goes first.");
  }

  // The lines that a rule stands for are in this program, whole and as they are in the sources.
  void eachDecisionHasItsSource() {
    std::set<QString> marked;
    for (QDirIterator walk(QStringLiteral(VITRINE_SOURCE_DIR "/engine"), {"*.h", "*.cpp"}, QDir::Files,
                           QDirIterator::Subdirectories);
         walk.hasNext();) {
      QFile source(walk.next());
      QVERIFY(source.open(QIODevice::ReadOnly));
      static const QRegularExpression begin(QStringLiteral("^ *// \\[why:([a-z-]+)\\]$"),
                                            QRegularExpression::MultilineOption);
      const QString code = QString::fromUtf8(source.readAll());
      for (auto match = begin.globalMatch(code); match.hasNext();) marked.insert(match.next().captured(1));
    }
    for (const prose::Excerpt& one : prose::excerpts()) {
      QVERIFY2(marked.erase(QString::fromUtf8(one.name.data(), qsizetype(one.name.size()))) == 1,
               one.name.data());
      QFile source(QStringLiteral(VITRINE_SOURCE_DIR "/") +
                   QString::fromUtf8(one.file.data(), qsizetype(one.file.size())));
      QVERIFY(source.open(QIODevice::ReadOnly));
      const QStringList lines = QString::fromUtf8(source.readAll()).split(u'\n');
      const QStringList cut = QString::fromUtf8(one.text.data(), qsizetype(one.text.size())).split(u'\n');
      QVERIFY(cut.size() > 2 && cut.size() <= 25 && cut.last().isEmpty());
      QVERIFY(!cut.first().startsWith(u' '));
      for (qsizetype i = 0; i + 1 < cut.size(); ++i)
        QCOMPARE(cut[i].trimmed(), lines[one.line - 1 + i].trimmed());
    }
    QVERIFY2(marked.empty(), "a source with marks is missing in engine/prose/CMakeLists.txt");
    for (const char* name : Names<prose::Decision>::list)
      QCOMPARE(prose::excerptOf(*fromName<prose::Decision>(name)).name, std::string_view(name));
  }

  // B is refused, and C was; D comes to be behind them.
  void aWaitIsToldInEveryStep() {
    MachineState after = stateAfter();
    for (const SequenceId id : {2, 3, 4}) after.sequences[id].id = id;
    after.waiting = {2, 3, 4};
    after.sequences[2].wait = WaitState{WaitReason::kBlocks, 3, 2, 5};
    after.sequences[3].wait = WaitState{WaitReason::kBehind, 0, 0, 6};
    after.sequences[4].wait = WaitState{WaitReason::kBehind, 0, 0, 9};
    const std::vector<Event> begun = {eventOf(StepStarted{3, 1}),
                                      eventOf(SequenceWaiting{4, WaitReason::kBehind, 0, 0, 2})};
    std::vector<Event> planned = begun;
    planned.push_back(eventOf(PhaseStarted{Phase::kPlan}, Phase::kPlan));
    QCOMPARE(explainStep(begun, after, letters()).size(), std::size_t{1});  // B may yet be admitted
    const std::vector<prose::WhyRow> rows = explainStep(planned, after, letters());
    QCOMPARE(rows.size(), std::size_t{3});
    QCOMPARE(rows[1].text, "B still waits, since step 5: needs 3 blocks, free 2 at Admit.");
    QCOMPARE(rows[2].text, "These still wait behind B (head-of-line blocking): C.");
    QCOMPARE(rows[1].rules.at(0).text, "need 3 blocks <= free - promised = 2 -> false: wait");
    QCOMPARE(rows[2].rules.at(0).text, "a sequence before it waits -> stop: admit none behind it");
    QCOMPARE(linksOf(rows[1]), QStringList({"B -> sequence 2", "5 -> step 5"}));
    QVERIFY(rows[1].warning && rows[1].sequence == 2 && rows[1].section == static_cast<int>(Phase::kAdmit));
  }

  void ofALongQueueTheFirstAreNamed() {
    MachineState after = stateAfter();
    for (SequenceId id = 1; id <= 40; ++id) {
      after.waiting.push_back(id);
      after.sequences[id].wait = WaitState{id == 1 ? WaitReason::kSequences : WaitReason::kBehind, 1, 0, 3};
    }
    const std::vector<Event> events = {eventOf(StepStarted{40, 1}),
                                       eventOf(PhaseStarted{Phase::kPlan}, Phase::kPlan)};
    const std::vector<prose::WhyRow> rows = explainStep(events, after);
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0].text, "sequence 1 still waits, since step 3: needs 1 slot, free 0 at Admit.");
    QVERIFY2(rows[1].text.ends_with("sequence 7, sequence 8 and 32 more."), rows[1].text.c_str());
  }

  // Free blocks fall from row to row, whichever sequence allocates first.
  void allocationsStandInTheirOrder() {
    const std::vector<Event> events = {
        eventOf(StepStarted{0, 2}),
        eventOf(SequenceScheduled{2, WorkKind::kPrefill, 0, 20, 20}, Phase::kPlan),
        eventOf(SequenceScheduled{1, WorkKind::kPrefill, 0, 4, 4}, Phase::kPlan),
        eventOf(BlockAllocated{4, 2, 0}, Phase::kAllocate),
        eventOf(BlockAllocated{5, 2, 1}, Phase::kAllocate),
        eventOf(BlockAllocated{6, 1, 0}, Phase::kAllocate)};
    const std::vector<prose::WhyRow> rows = explainStep(events, stateAfter(), letters());
    QCOMPARE(rows.at(2).text,
             "B allocates 2 blocks of 16 tokens for positions 0 to 19; free before: 10 blocks.");
    QCOMPARE(rows.at(3).text,
             "A allocates 1 block of 16 tokens for positions 0 to 3; free before: 8 blocks.");
  }

  void theStageThatLeftOneCandidateIsNamed() {
    const auto said = [](std::vector<SamplingStage> stages) {
      const std::vector<Event> events = {
          eventOf(StepStarted{0, 1}), eventOf(TokenSampled{1, 7, 5, -1, 0, "a"}, Phase::kSample),
          eventOf(TokenCandidates{1, 5, 7, std::move(stages), {}}, Phase::kSample)};
      const std::string text = explainStep(events, stateAfter(), letters()).at(0).text;
      return text.substr(text.find("%. ") + 3);
    };
    QCOMPARE(said({{"logits", 2048, {}}, {"temperature", 1, {}}}),
             "It is the most likely of 2048 candidates (temperature 0: greedy).");
    QCOMPARE(said({{"logits", 2048, {}}, {"temperature", 2048, {}}, {"top_k", 40, {}}, {"min_p", 1, {}}}),
             "It was the only candidate left: min-p removed 39 of 40.");
    QCOMPARE(said({{"logits", 2048, {}}, {"top_k", 40, {}}, {"top_p", 5, {}}}),
             "It was drawn from 5 candidates (top-k left 40, top-p left 5).");
    QCOMPARE(said({{"logits", 3, {}}}), "It was drawn from 3 candidates.");
  }

  void numbersAreShort() {
    QCOMPARE(prose::duration(850), "1 µs");
    QCOMPARE(prose::duration(123'400'000), "123 ms");
    QCOMPARE(prose::duration(4'200'000'000), "4.20 s");
    QCOMPARE(prose::percent(0.00001), "< 0.1 %");
    QCOMPARE(prose::byteSize(1), "1 byte");
    QCOMPARE(prose::byteSize(std::int64_t{3} << 29), "1.5 GiB");
    QCOMPARE(prose::byteSize(std::int64_t{1} << 60), "1048576.0 TiB");
    QCOMPARE(prose::shortHash(0x0123456789abcdefu), "01234567");
    QCOMPARE(prose::roofLine({12'900'000, 61.24, MemoryLevel::kThirdCache}),
             "61.2 GB/s at 12.3 MiB (third-level cache)");
    QCOMPARE(prose::roofLine({1 << 20, 312.4, MemoryLevel::kSecondCache}),
             "312 GB/s at 1.0 MiB (second-level cache)");
    QCOMPARE(prose::memoryLevel(MemoryLevel::kMemory), "memory");
  }

  void hiddenCharactersAreShown() {
    QCOMPARE(prose::visibleText(" a\t\r\n\x1b[0m\x7f"), "␣a⇥␍↵␛[0m␡");
    QCOMPARE(prose::visibleText("\u202eab\u0085\ufeff日é"), "‹202e›ab‹0085›‹feff›日é");
    QCOMPARE(prose::visibleText("\xe2\x80"), "\xe2\x80");  // half a character
  }
};

QTEST_APPLESS_MAIN(TestProse)
#include "tst_prose.moc"
