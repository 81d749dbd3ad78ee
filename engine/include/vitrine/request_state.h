// RequestState, SequenceState: requests and their sequences as MachineState holds them.
//
// Times are in nanoseconds of engine time (Event::timeNs). Thread: values. Read next: machine_state.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

// A preempted sequence waits to be computed again, a swapped one for its blocks to be swapped in.
enum class SequenceStatus : std::uint8_t { kWaiting, kRunning, kPreempted, kSwapped, kFinished };
VITRINE_NAMES(SequenceStatus, "waiting", "running", "preempted", "swapped", "finished");

// A block whose content is outside the pool.
struct SwappedBlock {
  int index = 0;  // in the sequence's block table
  SwapTier tier = SwapTier::kHost;
  int slot = 0;  // in the tier

  bool operator==(const SwappedBlock&) const = default;
};
VITRINE_STRUCT(SwappedBlock, "swapped_block", field("index", &T::index), field("tier", &T::tier),
               field("slot", &T::slot));

// Why the scheduler did not admit a sequence, as in the last SequenceWaiting event.
struct WaitState {
  WaitReason reason = WaitReason::kBlocks;
  int needed = 0, available = 0;  // the two numbers of the reason (events/scheduling.h)
  int step = 0;                   // of the event; reason and numbers hold since then

  bool operator==(const WaitState&) const = default;
};
VITRINE_STRUCT(WaitState, "wait_state", field("reason", &T::reason), field("needed", &T::needed),
               field("available", &T::available), field("step", &T::step));

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
  std::vector<SwappedBlock> swapped = {};  // by index; swapped in, they follow the blocks of blockTable
  double score = 0;  // of an answer of a beam search or of best-of (BeamChosen, AnswersRanked)
  // Of a sequence that waits; empty until the scheduler has first refused it, and again since its admission.
  std::optional<WaitState> wait = {};
  std::optional<PrefixMissed> prefixMiss = {};  // of its first admission; a fork has none

  bool operator==(const SequenceState&) const = default;
};
VITRINE_STRUCT(SequenceState, "sequence_state", field("id", &T::id), field("request", &T::request),
               field("index", &T::index), field("status", &T::status), field("tokens", &T::tokens),
               field("prompt_tokens", &T::promptTokens), field("computed_tokens", &T::computedTokens),
               field("cached_tokens", &T::cachedTokens), field("preemptions", &T::preemptions),
               field("rank", &T::rank), field("block_table", &T::blockTable), field("text", &T::text),
               field("finish_reason", &T::finishReason), field("draft", &T::draft),
               field("evicted_tokens", &T::evictedTokens), field("block_starts", &T::blockStarts),
               field("swapped", &T::swapped), field("score", &T::score), field("wait", &T::wait),
               field("prefix_miss", &T::prefixMiss));

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
  std::int64_t submittedNs = 0;               // time of its RequestSubmitted event
  std::int64_t firstTokenNs = -1;  // time of its first TokenSampled or BeamChosen event; -1: none yet
  int givenTokens = 0;             // of each answer, the forced beginning (RequestSubmitted::outputIds)

  bool searches() const { return beamWidth > 1; }  // with beams
  // Time from submission to the first token, queue included; 0 without a token, as in RequestFinished.
  std::int64_t ttftNs() const { return firstTokenNs < 0 ? 0 : firstTokenNs - submittedNs; }
  bool operator==(const RequestState&) const = default;
};
VITRINE_STRUCT(RequestState, "request_state", field("id", &T::id), field("name", &T::name),
               field("prompt", &T::prompt), field("max_tokens", &T::maxTokens),
               field("sequences", &T::sequences), field("finished", &T::finished),
               field("cancelled", &T::cancelled), field("priority", &T::priority),
               field("deadline_ms", &T::deadlineMs), field("beam_width", &T::beamWidth),
               field("beams", &T::beams), field("hypotheses", &T::hypotheses),
               field("submitted_ns", &T::submittedNs), field("first_token_ns", &T::firstTokenNs),
               field("given_tokens", &T::givenTokens));

}  // namespace vitrine
