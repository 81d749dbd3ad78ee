// One entry for each option of the engine, speculation included, in the order in which they are shown.
//
// A text that begins with an option's name names it as the command line spells it. Read next: options.h.
#pragma once

#include <tuple>

#include "vitrine/option_info.h"
#include "vitrine/options.h"

namespace vitrine {

inline constexpr Condition kWithWindow{
    "--batching window", [](const EngineOptions& o) { return o.batching == Batching::kWindow; }};
inline constexpr Condition kWithAging{"a policy other than fcfs",
                                      [](const EngineOptions& o) { return o.policy != Policy::kFcfs; }};
inline constexpr Condition kWithPriority{
    "--policy priority", [](const EngineOptions& o) { return o.policy == Policy::kPriority; }};
inline constexpr Condition kWithDeadline{
    "--policy deadline", [](const EngineOptions& o) { return o.policy == Policy::kDeadline; }};
inline constexpr Condition kWithCache{"the KV cache", [](const EngineOptions& o) { return o.kvCache; }};
inline constexpr Condition kWithoutBlockCount{"--num-blocks 0",
                                              [](const EngineOptions& o) { return o.numBlocks == 0; }};
inline constexpr Condition kWithSwap{
    "--preemption swap", [](const EngineOptions& o) { return o.preemption == Preemption::kSwap; }};
inline constexpr Condition kWithSwapFile{
    "--disk-swap", [](const EngineOptions& o) { return kWithSwap.holds(o) && o.diskSwapBytes > 0; }};
inline constexpr Condition kWithEviction{
    "--eviction", [](const EngineOptions& o) { return o.eviction != Eviction::kNone; }};
inline constexpr Condition kWithHeavyHitters{
    "--eviction heavy", [](const EngineOptions& o) { return o.eviction == Eviction::kHeavyHitters; }};
inline constexpr Condition kWithCpu{"--device cpu",
                                    [](const EngineOptions& o) { return o.device == Device::kCpu; }};
inline constexpr Condition kWithGpu{"--device cuda",
                                    [](const EngineOptions& o) { return o.device == Device::kCuda; }};
inline constexpr Condition kWithOwnCpuKernels{
    "--device cpu with --kernels native",
    [](const EngineOptions& o) { return kWithCpu.holds(o) && o.kernels == Kernels::kNative; }};
inline constexpr Condition kWithDrafts{
    "--draft", [](const EngineOptions& o) { return o.speculation.drafter != DraftMethod::kNone; }};
inline constexpr Condition kWithEarlyExit{
    "--draft exit", [](const EngineOptions& o) { return o.speculation.drafter == DraftMethod::kEarlyExit; }};
inline constexpr Condition kWithDraftModel{
    "--draft model", [](const EngineOptions& o) { return o.speculation.drafter == DraftMethod::kModel; }};
inline constexpr Condition kWithNgrams{
    "--draft ngram", [](const EngineOptions& o) { return o.speculation.drafter == DraftMethod::kNgram; }};

inline constexpr int kMaxTokenCount = 1 << 24;  // of a budget, or of what an eviction keeps

template <>
struct OptionTable<EngineOptions> {
  using O = EngineOptions;
  using P = OptionPage;
  static constexpr auto list = std::tuple{
      option(&O::maxSequences, {.key = "max_sequences",
                                .label = "Sequences at &once",
                                .help = "sequences that run at once",
                                .page = P::kScheduling,
                                .zero = "as many whole contexts as the pool holds",
                                .least = 0,
                                .most = 65536}),
      option(&O::tokenBudget,
             {.key = "token_budget",
              .label = "Token b&udget of a step",
              .help = "tokens that one step computes at most; longer prompts are cut into chunks",
              .page = P::kScheduling,
              .unit = "tokens",
              .least = 1,
              .most = kMaxTokenCount}),
      option(&O::chunkedPrefill,
             {.key = "chunked_prefill",
              .label = "&Chunked prefill",
              .help = "cut long prompts into chunks, so that sequences that decode need not wait",
              .page = P::kScheduling,
              .off = "compute a prompt in one step"}),
      option(&O::batching, {.key = "batching",
                            .label = "B&atching",
                            .help = "when a request may join the running ones",
                            .page = P::kScheduling,
                            .labels = {"Continuous: join and leave at every step",
                                       "Static: a batch runs until all of it is done",
                                       "Sequential: one request after another",
                                       "Window: like static, but a batch waits for more requests"}}),
      option(&O::windowMs, {.key = "window_ms",
                            .label = "&Window",
                            .help = "time that an idle engine collects a batch after the first arrival",
                            .page = P::kScheduling,
                            .unit = "ms",
                            .least = 0,
                            .most = 60000,
                            .when = &kWithWindow}),
      option(&O::policy,
             {.key = "policy",
              .label = "Order of &requests",
              .help = "order in which requests are admitted",
              .page = P::kScheduling,
              .labels = {"First come, first served", "By priority", "By deadline", "Shortest first"}}),
      option(&O::agingSteps,
             {.key = "aging_steps",
              .label = "A&ges after",
              .help = "a request rises by one point of priority, or counts as due, after so many steps",
              .page = P::kScheduling,
              .unit = "steps",
              .zero = "never",
              .least = 0,
              .most = kMaxAgingSteps,
              .when = &kWithAging}),
      option(&O::numBlocks,
             {.key = "num_blocks",
              .label = "KV &blocks",
              .help = "blocks in the KV pool; with few of them requests wait and are preempted",
              .page = P::kMemory,
              .zero = "as many as the KV memory holds",
              .least = 0,
              .most = kMaxBlocks}),
      option(&O::kvMemoryBytes, {.key = "kv_memory",
                                 .label = "KV m&emory",
                                 .help = "memory for the KV pool",
                                 .page = P::kMemory,
                                 .unit = "bytes",
                                 .zero = "what running sequences need; on the CPU at most 1 GiB",
                                 .least = 0,
                                 .when = &kWithoutBlockCount}),
      option(&O::blockSize,
             {.key = "block_size",
              .label = "Block s&ize",
              .help = "tokens in a KV block; larger blocks waste more of the last one of a sequence",
              .page = P::kMemory,
              .unit = "tokens",
              .least = 1,
              .most = 256}),
      option(&O::kvCache, {.key = "kv_cache",
                           .label = "&KV cache",
                           .help = "keep keys and values, so that each token is computed once",
                           .page = P::kMemory,
                           .off = "compute everything anew for each token"}),
      option(&O::prefixCache,
             {.key = "prefix_cache",
              .label = "&Prefix cache",
              .help = "keep the KV of finished requests and share it with later ones that begin the same",
              .page = P::kMemory,
              .off = "compute every prompt anew",
              .when = &kWithCache}),
      option(&O::kvType, {.key = "kv_dtype",
                          .label = "Keys and &values as",
                          .help = "how keys and values are stored; int8 holds 3.8 times the tokens of "
                                  "float32 in the same memory, 1.9 times those of 16 bits",
                          .page = P::kMemory,
                          .labels = {"Floats, as they are computed", "int8"}}),
      option(&O::preemption, {.key = "preemption",
                              .label = "Preempted se&quences",
                              .help = "what happens to the KV of a preempted sequence",
                              .page = P::kMemory,
                              .labels = {"Are computed again", "Are swapped out and in again"}}),
      option(&O::hostSwapBytes, {.key = "host_swap",
                                 .label = "S&wap to memory",
                                 .help = "memory beside the pool for blocks that are swapped out",
                                 .page = P::kMemory,
                                 .unit = "bytes",
                                 .least = 0,
                                 .when = &kWithSwap}),
      option(&O::diskSwapBytes,
             {.key = "disk_swap",
              .label = "Swap to a &file",
              .help = "size of a file for blocks that do not fit into the memory for swapping",
              .page = P::kMemory,
              .unit = "bytes",
              .zero = "no file",
              .least = 0,
              .when = &kWithSwap}),
      option(&O::swapFolder,
             {.key = "swap_folder",
              .label = "Fol&der of the file",
              .help = "folder of the swap file; empty: the system's folder for temporary files",
              .page = P::kMemory,
              .text = TextKind::kFolder,
              .when = &kWithSwapFile}),
      option(&O::eviction,
             {.key = "eviction",
              .label = "&Long contexts",
              .help = "what is evicted when a sequence reaches the limit of its context",
              .page = P::kMemory,
              .labels = {"Nothing: the sequence ends", "All but first and last tokens (StreamingLLM)",
                         "The least attended tokens between them (H2O)"}}),
      option(&O::sinkTokens, {.key = "sink_tokens",
                              .label = "First tokens kept",
                              .help = "first tokens that stay, the attention sinks",
                              .page = P::kMemory,
                              .unit = "tokens",
                              .least = 0,
                              .most = 1 << 20,
                              .when = &kWithEviction}),
      option(&O::windowTokens, {.key = "window_tokens",
                                .label = "Last tokens kept",
                                .help = "last tokens that stay, the window",
                                .page = P::kMemory,
                                .unit = "tokens",
                                .least = 1,
                                .most = kMaxTokenCount,
                                .when = &kWithEviction}),
      option(&O::heavyTokens,
             {.key = "heavy_tokens",
              .label = "Heavy hitters kept",
              .help = "tokens between first and last ones that stay, those with the most attention so far",
              .page = P::kMemory,
              .unit = "tokens",
              .least = 0,
              .most = kMaxTokenCount,
              .when = &kWithHeavyHitters}),
      option(&O::device, {.key = "device",
                          .label = "&Device",
                          .help = "where to compute; a GPU keeps weights, keys and values in its own memory",
                          .page = P::kComputing,
                          .labels = {"CPU", "GPU (CUDA)"}}),
      option(&O::threads, {.key = "threads",
                           .label = "T&hreads",
                           .help = "threads that compute",
                           .page = P::kComputing,
                           .zero = "one for each core",
                           .least = 0,
                           .most = 1024,
                           .when = &kWithCpu}),
      option(&O::kernels, {.key = "kernels",
                           .label = "&Kernels",
                           .help = "Vitrine's own kernels, or those of libtorch",
                           .page = P::kComputing,
                           .labels = {"Vitrine's own", "libtorch, the reference"}}),
      option(
          &O::attention,
          {.key = "attention",
           .label = "&Attention",
           .help = "reference computes all scores of a token, flash passes over tiles; default: the fastest",
           .page = P::kComputing,
           .text = TextKind::kAttentionKernel,
           .when = &kWithOwnCpuKernels}),
      option(&O::decoding,
             {.key = "decode",
              .label = "Decodin&g steps as",
              .help =
                  "kernels one by one, one graph of them, or one persistent kernel where a step fits into it",
              .page = P::kComputing,
              .labels = {"The fastest", "Kernels, one by one", "A graph", "One persistent kernel"},
              .when = &kWithGpu}),
      option(
          &O::batchInvariant,
          {.key = "batch_invariant",
           .label = "&Batch invariance",
           .help = "off lets NVIDIA's cuBLASLt multiply more than 16 rows, and tokens depend on the batch; "
                   "weights of 16 bits take twice the memory",
           .page = P::kComputing,
           .labels = {"On: a row's own order", "Off: cuBLASLt's products"},
           .when = &kWithGpu}),
      option(
          &O::overlap,
          {.key = "overlap",
           .label = "O&verlap of steps",
           .help = "begins the forward of the next step before tokens are drawn, where every sequence of a "
                   "step is greedy and goes on by one token",
           .page = P::kComputing,
           .labels = {"On: the next forward begins early", "Off: one step after the other"},
           .when = &kWithGpu}),
      option(&O::weightType, {.key = "dtype",
                              .label = "&Weights in",
                              .help = "type of the weights in memory",
                              .page = P::kComputing,
                              .labels = {"The type in their file", "float32", "bfloat16", "float16"}}),
      option(&O::quantization,
             {.key = "weights",
              .label = "&Quantized to",
              .help = "quantization of the weights: less memory, more speed, a little less accuracy",
              .page = P::kComputing,
              .labels = {"Not at all", "int8", "int4"}}),
      option(&O::seed, {.key = "seed",
                        .label = "S&eed",
                        .help = "mixed into the seed of every request",
                        .page = P::kComputing,
                        .offered = false}),
  };
};

template <>
struct OptionTable<SpeculationOptions> {
  using O = SpeculationOptions;
  static constexpr OptionPage kPage = OptionPage::kSpeculation;
  static constexpr auto list = std::tuple{
      option(&O::drafter, {.key = "draft",
                           .label = "&Drafter",
                           .help = "source of draft tokens, which one forward pass of the model verifies",
                           .page = kPage,
                           .labels = {"None", "The model's own first layers", "A second, smaller model",
                                      "An earlier position in the text (n-gram)"}}),
      option(&O::draftLength, {.key = "draft_length",
                               .label = "Tokens in a d&raft",
                               .help = "tokens drafted at a time",
                               .page = kPage,
                               .unit = "tokens",
                               .least = 1,
                               .most = 16,
                               .when = &kWithDrafts}),
      option(&O::adaptive, {.key = "draft_adaptive",
                            .label = "Ch&oose the length",
                            .help = "choose shorter drafts when measured costs and acceptance say so",
                            .page = kPage,
                            .when = &kWithDrafts}),
      option(&O::acceptance,
             {.key = "draft_acceptance",
              .label = "Dra&wn tokens",
              .help = "when a drawn token is accepted: if the model draws it too with the same random "
                      "number, so that drafts change no answer, or by rejection sampling",
              .page = kPage,
              .labels = {"Accepted if the model draws the same", "Accepted by rejection sampling"},
              .when = &kWithDrafts}),
      option(&O::exitLayer, {.key = "exit_layer",
                             .label = "First &layers",
                             .help = "number of first layers that draft",
                             .page = kPage,
                             .unit = "layers",
                             .zero = "as the model recommends",
                             .least = 0,
                             .when = &kWithEarlyExit}),
      option(&O::draftModel, {.key = "draft_model",
                              .label = "Draft model's &folder",
                              .help = "a Hugging Face folder of a smaller model with the same vocabulary",
                              .page = kPage,
                              .text = TextKind::kFolder,
                              .when = &kWithDraftModel}),
      option(&O::ngramLength, {.key = "ngram_length",
                               .label = "&N-gram",
                               .help = "the longest ending of the text that is looked up",
                               .page = kPage,
                               .unit = "tokens",
                               .least = 1,
                               .most = 16,
                               .when = &kWithNgrams}),
  };
};

}  // namespace vitrine
