// MachineState: the whole machine as the events tell it, a pure function of an event prefix.
//
// apply() one event after another and the state after step N is the machine after step N, with no model and
// no GPU: this is how the window goes back, how a trace replays, and how a late joiner catches up. The
// engine builds the same value from its real structures (Engine::snapshot()); the two must be equal, which
// is a test. Thread: a value. Read next: recording.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

// kPreempted waits to be computed again, kSwapped for its KV to come back.
enum class SequenceStatus : std::uint8_t { kWaiting, kRunning, kPreempted, kSwapped, kFinished };
VITRINE_NAMES(SequenceStatus, "waiting", "running", "preempted", "swapped", "finished");

// A block's content outside the pool.
struct SwappedBlock {
  int index = 0;  // place in the sequence's block table
  SwapTier tier = SwapTier::kHost;
  int slot = 0;  // place in the tier

  bool operator==(const SwappedBlock&) const = default;
};
VITRINE_STRUCT(SwappedBlock, "swapped_block", field("index", &T::index), field("tier", &T::tier),
               field("slot", &T::slot));

struct SequenceState {
  SequenceId id = 0;
  RequestId request = 0;
  int index = 0;  // which of the request's answers
  SequenceStatus status = SequenceStatus::kWaiting;
  std::vector<TokenId> tokens;  // prompt, then output
  int promptTokens = 0;
  int computedTokens = 0;  // tokens whose KV is in the cache
  int cachedTokens = 0;    // of them, found in the prefix index at the last admission
  int preemptions = 0;
  std::int64_t rank = 0;  // by policy: the smaller goes first
  std::vector<BlockId> blockTable;
  std::string text;                                 // output so far
  FinishReason finishReason = FinishReason::kStop;  // when finished
  std::vector<TokenId> draft = {};                  // proposed in this step, after `tokens`
  // Computed tokens that were evicted from the context, in whole blocks; then the first position in each
  // block of the table. 0 and empty as long as the whole context is there.
  int evictedTokens = 0;
  std::vector<int> blockStarts = {};
  std::vector<SwappedBlock> swapped =
      {};            // by index; these blocks follow blockTable when they are swapped in
  double score = 0;  // of an answer of a beam search or of best-of (BeamChosen, AnswersRanked)

  bool operator==(const SequenceState&) const = default;
};
VITRINE_STRUCT(SequenceState, "sequence_state", field("id", &T::id), field("request", &T::request),
               field("index", &T::index), field("status", &T::status), field("tokens", &T::tokens),
               field("prompt_tokens", &T::promptTokens), field("computed_tokens", &T::computedTokens),
               field("cached_tokens", &T::cachedTokens), field("preemptions", &T::preemptions),
               field("rank", &T::rank), field("block_table", &T::blockTable), field("text", &T::text),
               field("finish_reason", &T::finishReason), field("draft", &T::draft),
               field("evicted_tokens", &T::evictedTokens), field("block_starts", &T::blockStarts),
               field("swapped", &T::swapped), field("score", &T::score));

// A beam search in flight.
struct BeamState {
  SequenceId sequence = 0;
  double cumulative = 0;  // sum of its tokens' logprobs after penalties

  bool operator==(const BeamState&) const = default;
};
VITRINE_STRUCT(BeamState, "beam_state", field("sequence", &T::sequence), field("cumulative", &T::cumulative));
struct HypothesisState {
  int number = 0;
  double score = 0;

  bool operator==(const HypothesisState&) const = default;
};
VITRINE_STRUCT(HypothesisState, "hypothesis_state", field("number", &T::number), field("score", &T::score));

struct RequestState {
  RequestId id = 0;
  std::string name, prompt;
  int maxTokens = 0;
  std::vector<SequenceId> sequences;
  bool finished = false, cancelled = false;
  int priority = 0;
  double deadlineMs = 0;  // since submission; 0: none
  int beamWidth = 1;
  std::vector<BeamState> beams{};             // best first; empty before the first step and after the last
  std::vector<HypothesisState> hypotheses{};  // complete answers, best first

  bool operator==(const RequestState&) const = default;
};
VITRINE_STRUCT(RequestState, "request_state", field("id", &T::id), field("name", &T::name),
               field("prompt", &T::prompt), field("max_tokens", &T::maxTokens),
               field("sequences", &T::sequences), field("finished", &T::finished),
               field("cancelled", &T::cancelled), field("priority", &T::priority),
               field("deadline_ms", &T::deadlineMs), field("beam_width", &T::beamWidth),
               field("beams", &T::beams), field("hypotheses", &T::hypotheses));

struct BlockState {
  int refCount = 0;
  int filled = 0;          // tokens with KV in it
  bool cached = false;     // in the prefix index
  std::uint64_t hash = 0;  // of the chain up to it, when cached

  bool operator==(const BlockState&) const = default;
};

// What one sequence computes in the step in flight.
struct ScheduledWork {
  SequenceId sequence = 0;
  WorkKind kind = WorkKind::kPrefill;
  int firstPosition = 0, tokens = 0;
  int draftTokens = 0;  // of `tokens`, the last ones

  bool operator==(const ScheduledWork&) const = default;
};
VITRINE_STRUCT(ScheduledWork, "scheduled_work", field("sequence", &T::sequence), field("kind", &T::kind),
               field("first_position", &T::firstPosition), field("tokens", &T::tokens),
               field("draft_tokens", &T::draftTokens));

struct MachineState {
  int step = 0;
  int blockSize = 0;
  std::vector<BlockState> blocks;
  std::vector<BlockId> freeQueue;  // next to be taken first
  std::map<RequestId, RequestState> requests;
  std::map<SequenceId, SequenceState> sequences;
  // Each sorted by rank, then by request; a request's own sequences by index.
  std::vector<SequenceId> waiting, running;
  std::vector<ScheduledWork> batch;              // from the plan until the forward has computed it
  std::array<int, kSwapTierCount> swapBlocks{};  // how many blocks each tier takes

  // An EngineLoaded begins anew, a Snapshot replaces all. Requires events of one run, in order; an event that
  // contradicts the state throws EngineError(kFileCorrupt), since only a damaged trace can hold one.
  void apply(const Event& event);

  bool operator==(const MachineState&) const = default;
};

}  // namespace vitrine
