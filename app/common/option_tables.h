// The options of a request and of the engine, each named once: as snake_case keys in request and scenario
// files, and with dashes on the command line.
//
// What the contract names but a later stage of Vitrine builds is here too, so that it is answered with a
// clear error and never passed over in silence. Read next: option_tables.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/json_files.h"
#include "vitrine/chat_format.h"
#include "vitrine/engine.h"

namespace vitrine {

struct RequestArguments {
  Request request;
  bool chat = false;  // the prompt is a user's message, to be written in the model's chat format
  std::string earlyStopping = "heuristic";

  // Checks what was given. Throws UsageError, or EngineError(kUnsupported) for what is not available yet.
  void validate() const;
  // The request as the engine takes it, its prompt written in `format` when it is a chat.
  Request toRequest(const ChatFormat& format) const;
};

struct EngineArguments {
  std::string model, device = "cpu", dtype, weights = "same", kvDtype = "same", policy = "fcfs";
  std::string batching = "continuous", preemption = "recompute", kernels = "native", eviction = "none",
              draft = "off";
  bool noPrefixCache = false, noChunkedPrefill = false, noKvCache = false;
  EngineOptions options;

  EngineOptions toOptions() const;               // throws like RequestArguments::validate()
  std::filesystem::path modelDirectory() const;  // the built-in one by default
};

// visit(key, member, help) for each option that a request line and `generate` share.
template <typename Visit>
void visitRequestOptions(RequestArguments& a, const Visit& visit) {
  SamplingOptions& sampling = a.request.sampling;
  visit("chat", a.chat, "write the prompt as a user's message in the model's chat format");
  visit("max_tokens", a.request.maxTokens, "tokens to generate for each answer");
  visit("ignore_eos", a.request.ignoreEos, "go on after the end token");
  visit("stop", a.request.stop, "a string that ends the text (may be given several times)");
  visit("temperature", sampling.temperature, "0 is greedy");
  visit("top_k", sampling.topK, "keep the k most likely tokens; 0 keeps all");
  visit("top_p", sampling.topP, "keep the fewest tokens whose mass reaches p");
  visit("min_p", sampling.minP, "drop what is less likely than p times the most likely");
  visit("repetition_penalty", sampling.repetitionPenalty,
        "above 1 makes tokens of prompt and answer less likely");
  visit("presence_penalty", sampling.presencePenalty, "subtracted once from a token already in the answer");
  visit("frequency_penalty", sampling.frequencyPenalty,
        "subtracted for each time a token stands in the answer");
  visit("seed", sampling.seed, "same seed, same tokens");
  visit("n", a.request.sequences, "answers to one prompt");
  visit("best_of", a.request.bestOf, "draw so many answers and give the best -n; 0: as many as -n");
  visit("beam_width", a.request.beamWidth, "beams to search with");
  visit("length_penalty", a.request.lengthPenalty, "score = cumulative logprob / length^penalty");
  visit("early_stopping", a.earlyStopping,
        "when a beam search ends: true, heuristic (or false), never, as in transformers");
  visit("priority", a.request.priority, "for --policy priority: the larger goes first");
  visit("deadline_ms", a.request.deadlineMs, "for --policy deadline: wished end, since submission; 0: none");
  visit("logprobs", a.request.logprobs, "report so many alternatives for each token");
}

// visit(key, member pointer's value, help, allowed words or {}) for each engine option but the seed.
template <typename Visit>
void visitEngineOptions(EngineArguments& a, const Visit& visit) {
  using Words = std::vector<std::string>;
  visit("model", a.model, "a Hugging Face model directory", Words{});
  visit("device", a.device, "where to compute", Words{"cpu", "cuda"});
  visit("dtype", a.dtype, "type the weights are kept in; default: as stored", Words{"f32", "bf16", "f16"});
  visit("weights", a.weights, "quantization of the weights", Words{"same", "int8", "int4"});
  visit("kv_dtype", a.kvDtype, "quantization of the KV cache", Words{"same", "int8"});
  visit("threads", a.options.threads, "0: one for each core", Words{});
  visit("block_size", a.options.blockSize, "tokens in a KV block", Words{});
  visit("num_blocks", a.options.numBlocks, "KV blocks in the pool; 0: as many as --kv-memory holds", Words{});
  visit("kv_memory", a.options.kvMemoryBytes, "bytes for the KV cache; 0: a fitting amount", Words{});
  visit("max_sequences", a.options.maxSequences,
        "sequences that run at once; 0: whole contexts that the pool holds", Words{});
  visit("token_budget", a.options.tokenBudget, "tokens in one step", Words{});
  visit("policy", a.policy, "order of requests", Words{"fcfs", "priority", "deadline"});
  visit("batching", a.batching, "how requests share steps",
        Words{"continuous", "window", "static", "sequential"});
  visit("window_ms", a.options.windowMs, "for --batching window: how long a batch waits for company",
        Words{});
  visit("aging_steps", a.options.agingSteps,
        "a request rises by a priority every so many steps; with deadlines it is due when so old; 0: never",
        Words{});
  visit("no_prefix_cache", a.noPrefixCache, "compute every prompt anew", Words{});
  visit("no_chunked_prefill", a.noChunkedPrefill, "compute a prompt in one step", Words{});
  visit("no_kv_cache", a.noKvCache, "compute everything anew for each token", Words{});
  visit("preemption", a.preemption, "what happens to the KV of a preempted sequence",
        Words{"recompute", "swap"});
  visit("host_swap", a.options.hostSwapBytes, "for --preemption swap: bytes of memory for blocks swapped out",
        Words{});
  visit("disk_swap", a.options.diskSwapBytes, "bytes of a file for what the memory does not hold; 0: no file",
        Words{});
  visit("swap_folder", a.options.swapFolder, "where that file lies; default: the temporary folder", Words{});
  visit("attention", a.options.attention, "the attention kernel; default: the fastest",
        attentionKernelNames());
  visit("eviction", a.eviction, "what a context longer than allowed gives up",
        Words{"none", "sinks", "heavy"});
  visit("sink_tokens", a.options.sinkTokens, "for --eviction: first tokens that stay", Words{});
  visit("window_tokens", a.options.windowTokens, "for --eviction: last tokens that stay", Words{});
  visit("heavy_tokens", a.options.heavyTokens, "for --eviction heavy: most attended tokens that stay",
        Words{});
  visit("draft", a.draft, "source of draft tokens for speculative decoding",
        Words{"off", "exit", "model", "ngram"});
  visit("draft_length", a.options.speculation.draftLength, "tokens drafted at a time", Words{});
  visit("draft_adaptive", a.options.speculation.adaptive, "shorten drafts while few are accepted", Words{});
  visit("exit_layer", a.options.speculation.exitLayer,
        "for --draft exit: layers of the draft; 0: as recommended", Words{});
  visit("draft_model", a.options.speculation.draftModel, "for --draft model: a smaller model's directory",
        Words{});
  visit("ngram_length", a.options.speculation.ngramLength, "for --draft ngram: the longest ending looked up",
        Words{});
  visit("kernels", a.kernels, "Vitrine's kernels or libtorch's", Words{"native", "reference"});
}

// Takes a key of a request line or of a scenario's options; false when there is no such key. Throws
// UsageError for a value of the wrong kind.
bool takeRequestKey(RequestArguments& arguments, const std::string& key, const Json& value);
bool takeEngineKey(EngineArguments& arguments, const std::string& key, const Json& value);

}  // namespace vitrine
