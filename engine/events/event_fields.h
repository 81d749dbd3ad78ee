// Every event's fields, each named once: the trace format's dictionary (json_fields.h walks it both ways).
// To add an event: a struct in event.h, its name in kEventNames at the same place as in EventBody, its fields
// here.
#pragma once

#include "events/json_fields.h"
#include "vitrine/event.h"
#include "vitrine/machine_state.h"
#include "vitrine/request_option_table.h"

namespace vitrine {

inline constexpr std::array<const char*, std::variant_size_v<EventBody>> kEventNames = {
    "engine_loaded",      "engine_failed",      "request_submitted", "request_rejected", "request_cancelled",
    "sampling_changed",   "request_finished",   "sequence_waiting",  "sequence_aged",    "sequence_admitted",
    "sequence_scheduled", "sequence_preempted", "kv_forgotten",      "sequence_forked",  "sequence_finished",
    "block_allocated",    "block_shared",       "block_hit",         "block_copied",     "block_cached",
    "block_evicted",      "context_evicted",    "block_freed",       "step_started",     "step_planned",
    "phase_started",      "step_finished",      "draft_proposed",    "draft_verified",   "draft_rolled_back",
    "step_speculated",    "token_sampled",      "token_candidates",  "layer_tap",        "events_dropped",
    "snapshot",           "block_swapped_out",  "block_demoted",     "block_swapped_in", "swap_failed",
    "step_swapped",       "sequence_replaced",  "beam_step",         "beam_chosen",      "answers_ranked",
    "request_forgotten"};

VITRINE_NAMES(Phase, "admit", "plan", "allocate", "forward", "sample", "commit");
VITRINE_NAMES(FinishReason, "stop", "length", "cancelled", "failed", "pruned");
VITRINE_NAMES(BeamFate, "kept", "finished", "worse", "too_low", "pruned");
VITRINE_NAMES(BeamEnd, "none", "enough", "no_improvement", "nothing_left");
VITRINE_NAMES(WaitReason, "blocks", "sequences", "token_budget", "preemption", "behind", "batch", "beams",
              "window");
static_assert(Names<WaitReason>::list.size() == kWaitReasonCount);
VITRINE_NAMES(PreemptReason, "memory", "importance");
VITRINE_NAMES(WorkKind, "prefill", "decode");
VITRINE_NAMES(DraftVerdict, "same", "differs", "within", "beyond", "undecided");
VITRINE_NAMES(SequenceStatus, "waiting", "running", "preempted", "swapped", "finished");
VITRINE_NAMES(PreemptionCause, "option", "nothing", "no_room", "failed", "room", "beams");
VITRINE_NAMES(SwapTier, "host", "disk");
VITRINE_NAMES(SwapMove, "out", "demote", "in");

#define VITRINE_FIELDS(type, ...)                         \
  template <>                                             \
  struct Fields<type> {                                   \
    using T = type;                                       \
    static constexpr auto list = std::tuple{__VA_ARGS__}; \
  }
#define F(name, member) \
  Field { name, &T::member }
VITRINE_FIELDS(ModelInfo, F("name", name), F("family", family), F("path", path), F("layers", layers),
               F("hidden_size", hiddenSize), F("heads", heads), F("kv_heads", kvHeads),
               F("head_dim", headDim), F("vocabulary_size", vocabularySize),
               F("context_length", contextLength), F("sliding_window", slidingWindow),
               F("parameters", parameters), F("weight_bytes", weightBytes), F("weight_type", weightType),
               F("chat_format", chatFormat));
VITRINE_FIELDS(SpeculationOptions, F("drafter", drafter), F("draft_length", draftLength),
               F("adaptive", adaptive), F("exit_layer", exitLayer), F("draft_model", draftModel),
               F("ngram_length", ngramLength));
VITRINE_FIELDS(EngineLoaded, F("model", model), F("backend", backend), F("device", device),
               F("threads", threads), F("block_size", blockSize), F("num_blocks", numBlocks),
               F("max_sequences", maxSequences), F("token_budget", tokenBudget),
               F("bytes_per_block", bytesPerBlock), F("kv_type", kvType), F("kv_cache", kvCache),
               F("eviction", eviction), F("sink_tokens", sinkTokens), F("window_tokens", windowTokens),
               F("heavy_tokens", heavyTokens), F("kept_tokens", keptTokens), F("prefix_cache", prefixCache),
               F("chunked_prefill", chunkedPrefill), F("batching", batching), F("window_ms", windowMs),
               F("policy", policy), F("aging_steps", agingSteps), F("fitting_sequences", fittingSequences),
               F("load_ms", loadMs), F("seed", seed), F("speculation", speculation),
               F("preemption", preemption), F("host_swap_blocks", hostSwapBlocks),
               F("disk_swap_blocks", diskSwapBlocks), F("stale_swap_files", staleSwapFiles));
VITRINE_FIELDS(EngineFailed, F("code", code), F("message", message), F("hint", hint));
template <>
struct Fields<SamplingOptions> {  // under the keys of the schema
  static constexpr auto list = std::apply(
      [](const auto&... option) {
        return std::tuple{Field{option.info.key, option.field}...};
      },
      OptionTable<SamplingOptions>::list);
};
VITRINE_FIELDS(RequestSubmitted, F("request", request), F("name", name), F("prompt", prompt),
               F("token_ids", tokenIds), F("pieces", pieces), F("sampling", sampling),
               F("max_tokens", maxTokens), F("sequences", sequences), F("first_sequence", firstSequence),
               F("priority", priority), F("deadline_ms", deadlineMs), F("rank", rank), F("best_of", bestOf),
               F("beam_width", beamWidth), F("length_penalty", lengthPenalty),
               F("early_stopping", earlyStopping));
VITRINE_FIELDS(RequestRejected, F("name", name), F("code", code), F("message", message), F("hint", hint));
VITRINE_FIELDS(RequestCancelled, F("request", request));
VITRINE_FIELDS(RequestForgotten, F("request", request));
VITRINE_FIELDS(SamplingChanged, F("request", request), F("sampling", sampling));
VITRINE_FIELDS(RequestFinished, F("request", request), F("reason", reason), F("prompt_tokens", promptTokens),
               F("completion_tokens", completionTokens), F("cached_tokens", cachedTokens),
               F("preemptions", preemptions), F("queue_ns", queueNs), F("ttft_ns", ttftNs),
               F("total_ns", totalNs), F("deadline_ms", deadlineMs), F("late_ns", lateNs),
               F("missed_deadline", missedDeadline));
VITRINE_FIELDS(SequenceWaiting, F("sequence", sequence), F("reason", reason), F("needed", needed),
               F("available", available));
VITRINE_FIELDS(SequenceAged, F("sequence", sequence), F("steps", steps), F("rank", rank));
VITRINE_FIELDS(SequenceAdmitted, F("sequence", sequence), F("cached_tokens", cachedTokens),
               F("total_tokens", totalTokens), F("resumed", resumed), F("swapped_tokens", swappedTokens));
VITRINE_FIELDS(SequenceScheduled, F("sequence", sequence), F("kind", kind),
               F("first_position", firstPosition), F("tokens", tokens), F("total_tokens", totalTokens),
               F("draft_tokens", draftTokens));
VITRINE_FIELDS(SequencePreempted, F("sequence", sequence), F("for_sequence", forSequence),
               F("needed_blocks", neededBlocks), F("free_blocks", freeBlocks), F("freed_blocks", freedBlocks),
               F("lost_tokens", lostTokens), F("how", how), F("cause", cause), F("swap_blocks", swapBlocks),
               F("swap_room", swapRoom), F("reason", reason), F("needed_places", neededPlaces),
               F("free_places", freePlaces));
VITRINE_FIELDS(KvForgotten, F("sequence", sequence), F("lost_tokens", lostTokens));
VITRINE_FIELDS(SequenceForked, F("parent", parent), F("child", child), F("request", request),
               F("index", index), F("shared_blocks", sharedBlocks));
VITRINE_FIELDS(SequenceReplaced, F("sequence", sequence), F("parent", parent),
               F("shared_blocks", sharedBlocks));
VITRINE_FIELDS(SequenceFinished, F("sequence", sequence), F("reason", reason),
               F("completion_tokens", completionTokens));
VITRINE_FIELDS(BlockAllocated, F("block", block), F("sequence", sequence), F("index", index));
VITRINE_FIELDS(BlockShared, F("block", block), F("sequence", sequence), F("index", index),
               F("ref_count", refCount));
VITRINE_FIELDS(BlockHit, F("block", block), F("sequence", sequence), F("index", index),
               F("ref_count", refCount), HashField<T>{"hash", &T::hash});
VITRINE_FIELDS(BlockCopied, F("from", from), F("to", to), F("sequence", sequence), F("index", index));
VITRINE_FIELDS(BlockCached, F("block", block), HashField<T>{"hash", &T::hash},
               HashField<T>{"parent_hash", &T::parentHash});
VITRINE_FIELDS(BlockEvicted, F("block", block), HashField<T>{"hash", &T::hash});
VITRINE_FIELDS(ContextEvicted, F("block", block), F("sequence", sequence), F("index", index),
               F("first_position", firstPosition), F("tokens", tokens), F("score", score),
               F("ref_count", refCount));
VITRINE_FIELDS(BlockFreed, F("block", block), F("sequence", sequence), F("ref_count", refCount));
VITRINE_FIELDS(BlockSwappedOut, F("block", block), F("sequence", sequence), F("index", index),
               F("tier", tier), F("slot", slot), F("bytes", bytes));
VITRINE_FIELDS(BlockDemoted, F("sequence", sequence), F("index", index), F("host_slot", hostSlot),
               F("disk_slot", diskSlot), F("bytes", bytes));
VITRINE_FIELDS(BlockSwappedIn, F("block", block), F("sequence", sequence), F("index", index), F("tier", tier),
               F("slot", slot), F("bytes", bytes));
VITRINE_FIELDS(SwapFailed, F("sequence", sequence), F("move", move), F("tier", tier), F("index", index),
               F("lost_tokens", lostTokens), F("code", code), F("message", message), F("hint", hint));
VITRINE_FIELDS(StepSwapped, F("out_blocks", outBlocks), F("demoted_blocks", demotedBlocks),
               F("in_blocks", inBlocks), F("out_bytes", outBytes), F("demoted_bytes", demotedBytes),
               F("in_bytes", inBytes), F("ns", ns), F("host_blocks", hostBlocks),
               F("disk_blocks", diskBlocks));
VITRINE_FIELDS(StepStarted, F("waiting", waiting), F("running", running));
VITRINE_FIELDS(StepPlanned, F("decode_tokens", decodeTokens), F("prefill_tokens", prefillTokens),
               F("token_budget", tokenBudget), F("sequences", sequences));
VITRINE_FIELDS(PhaseStarted, F("phase", phase));
VITRINE_FIELDS(StepFinished, F("phase_ns", phaseNs), F("tokens", tokens), F("sampled", sampled),
               F("waiting", waiting), F("running", running), F("free_blocks", freeBlocks),
               F("cached_blocks", cachedBlocks));
VITRINE_FIELDS(DraftProposed, F("sequence", sequence), F("drafter", drafter),
               F("first_position", firstPosition), F("tokens", tokens));
VITRINE_FIELDS(DraftJudgement, F("token", token), F("verdict", verdict), F("p", p), F("q", q),
               F("uniform", uniform));
VITRINE_FIELDS(DraftVerified, F("sequence", sequence), F("first_position", firstPosition),
               F("accepted", accepted), F("judgements", judgements));
VITRINE_FIELDS(DraftRolledBack, F("sequence", sequence), F("computed_tokens", computedTokens),
               F("lost_tokens", lostTokens), F("freed_blocks", freedBlocks));
VITRINE_FIELDS(StepSpeculated, F("sequences", sequences), F("drafted_sequences", draftedSequences),
               F("drafted_tokens", draftedTokens), F("accepted_tokens", acceptedTokens),
               F("kept_tokens", keptTokens), F("prefill_tokens", prefillTokens), F("draft_ns", draftNs),
               F("verify_ns", verifyNs));
VITRINE_FIELDS(TokenSampled, F("sequence", sequence), F("token", token), F("position", position),
               F("logprob", logprob), F("text", text));
VITRINE_FIELDS(Candidate, F("token", token), F("probability", probability));
VITRINE_FIELDS(SamplingStage, F("name", name), F("kept", kept), F("top", top));
VITRINE_FIELDS(TokenCandidates, F("sequence", sequence), F("position", position), F("chosen", chosen),
               F("stages", stages), F("pieces", pieces));
VITRINE_FIELDS(BeamCandidate, F("parent", parent), F("token", token), F("piece", piece),
               F("logprob", logprob), F("cumulative", cumulative), F("score", score), F("fate", fate),
               F("sequence", sequence), F("hypothesis", hypothesis));
VITRINE_FIELDS(BeamStep, F("request", request), F("length", length), F("candidates", candidates),
               F("displaced", displaced), F("finished", finished), F("best_possible", bestPossible),
               F("worst_finished", worstFinished), F("end", end));
VITRINE_FIELDS(BeamChosen, F("sequence", sequence), F("hypothesis", hypothesis), F("token_ids", tokenIds),
               F("text", text), F("score", score));
VITRINE_FIELDS(RankedAnswer, F("sequence", sequence), F("score", score), F("chosen", chosen));
VITRINE_FIELDS(AnswersRanked, F("request", request), F("answers", answers));
VITRINE_FIELDS(LayerTap, F("sequence", sequence), F("position", position), F("layer", layer),
               F("norm", norm));
VITRINE_FIELDS(EventsDropped, F("details", details));
VITRINE_FIELDS(BeamState, F("sequence", sequence), F("cumulative", cumulative));
VITRINE_FIELDS(HypothesisState, F("number", number), F("score", score));
VITRINE_FIELDS(RequestState, F("id", id), F("name", name), F("prompt", prompt), F("max_tokens", maxTokens),
               F("sequences", sequences), F("finished", finished), F("cancelled", cancelled),
               F("priority", priority), F("deadline_ms", deadlineMs), F("beam_width", beamWidth),
               F("beams", beams), F("hypotheses", hypotheses));
VITRINE_FIELDS(SwappedBlock, F("index", index), F("tier", tier), F("slot", slot));
VITRINE_FIELDS(SequenceState, F("id", id), F("request", request), F("index", index), F("status", status),
               F("tokens", tokens), F("prompt_tokens", promptTokens), F("computed_tokens", computedTokens),
               F("cached_tokens", cachedTokens), F("preemptions", preemptions), F("rank", rank),
               F("block_table", blockTable), F("text", text), F("finish_reason", finishReason),
               F("draft", draft), F("evicted_tokens", evictedTokens), F("block_starts", blockStarts),
               F("swapped", swapped), F("score", score));
VITRINE_FIELDS(ScheduledWork, F("sequence", sequence), F("kind", kind), F("first_position", firstPosition),
               F("tokens", tokens), F("draft_tokens", draftTokens));
#undef F
#undef VITRINE_FIELDS

}  // namespace vitrine
