// What can be asked of the engine: its options, a request, and how a request's tokens are chosen.
//
// Plain values with sensible defaults; validate() names what is wrong. Names and meanings follow the command
// line (engine/README.md), which follows the field: vLLM's and OpenAI's sampling parameters, Hugging Face's
// order of the stages. Thread: values. Read next: engine.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vitrine/tokenizer.h"

namespace vitrine {

// How the next token is chosen, in the order the stages run.
struct SamplingOptions {
  double repetitionPenalty = 1.0;  // > 0; divides positive logits of tokens seen in prompt or output (CTRL, 1909.05858)
  double presencePenalty = 0.0;    // subtracted once from a token already in the output
  double frequencyPenalty = 0.0;   // subtracted once for each time a token stands in the output
  double temperature = 0.0;        // >= 0; 0 is greedy: the largest logit, the smaller id on a tie
  int topK = 0;                    // keep the k most likely; 0 keeps all
  double topP = 1.0;               // (0, 1]; nucleus: the fewest tokens whose mass reaches p (1904.09751)
  double minP = 0.0;               // [0, 1]; drop what is less likely than minP times the most likely (2407.01082)
  std::uint64_t seed = 0;

  void validate() const;  // throws EngineError(kInvalidArgument)
};

struct Request {
  std::string name;               // the caller's own id; empty: the engine gives "r1", "r2", ...
  std::string prompt;             // text, used when tokenIds is empty
  std::vector<TokenId> tokenIds;  // the prompt as ids; wins over prompt
  bool addSpecialTokens = true;   // when the prompt is text
  SamplingOptions sampling;
  int maxTokens = 128;            // tokens to generate for each sequence, >= 1; the context's end stops earlier
  bool ignoreEos = false;
  std::vector<std::string> stop;  // strings that end the text and are not part of it
  int sequences = 1;              // n answers from one prompt, sharing its blocks
  int logprobs = 0;               // how many alternatives to report for each token; 0 none
  std::uint64_t cacheSalt = 0;    // requests share cached prefixes only with the same salt

  void validate() const;
};

enum class Device { kCpu, kCuda };
enum class WeightType { kAsStored, kF32, kBf16 };  // float16 files are widened to float32 on the CPU
enum class Kernels { kNative, kReference };        // ours, or libtorch's ATen
enum class Batching { kContinuous, kStatic, kSequential };

inline constexpr int kMaxBlocks = 1 << 20;  // in a KV pool: what a trace may make its reader allocate

struct EngineOptions {
  Device device = Device::kCpu;
  Kernels kernels = Kernels::kNative;
  WeightType weightType = WeightType::kAsStored;
  int threads = 0;               // 0: one for each core
  int blockSize = 16;            // tokens in a KV block, 1..256
  int numBlocks = 0;             // KV blocks in the pool; 0: from kvMemoryBytes
  std::int64_t kvMemoryBytes = 0;  // 0: enough for maxSequences whole contexts, at most 1 GiB
  int maxSequences = 16;         // running at once
  int tokenBudget = 512;         // tokens in one forward, >= 1
  Batching batching = Batching::kContinuous;
  bool prefixCache = true;
  bool chunkedPrefill = true;
  std::uint64_t seed = 0;        // mixed into every request's own seed

  void validate() const;
};

}  // namespace vitrine
