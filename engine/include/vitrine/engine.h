// Engine: a model, a KV cache and a scheduler that turn requests into tokens, one step at a time.
//
// step() is the lesson: admit, plan, allocate, forward, sample, commit. Continuous batching follows Orca
// (OSDI '22), paged KV follows PagedAttention (arXiv 2309.06180), chunked prefill follows Sarathi
// (2308.16369). The law: batching, chunking, preemption, prefix hits never change a request's tokens; on the
// CPU the logits are the same to the bit.
// Thread: one thread at a time, every method; nothing here is asynchronous. Read next: event.h, options.h.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vitrine/chat_format.h"
#include "vitrine/event_sink.h"
#include "vitrine/machine_state.h"

namespace vitrine {

// What an answer came to, for a program that wants results rather than events.
struct TokenLogprob {
  TokenId token;
  double logprob;
  std::vector<std::pair<TokenId, double>> top;
};
struct SequenceResult {
  std::vector<TokenId> tokenIds;  // generated
  std::string text;
  FinishReason reason = FinishReason::kStop;
  double cumulativeLogprob = 0;        // under the model's own distribution
  double score = 0;                    // cumulative logprob / tokens^length penalty; a beam's after penalties
  std::vector<TokenLogprob> logprobs;  // when the request asked
};
struct RequestResult {
  RequestId id = 0;
  std::string name;
  std::vector<SequenceResult> sequences;
  int promptTokens = 0, cachedTokens = 0, preemptions = 0;
  std::int64_t queueNs = 0, ttftNs = 0, totalNs = 0;
  double deadlineMs = 0;  // as in RequestFinished
  std::int64_t lateNs = 0;
};

// The model's raw view of one prompt, computed apart from the running requests.
struct ForwardReport {
  std::vector<std::vector<float>> logits;  // [position][vocabulary]
  std::vector<std::vector<float>> hidden;  // [layer][position * hiddenSize], embeddings first, the last
};                                         // after the final norm; empty unless asked for

// What detail a watcher wants; none by default, since detail is not free.
struct Detail {
  int candidates = 0;       // how many of each sampling stage's candidates to publish
  std::vector<int> layers;  // layers whose hidden norms to publish
};

class Engine {
 public:
  // 0..1 and what is being done ("weights"). Returning false cancels: load throws EngineError(kCancelled).
  using Progress = std::function<bool(double fraction, const char* what)>;
  // Called before each phase of a step; may block to hold the machine inside a step. It may call the engine:
  // submit() joins the queue at once; cancel(), forget() and setSampling() are carried out when the step has
  // ended; what only looks is free; but not step(). What it throws fails the step. An EventSink must not call
  // the engine.
  using Gate = std::function<void(Phase next)>;

  // Loads a Hugging Face model directory. The sink must outlive the engine. Publishes EngineLoaded.
  // Throws EngineError; nothing is published then, the caller turns it into what its user sees.
  static std::unique_ptr<Engine> load(const std::filesystem::path& modelDirectory,
                                      const EngineOptions& options, EventSink& sink,
                                      const Progress& progress = {});
  virtual ~Engine() = default;

  // Queues a request. Throws EngineError for what can never be done (after publishing RequestRejected):
  // a prompt beyond the context, more blocks than the pool has, ids outside the vocabulary.
  virtual RequestId submit(Request request) = 0;
  virtual void cancel(RequestId request) = 0;  // no effect when it has finished
  // Frees all that is kept of a finished request, its result too; a host that lives long calls this for each,
  // nobody does it for it. Throws EngineError when it has not finished. Publishes RequestForgotten. From then
  // on its id is that of a request that has finished: isFinished() says so, cancel(), setSampling() and
  // another forget() have no effect; only takeResult() throws EngineError, as for a result that was handed
  // over.
  virtual void forget(RequestId request) = 0;

  virtual bool hasWork() const = 0;
  // One scheduler iteration; does nothing without work. When a phase fails with an EngineError or for want of
  // memory, the step publishes EngineFailed, the requests that were running end as kFailed (when none ran,
  // the first waiting one), and the engine goes on with the others. Any other exception is a bug: it passes
  // through, after the same clearing up.
  virtual void step() = 0;
  // For so long a step would find nothing to do, since a batching window is open: whoever steps in a loop
  // sleeps meanwhile, or until it has something to submit or to cancel. 0: step now.
  virtual std::int64_t idleNs() const = 0;
  void run();  // until there is no more work; sleeps while it is idle

  // Changes how the tokens after this step are chosen; prompt and cache stay. No effect when finished.
  virtual void setSampling(RequestId request, const SamplingOptions& sampling) = 0;

  virtual void setGate(Gate gate) = 0;
  virtual void setDetail(Detail detail) = 0;

  // The finished request's answer, handed over once; requires that it has finished.
  virtual RequestResult takeResult(RequestId request) = 0;
  virtual bool isFinished(RequestId request) const = 0;

  virtual MachineState snapshot() const = 0;  // from the real structures; equals the events' replay
  virtual const EngineLoaded& description() const = 0;
  virtual const Tokenizer* tokenizer() const = 0;  // null for a directory without tokenizer files
  virtual const ChatFormat& chatFormat() const = 0;

  virtual ForwardReport examine(std::span<const TokenId> tokens, bool hiddenStates) = 0;
  // The sampler's stages after `tokens`, all candidates kept; generated counts the last ids that are output.
  virtual std::vector<SamplingStage> distribution(std::span<const TokenId> tokens, int generated,
                                                  const SamplingOptions& sampling) = 0;
};

// What EngineOptions::attention may name, alphabetically; Engine::load() refuses anything else.
std::vector<std::string> attentionKernelNames();

// The directory of the model that ships with the program; empty when it is not installed.
std::filesystem::path builtinModelDirectory();

}  // namespace vitrine
