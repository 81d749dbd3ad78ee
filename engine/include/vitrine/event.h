// Events: the only way out of the engine. One variant of plain structs; every decision is an event and its
// reason is data (`needs 4 blocks, 2 free`), never prose: prose is made at the glass.
//
// The same stream feeds the Qt models, the trace file and MachineState (machine_state.h), which rebuilds the
// whole machine from any prefix of it. Within a run, `number` counts up by one without gaps.
// Thread: values; published on the engine's thread. Read next: machine_state.h, event_sink.h, trace.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "vitrine/error.h"
#include "vitrine/options.h"

namespace vitrine {

using RequestId = std::int32_t;   // 1, 2, ... in order of submission
using SequenceId = std::int32_t;  // 1, 2, ...; a request with n answers has n
using BlockId = std::int32_t;     // 0 .. numBlocks - 1

enum class Phase : std::uint8_t { kAdmit, kPlan, kAllocate, kForward, kSample, kCommit };
inline constexpr int kPhaseCount = 6;

enum class FinishReason : std::uint8_t { kStop, kLength, kCancelled, kFailed, kPruned };  // kPruned: a beam
enum class WaitReason : std::uint8_t {
  kBlocks,       // needed / available: KV blocks
  kSequences,    // needed / available: places in the running set
  kTokenBudget,  // needed / available: tokens left in this step; 0 while a running one waits for a step of
                 // its own
  kPreemption,   // the step has to preempt, so nothing is admitted; needed by the running ones / free: KV
                 // blocks
  kBehind,       // someone who goes before it waits; no numbers
  kBatch,        // its batch is closed: so many (needed) running sequences must end first
  kBeams,   // a preempted beam, until its search's first one has computed what they share; needed / computed
  kWindow,  // the batch waits for company: ms of the window / ms gone by
};
inline constexpr int kWaitReasonCount = 8;
// A sequence gives way to a running one that needs blocks (or for want of them itself), or to a more
// important waiting one that needs its place or its blocks.
enum class PreemptReason : std::uint8_t { kMemory, kImportance };
enum class WorkKind : std::uint8_t { kPrefill, kDecode };

struct ModelInfo {
  std::string name, family, path;
  int layers = 0, hiddenSize = 0, heads = 0, kvHeads = 0, headDim = 0, vocabularySize = 0;
  int contextLength = 0, slidingWindow = 0;  // slidingWindow 0: none
  std::int64_t parameters = 0, weightBytes = 0;
  std::string weightType, chatFormat;
};

struct EngineLoaded {
  ModelInfo model;
  std::string backend, device;  // "cpu", "AVX3 ..."; for people
  int threads = 0, blockSize = 0, numBlocks = 0, maxSequences = 0, tokenBudget = 0;
  std::int64_t bytesPerBlock = 0;
  KvType kvType = KvType::kSame;
  bool kvCache = true, prefixCache = true, chunkedPrefill = true;
  Eviction eviction = Eviction::kNone;  // of the context, with what stays of it:
  int sinkTokens = 0, windowTokens = 0, heavyTokens = 0;
  int keptTokens = 0;  // the most a sequence holds, whole blocks; 0 without eviction
  Batching batching = Batching::kContinuous;
  double windowMs = 0;  // for kWindow
  Policy policy = Policy::kFcfs;
  int agingSteps = 0;
  int fittingSequences = 0;  // whole contexts the pool holds: so many never preempt one another
  double loadMs = 0;
  std::uint64_t seed = 0;          // of the engine's options
  SpeculationOptions speculation;  // exitLayer as chosen
  Preemption preemption = Preemption::kRecompute;
  int hostSwapBlocks = 0, diskSwapBlocks = 0;  // for kSwap: how many blocks each tier takes
  int staleSwapFiles = 0;                      // that a process left behind when it was killed; removed
};
struct EngineFailed {
  std::string code, message, hint;
};

struct RequestSubmitted {
  RequestId request;
  std::string name, prompt;
  std::vector<TokenId> tokenIds;
  std::vector<std::string> pieces;  // one for each token, as text; empty without a tokenizer
  SamplingOptions sampling;
  int maxTokens, sequences;
  SequenceId firstSequence;  // the one that computes the prompt; the others fork from it
  int priority = 0;
  double deadlineMs = 0;  // 0: none
  // What the policy makes of these: the smaller goes first, then the smaller request id.
  std::int64_t rank = 0;
  int bestOf = 0, beamWidth = 1;
  double lengthPenalty = 1;
  EarlyStopping earlyStopping = EarlyStopping::kHeuristic;
};
struct RequestRejected {
  std::string name, code, message, hint;
};
struct RequestCancelled {
  RequestId request;
};
struct SamplingChanged {
  RequestId request;
  SamplingOptions sampling;
};
struct RequestFinished {
  RequestId request;
  FinishReason reason;  // of its last sequence
  int promptTokens, completionTokens, cachedTokens, preemptions;
  std::int64_t queueNs, ttftNs, totalNs;  // all since submission; ttft includes the queue, 0 without a token
  double deadlineMs = 0;                  // 0: none
  std::int64_t lateNs = 0;                // after its deadline; below 0: so long before it
  bool missedDeadline = false;            // it is late, and was not cancelled
};
struct RequestForgotten {
  RequestId request;
};  // it had finished; nothing is kept of it and of its sequences

struct SequenceWaiting {
  SequenceId sequence;
  WaitReason reason;
  int needed, available;
};
// It was not due yet, and from now on counts as due: its rank is the time now.
struct SequenceAged {
  SequenceId sequence;
  int steps;
  std::int64_t rank;
};  // steps since submission
struct SequenceAdmitted {
  SequenceId sequence;
  int cachedTokens, totalTokens;
  bool resumed;
  int swappedTokens = 0;  // computed before and swapped out; they come back in Allocate
};
struct SequenceScheduled {
  SequenceId sequence;
  WorkKind kind;
  int firstPosition, tokens;  // computes positions [firstPosition, firstPosition + tokens)
  int totalTokens;            // what it has; it samples when firstPosition + tokens reaches this
  int draftTokens = 0;        // of `tokens`, the last ones: proposed by the drafter and beyond totalTokens
};
enum class PreemptionCause : std::uint8_t {
  kOption,   // recompute: swapping is not on
  kNothing,  // recompute: it holds nothing that could be swapped out
  kNoRoom,   // recompute: swapBlocks are more than swapRoom
  kFailed,   // recompute: swapping was tried; the SwapFailed before this event says what went wrong
  kRoom,     // swap: there is room
  kBeams,    // recompute: beams share blocks, and swapped in each would have a copy of its own
};
struct SequencePreempted {
  SequenceId sequence, forSequence;  // forSequence needed the blocks (may be itself)
  int neededBlocks, freeBlocks;      // what forSequence needed, and what there was
  int freedBlocks, lostTokens;       // what preempting gave, and computed tokens thrown away
  Preemption how = Preemption::kRecompute;
  PreemptionCause cause = PreemptionCause::kOption;
  int swapBlocks = 0, swapRoom = 0;  // what swapping it takes, and the room there was in both tiers
  PreemptReason reason = PreemptReason::kMemory;
  int neededPlaces = 0, freePlaces = 0;  // for kImportance
};
// Without a KV cache: what was computed for this token is thrown away, and for the next one all is computed
// anew.
struct KvForgotten {
  SequenceId sequence;
  int lostTokens;
};
struct SequenceForked {
  SequenceId parent, child;
  RequestId request;
  int index, sharedBlocks;
};
// A beam none of whose continuations was kept: its place goes to another one's, with all its tokens and
// blocks.
struct SequenceReplaced {
  SequenceId sequence, parent;
  int sharedBlocks;
};
struct SequenceFinished {
  SequenceId sequence;
  FinishReason reason;
  int completionTokens;
};

struct BlockAllocated {
  BlockId block;
  SequenceId sequence;
  int index;
};  // index: place in the block table
struct BlockShared {
  BlockId block;
  SequenceId sequence;
  int index, refCount;
};  // by a fork
struct BlockHit {
  BlockId block;
  SequenceId sequence;
  int index, refCount;
  std::uint64_t hash;
};
struct BlockCopied {
  BlockId from, to;
  SequenceId sequence;
  int index;
};  // copy-on-write: `to` replaces `from`
struct BlockCached {
  BlockId block;
  std::uint64_t hash, parentHash;
};
struct BlockEvicted {
  BlockId block;
  std::uint64_t hash;
};
// A sequence's context has grown to what it may keep, so the tokens [firstPosition, firstPosition + tokens)
// leave it, and the block behind them moves to `index`. Score: the attention they had got; 0 where nobody
// counts it.
struct ContextEvicted {
  BlockId block;
  SequenceId sequence;
  int index, firstPosition, tokens;
  double score;
  int refCount;
};
struct BlockFreed {
  BlockId block;
  SequenceId sequence;
  int refCount;
};  // refCount 0: back in the free queue

// Swapping: a preempted sequence's KV leaves the pool for host memory and, when that is full, what has been
// there longest moves on to a file (FlexGen, 2303.06865, has the same three tiers).
enum class SwapTier : std::uint8_t { kHost, kDisk };
inline constexpr int kSwapTierCount = 2;
enum class SwapMove : std::uint8_t { kOut, kDemote, kIn };  // pool to tier, host to disk, tier to pool
struct BlockSwappedOut {
  BlockId block;
  SequenceId sequence;
  int index;
  SwapTier tier;
  int slot;
  std::int64_t bytes;
};
struct BlockDemoted {
  SequenceId sequence;
  int index, hostSlot, diskSlot;
  std::int64_t bytes;
};
struct BlockSwappedIn {
  BlockId block;
  SequenceId sequence;
  int index;
  SwapTier tier;
  int slot;
  std::int64_t bytes;
};
// The lost tokens will be computed again; kOut and kDemote: a SequencePreempted follows; kIn: it goes on
// running, with what stands before `index`, and leaves this step's plan.
struct SwapFailed {
  SequenceId sequence;
  SwapMove move;
  SwapTier tier;  // where to, for kIn where from
  int index;      // of the sequence's block for which it was done
  int lostTokens;
  std::string code, message, hint;  // of the EngineError
};
struct StepSwapped {  // in each step that moved something
  int outBlocks, demotedBlocks, inBlocks;
  std::int64_t outBytes, demotedBytes, inBytes, ns;
  int hostBlocks, diskBlocks;  // in use now
};

struct StepStarted {
  int waiting, running;
};
struct StepPlanned {
  int decodeTokens, prefillTokens, tokenBudget, sequences;
};
struct PhaseStarted {
  Phase phase;
};
struct StepFinished {
  std::array<std::int64_t, kPhaseCount> phaseNs;
  int tokens, sampled, waiting, running, freeBlocks,
      cachedBlocks;  // cachedBlocks: free ones still in the index
};

// Speculative decoding (arXiv 2211.17192): a draft is proposed, verified by one forward, and what was not
// accepted is rolled back.
struct DraftProposed {
  SequenceId sequence;
  DraftMethod drafter;
  int firstPosition;  // of tokens.front(): behind what the sequence has
  std::vector<TokenId> tokens;
};
enum class DraftVerdict : std::uint8_t {
  kSame,       // accepted: greedy, and the model's choice is this token
  kDiffers,    // rejected: greedy, and the model's choice is another
  kWithin,     // accepted: the uniform number drawn lies below p / q
  kBeyond,     // rejected: it does not
  kUndecided,  // not looked at: the answer ended before it, or another was rejected
};
struct DraftJudgement {
  TokenId token;
  DraftVerdict verdict;
  double p, q, uniform;  // what model and drafter gave the token, and the number drawn; 0 when greedy
};
struct DraftVerified {
  SequenceId sequence;
  int firstPosition, accepted;  // the first `accepted` judgements are acceptances
  std::vector<DraftJudgement> judgements;
};
struct DraftRolledBack {
  SequenceId sequence;
  int computedTokens, lostTokens;  // what is left, and what was computed in vain
  int freedBlocks;
};
// Published in each step that decodes while a drafter is on; `draftedTokens` 0 is a plain step to compare
// with.
struct StepSpeculated {
  int sequences, draftedSequences;  // that decode, and of them those with a draft
  int draftedTokens, acceptedTokens;
  int keptTokens;     // accepted or chosen by the model, of all that decode
  int prefillTokens;  // in the same forward: then its time is not that of decoding alone
  std::int64_t draftNs, verifyNs;
};

struct TokenSampled {
  SequenceId sequence;
  TokenId token;
  int position;      // the token's place in the sequence
  double logprob;    // under the model's own distribution
  std::string text;  // what became final of the text with this token; may be empty
};
struct Candidate {
  TokenId token;
  float probability;
};
struct SamplingStage {
  std::string name;
  int kept;
  std::vector<Candidate> top;
};                        // most likely first
struct TokenCandidates {  // detail: the first thing a full queue drops
  SequenceId sequence;
  int position;
  TokenId chosen;
  std::vector<SamplingStage> stages;
  std::vector<std::string> pieces;  // text of each token of the first stage's `top`
};
// What a step of a beam search made of one continuation (sampling/beam_search.h).
enum class BeamFate : std::uint8_t {
  kKept,      // a beam of the next step
  kFinished,  // complete, and a hypothesis: one of the best `beamWidth` so far
  kWorse,     // complete, but no better than those
  kTooLow,    // complete, but not among the best `beamWidth` continuations
  kPruned,    // not complete, and no place was left, or the search has ended
};
enum class BeamEnd : std::uint8_t {
  kNone,           // the search goes on
  kEnough,         // early stopping: as many hypotheses as beams
  kNoImprovement,  // the best beam cannot reach the worst hypothesis: bestPossible / worstFinished
  kNothingLeft,    // all that could go on are complete
};
struct BeamCandidate {
  SequenceId parent;  // the beam it continues
  TokenId token;
  std::string piece;  // the token as text; empty without a tokenizer
  double logprob, cumulative,
      score;  // the token's after penalties; the beam's sum; that / tokens^length penalty
  BeamFate fate;
  SequenceId sequence;  // kKept: the one that carries it on
  int hypothesis;       // kFinished: its number in this request, 1, 2, ...
};
// One step of the tree: a node is (length, sequence), its parent (length - 1, candidate.parent).
struct BeamStep {
  RequestId request;
  int length;                             // tokens of an answer with these continuations
  std::vector<BeamCandidate> candidates;  // best first; those kept are the next beams, best first
  std::vector<int> displaced;             // hypotheses that better ones pushed out
  int finished;                           // hypotheses there are now
  double bestPossible, worstFinished;  // what early stopping compares; 0 without a beam, without a hypothesis
  BeamEnd end;
};
// The search has ended, and this is one of its answers, the best one in the request's first sequence.
struct BeamChosen {
  SequenceId sequence;
  int hypothesis;
  std::vector<TokenId> tokenIds;  // generated; they replace what the sequence had
  std::string text;
  double score;
};
struct RankedAnswer {
  SequenceId sequence;
  double score;
  bool chosen;
};
struct AnswersRanked {
  RequestId request;
  std::vector<RankedAnswer> answers;
};  // best-of: best first

struct LayerTap {
  SequenceId sequence;
  int position, layer;
  float norm;
};  // detail: L2 norm after a layer

struct EventsDropped {
  std::int64_t details;
};  // stands for so many events in a row; has the first one's number

struct MachineState;
struct Snapshot {
  std::shared_ptr<const MachineState> state;
};  // never null; the state after the event with its number

// A body too large to lie in every event: it lies beside it, shared by all its copies and never changed, so
// that an event is small and a copy of it cheap. Reads as a T, a default one when nothing was put in.
template <typename T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : m_value(std::make_shared<const T>(std::move(value))) {}

