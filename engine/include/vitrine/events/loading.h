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
#include "vitrine/packed_copy.h"

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

// The first event of a run. What it shares with OptionsChanged is described in events/event_fields.h: each
// option is a field.
struct EngineLoaded {
  ModelInfo model;
  std::string backend, device;  // "cpu", "AVX-512, 2 threads"; for people
  int threads = 0;              // of the host that compute; 0: a GPU does
  std::int64_t bytesPerBlock = 0;
  // In force: as asked, with the blocks, sequences, prefix cache, arithmetic of products, kernel of attention
  // and exit layer that were chosen. A trace without "draft_acceptance" is older than
  // DraftAcceptance::kSameDraw, one without "compute" older than products in int8; none lacks "block_size".
  EngineOptions options = {
      .compute = Compute::kF32, .blockSize = 0, .speculation = {.acceptance = DraftAcceptance::kRejection}};
  int keptTokens = 0;        // the most that a sequence holds, in whole blocks; 0 without eviction
  int fittingSequences = 0;  // whole contexts that the pool holds: so many never preempt one another
  double loadMs = 0;
  int hostSwapBlocks = 0, diskSwapBlocks = 0;  // capacity of each tier, for Preemption::kSwap
  int staleSwapFiles = 0;                      // removed: a killed process had left them
  bool inputsRecorded = false;  // requests carry all their options, so the run can be resumed (run_script.h)
  // This run goes on from that step of another run; -1: it began by itself.
  int branchOfRun = 0, branchStep = -1;
  std::vector<IgnoredTensors> ignoredTensors;  // of the model, and of a draft model; none for most
  PackedCopy packedCopy = PackedCopy::kNone;   // where the model's packed weights came from
  // Of another program's engine, as its clients see it: "http://10.0.0.5:8000". Empty: one of ours. Its steps
  // are what came at once, its pool has the cached blocks that it tells of (options.numBlocks is 0), and its
  // prompts are without tokens. What a field cannot have from outside is as by default.
  std::string server = {};

  bool isFromOutside() const { return !server.empty(); }
};

struct SequenceRank {
  SequenceId sequence = 0;
  std::int64_t rank = 0;
};
VITRINE_STRUCT(SequenceRank, "sequence_rank", field("sequence", &T::sequence), field("rank", &T::rank));

// Engine::setOptions(): these options are in force from the next step on.
struct OptionsChanged {
  EngineOptions options;                       // of OptionScope::kStep; a trace lacks the others
  int hostSwapBlocks = 0, diskSwapBlocks = 0;  // capacity of each tier
  std::vector<SequenceRank> ranks;             // of all sequences that wait or run, under the new policy
};

struct EngineFailed {
  std::string code, message, hint;  // of the EngineError
};
VITRINE_REPORT(EngineFailed, "engine_failed", kEngine, field("code", &T::code), field("message", &T::message),
               field("hint", &T::hint));

}  // namespace vitrine
