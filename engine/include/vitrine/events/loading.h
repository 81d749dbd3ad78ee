// Events of loading: what model and machine an engine runs with, and under which options.
// Thread: values. Read next: requests.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vitrine/description.h"
#include "vitrine/ids.h"
#include "vitrine/ignored_tensors.h"
#include "vitrine/options.h"

namespace vitrine {

struct ModelInfo {
  std::string name, family, path;
  int layers = 0, hiddenSize = 0, heads = 0, kvHeads = 0, headDim = 0, vocabularySize = 0;
  int contextLength = 0, slidingWindow = 0;  // tokens; slidingWindow 0: none
  std::int64_t parameters = 0, weightBytes = 0;
  std::string weightType, chatFormat;
};
VITRINE_STRUCT(ModelInfo, "model_info", field("name", &T::name), field("family", &T::family),
               field("path", &T::path), field("layers", &T::layers), field("hidden_size", &T::hiddenSize),
               field("heads", &T::heads), field("kv_heads", &T::kvHeads), field("head_dim", &T::headDim),
               field("vocabulary_size", &T::vocabularySize), field("context_length", &T::contextLength),
               field("sliding_window", &T::slidingWindow), field("parameters", &T::parameters),
               field("weight_bytes", &T::weightBytes), field("weight_type", &T::weightType),
               field("chat_format", &T::chatFormat));

// The first event of a run: the options as they are in force. They are not derived from the schema, as
// SpeculationOptions are: version 3 of a trace took "device" for a text and "kv_type" for kv_dtype, and a
// field of a trace keeps its name and type.
struct EngineLoaded {
  ModelInfo model;
  std::string backend, device;  // "cpu", "AVX-512, 2 threads"; for people
  int threads = 0;              // of the host that compute; 0: a GPU does
  int blockSize = 0, numBlocks = 0, maxSequences = 0, tokenBudget = 0;
  std::int64_t bytesPerBlock = 0;
  KvType kvType = KvType::kSame;
  bool kvCache = true, prefixCache = true, chunkedPrefill = true;
  Eviction eviction = Eviction::kNone;                    // of the context
  int sinkTokens = 0, windowTokens = 0, heavyTokens = 0;  // what eviction keeps
  int keptTokens = 0;  // the most tokens a sequence holds, in whole blocks; 0 without eviction
  Batching batching = Batching::kContinuous;
  double windowMs = 0;  // for Batching::kWindow
  Policy policy = Policy::kFcfs;
  int agingSteps = 0;
  int fittingSequences = 0;  // whole contexts that the pool holds: so many never preempt one another
  double loadMs = 0;
  std::uint64_t seed = 0;  // of the engine's options
  // exitLayer as chosen. A trace without "draft_acceptance" is older than DraftAcceptance::kSameDraw.
  SpeculationOptions speculation = {.acceptance = DraftAcceptance::kRejection};
  Preemption preemption = Preemption::kRecompute;
  int hostSwapBlocks = 0, diskSwapBlocks = 0;  // capacity of each tier, for Preemption::kSwap
  int staleSwapFiles = 0;                      // removed: a killed process had left them
  std::string attention;                       // the kernel that was asked for; empty: the backend's fastest
  bool inputsRecorded = false;  // requests carry all their options, so the run can be resumed (run_script.h)
  // This run goes on from that step of another run; -1: it began by itself.
  int branchOfRun = 0, branchStep = -1;
  std::vector<IgnoredTensors> ignoredTensors;  // of the model, and of a draft model; none for most
};
VITRINE_EVENT(EngineLoaded, "engine_loaded", kEngine, field("model", &T::model),
              field("backend", &T::backend), field("device", &T::device), field("threads", &T::threads),
              field("block_size", &T::blockSize), field("num_blocks", &T::numBlocks),
              field("max_sequences", &T::maxSequences), field("token_budget", &T::tokenBudget),
              field("bytes_per_block", &T::bytesPerBlock), field("kv_type", &T::kvType),
              field("kv_cache", &T::kvCache), field("eviction", &T::eviction),
              field("sink_tokens", &T::sinkTokens), field("window_tokens", &T::windowTokens),
              field("heavy_tokens", &T::heavyTokens), field("kept_tokens", &T::keptTokens),
              field("prefix_cache", &T::prefixCache), field("chunked_prefill", &T::chunkedPrefill),
              field("batching", &T::batching), field("window_ms", &T::windowMs), field("policy", &T::policy),
              field("aging_steps", &T::agingSteps), field("fitting_sequences", &T::fittingSequences),
              field("load_ms", &T::loadMs), field("seed", &T::seed), field("speculation", &T::speculation),
              field("preemption", &T::preemption), field("host_swap_blocks", &T::hostSwapBlocks),
              field("disk_swap_blocks", &T::diskSwapBlocks), field("stale_swap_files", &T::staleSwapFiles),
              field("attention", &T::attention), field("inputs_recorded", &T::inputsRecorded),
              field("branch_of_run", &T::branchOfRun), field("branch_step", &T::branchStep),
              field("ignored_tensors", &T::ignoredTensors));

struct SequenceRank {
  SequenceId sequence = 0;
  std::int64_t rank = 0;
};
VITRINE_STRUCT(SequenceRank, "sequence_rank", field("sequence", &T::sequence), field("rank", &T::rank));

// Engine::setOptions(): these options are in force from the next step on.
struct OptionsChanged {
  int tokenBudget = 0;
  bool prefixCache = true;
  Policy policy = Policy::kFcfs;
  int agingSteps = 0;
  Preemption preemption = Preemption::kRecompute;
  int hostSwapBlocks = 0, diskSwapBlocks = 0;  // capacity of each tier
  SpeculationOptions speculation;
  std::vector<SequenceRank> ranks;  // of all sequences that wait or run, under the new policy
};
VITRINE_EVENT(OptionsChanged, "options_changed", kEngine, field("token_budget", &T::tokenBudget),
              field("prefix_cache", &T::prefixCache), field("policy", &T::policy),
              field("aging_steps", &T::agingSteps), field("preemption", &T::preemption),
              field("host_swap_blocks", &T::hostSwapBlocks), field("disk_swap_blocks", &T::diskSwapBlocks),
              field("speculation", &T::speculation), field("ranks", &T::ranks));

struct EngineFailed {
  std::string code, message, hint;  // of the EngineError
};
VITRINE_EVENT(EngineFailed, "engine_failed", kEngine, field("code", &T::code), field("message", &T::message),
              field("hint", &T::hint));

}  // namespace vitrine