  operator const T&() const { return **this; }
  const T& operator*() const {
    static const T kNothing{};
    return m_value ? *m_value : kNothing;
  }
  std::shared_ptr<const T> share() const { return m_value; }

 private:
  std::shared_ptr<const T> m_value;
};

using EventBody =
    std::variant<Boxed<EngineLoaded>, Boxed<EngineFailed>, Boxed<RequestSubmitted>, Boxed<RequestRejected>,
                 RequestCancelled, SamplingChanged, RequestFinished, SequenceWaiting, SequenceAged,
                 SequenceAdmitted, SequenceScheduled, SequencePreempted, KvForgotten, SequenceForked,
                 SequenceFinished, BlockAllocated, BlockShared, BlockHit, BlockCopied, BlockCached,
                 BlockEvicted, ContextEvicted, BlockFreed, StepStarted, StepPlanned, PhaseStarted,
                 StepFinished, DraftProposed, DraftVerified, DraftRolledBack, StepSpeculated, TokenSampled,
                 Boxed<TokenCandidates>, LayerTap, EventsDropped, Snapshot, BlockSwappedOut, BlockDemoted,
                 BlockSwappedIn, Boxed<SwapFailed>, StepSwapped, SequenceReplaced, Boxed<BeamStep>,
                 BeamChosen, AnswersRanked, RequestForgotten>;

