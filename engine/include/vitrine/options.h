// How an engine computes: its options. Those of a request are in request.h.
//
// Plain values with sensible defaults; validate() names what is wrong. Names and meanings follow the command
// line (engine/README.md). Ranges, units and texts are in option_schema.h. Thread: values. Read next:
// request.h, engine.h.
#pragma once

#include <cstdint>
#include <string>

#include "vitrine/names.h"
#include "vitrine/request.h"

namespace vitrine {

enum class Device { kCpu, kCuda };
VITRINE_NAMES(Device, "cpu", "cuda");
enum class WeightType { kAsStored, kF32, kBf16, kF16 };
VITRINE_NAMES(WeightType, "stored", "f32", "bf16", "f16");
enum class Quantization {
  kNone,
  kInt8,
  kInt4
};  // of weight matrices, a scale for 32 weights, for 128 in products in int8 (2208.07339)
VITRINE_NAMES(Quantization, "same", "int8", "int4");
enum class KvType { kSame, kBf16, kInt8 };  // int8: a scale for each head and slot of a block
VITRINE_NAMES(KvType, "same", "bf16", "int8");
// Of products on the CPU: float32; bf16, with bf16 weights and activations rounded to it; int8, with int8 and
// int4 weights or a GGUF file's blocks, and activations quantized for each row and group of inputs. kAuto:
// int8 where it is offered, else float32, chosen when the model is loaded; engine/README.md has what it
// costs.
enum class Compute { kAuto, kF32, kBf16, kInt8 };
VITRINE_NAMES(Compute, "auto", "f32", "bf16", "int8");
enum class Kernels { kNative, kReference };  // ours, or libtorch's ATen
VITRINE_NAMES(Kernels, "native", "reference");
// How a GPU is told what to compute in a step in which every sequence has one token: each kernel by itself;
// all of them as one graph, recorded before; or one kernel for all layers, where the step fits into it, else
// a graph. kAuto: the fastest that was seen. All of them give the same bits.
enum class Decoding { kAuto, kEager, kGraph, kPersistent };
VITRINE_NAMES(Decoding, "auto", "eager", "graph", "persistent");
// Whether a GPU computes a row in one order, whatever the batch around it, so that a request's tokens depend
// on itself alone. kOff: products of many rows are NVIDIA's library's, which orders sums as it likes.
enum class BatchInvariance { kOn, kOff };
VITRINE_NAMES(BatchInvariance, "on", "off");
// Whether a GPU begins the forward of the next step while the host draws, commits and plans: the batch is
// foreseen where it can be, with the tokens that the GPU itself finds most likely, and what was not foreseen
// is computed as without. Steps, tokens and events are the same.
enum class Overlap { kOn, kOff };
VITRINE_NAMES(Overlap, "on", "off");
// Whether packed weights are kept on disk for the next start (vitrine/packed_copy.h). No bit depends on it.
enum class PackedCopyUse { kKeep, kOff };
VITRINE_NAMES(PackedCopyUse, "keep", "off");
enum class Policy { kFcfs, kPriority, kDeadline, kShortest };  // the order of requests: scheduling/policy.h
VITRINE_NAMES(Policy, "fcfs", "priority", "deadline", "shortest");
enum class Batching { kContinuous, kStatic, kSequential, kWindow };
VITRINE_NAMES(Batching, "continuous", "static", "sequential", "window");
enum class Preemption { kRecompute, kSwap };  // what happens to the KV of a preempted sequence
VITRINE_NAMES(Preemption, "recompute", "swap");
// What is evicted when a sequence reaches the limit of its context: nothing (the sequence ends), all but the
// first tokens and a window (StreamingLLM, 2309.17453), or the tokens that receive the least attention (H2O,
// 2306.14048).
enum class Eviction { kNone, kSinks, kHeavyHitters };
VITRINE_NAMES(Eviction, "none", "sinks", "heavy");
// The source of draft tokens, which one forward verifies (2211.17192): none, the model's own first layers
// (LayerSkip, 2404.16710), a second model, or an earlier position in the context with the same last tokens.
enum class DraftMethod { kNone, kEarlyExit, kModel, kNgram };
VITRINE_NAMES(DraftMethod, "off", "exit", "model", "ngram");

// When a draft token is accepted that the drafter has drawn (a greedy one: when the model chooses it too).
// kSameDraw: the drafter and the model draw with the same random number of that position, and the model draws
// the same token. The answer is then the one without drafts (drafter-invariant speculation, 2408.07978).
// kRejection: with probability min(1, p/q), by a random number of its own (2211.17192). The answer follows
// the same distribution, but is another one.
enum class DraftAcceptance { kSameDraw, kRejection };
VITRINE_NAMES(DraftAcceptance, "same-draw", "rejection");

struct SpeculationOptions {
  DraftMethod drafter = DraftMethod::kNone;
  int draftLength = 4;          // tokens proposed at a time, 1..16
  bool adaptive = false;        // let the acceptance so far choose a length up to draftLength
  int exitLayer = 0;            // for kEarlyExit; 0: what the model's config recommends
  std::string draftModel = {};  // for kModel: a directory with the same vocabulary
  int ngramLength = 3;          // for kNgram: the longest ending looked up
  DraftAcceptance acceptance = DraftAcceptance::kSameDraw;
};

inline constexpr int kMaxBlocks = 1 << 20;  // in a KV pool: what a trace may make its reader allocate

inline constexpr int kDefaultSequences = 16;
inline constexpr int kMaxAgingSteps = 1 << 20;

struct EngineOptions {
  Device device = Device::kCpu;
  Kernels kernels = Kernels::kNative;
  WeightType weightType = WeightType::kAsStored;
  Quantization quantization =
      Quantization::kNone;  // kInt4 keeps the head in int8, since its errors reach the logits
  Compute compute = Compute::kAuto;
  int threads = 0;     // 0: one for each core
  int blockSize = 16;  // tokens in a KV block, 1..256
  int numBlocks = 0;   // KV blocks in the pool; 0: from kvMemoryBytes
  // 0: enough for maxSequences whole contexts, at most 1 GiB; on a GPU at most what it has free.
  std::int64_t kvMemoryBytes = 0;
  // Sequences that run at once. 0: as many whole contexts as the pool holds, so that no sequence is ever
  // preempted for memory, but at most tokenBudget, since each takes at least one token of it in a step.
  int maxSequences = kDefaultSequences;
  int tokenBudget = 512;  // tokens in one forward, >= 1
  Batching batching = Batching::kContinuous;
  double windowMs = 50;  // for kWindow: how long an idle engine collects a batch after the first arrival
  Policy policy = Policy::kFcfs;
  // A request rises by one point of priority each agingSteps steps; kShortest: 64 tokens are one point;
  // kDeadline: it counts as due after agingSteps steps. 0: never.
  int agingSteps = 64;
  bool kvCache = true;  // false computes everything anew for each token
  bool prefixCache = true;
  bool chunkedPrefill = true;
  KvType kvType = KvType::kSame;
  Decoding decoding = Decoding::kAuto;
  BatchInvariance batchInvariant = BatchInvariance::kOn;
  Overlap overlap = Overlap::kOn;
  PackedCopyUse packedCopies = PackedCopyUse::kKeep;
  std::string attention = {};  // a name of the attention registry; empty: the backend's best
  Preemption preemption = Preemption::kRecompute;
  std::int64_t hostSwapBytes = std::int64_t{1} << 28;  // for kSwap: first to memory beside the pool,
  std::int64_t diskSwapBytes = 0;                      // then to a file in swapFolder; 0: no file
  std::string swapFolder = {};                         // empty: the system's folder for temporary files
  Eviction eviction = Eviction::kNone;
  int sinkTokens = 4;      // for kSinks and kHeavyHitters: the first tokens, kept for ever
  int windowTokens = 256;  // and the last ones
  int heavyTokens = 128;   // for kHeavyHitters: those between with the most attention
  SpeculationOptions speculation = {};
  std::uint64_t seed = 0;  // mixed into every request's own seed

  void validate() const;  // throws EngineError(kInvalidArgument)
};

}  // namespace vitrine