struct Event {
  std::int32_t run = 0;     // which engine load this belongs to
  std::int64_t number = 0;  // 0, 1, 2, ... within the run
  std::int32_t step = 0;    // 0 before the first step
  Phase phase = Phase::kAdmit;
  std::int64_t timeNs = 0;  // monotonic, since the run began
  EventBody body;
};

static_assert(sizeof(Event) <= 128, "what is larger goes into a Boxed");

// A body as the struct it is, boxed or not.
template <typename T>
const T& unboxed(const T& body) {
  return body;
}
template <typename T>
const T& unboxed(const Boxed<T>& body) {
  return *body;
}

template <typename T, typename... Bodies>
constexpr bool isOneOf(const std::variant<Bodies...>*) {
  return (std::is_same_v<T, Bodies> || ...);
}

// The body when it is a T, boxed or not; null when it is another.
template <typename T>
const T* bodyOf(const EventBody& body) {
  if constexpr (isOneOf<T>(static_cast<const EventBody*>(nullptr))) {
    return std::get_if<T>(&body);
  } else {
    const Boxed<T>* const boxed = std::get_if<Boxed<T>>(&body);
    return boxed != nullptr ? &**boxed : nullptr;
  }
}
template <typename T>
const T* bodyOf(const Event& event) {
  return bodyOf<T>(event.body);
}
template <typename T>
bool isA(const Event& event) {
  return bodyOf<T>(event.body) != nullptr;
}

// Detail may be dropped by a full queue; everything else is lifecycle and never is.
bool isDetail(const Event& event);

}  // namespace vitrine
