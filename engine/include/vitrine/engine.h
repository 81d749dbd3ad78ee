// Engine: a model, a KV cache and a scheduler that turn requests into tokens, one step at a time.
//
// step() is the lesson: admit, plan, allocate, forward, sample, commit. Continuous batching follows Orca
// (OSDI '22), paged KV follows PagedAttention (arXiv 2309.06180), chunked prefill follows Sarathi
// (2308.16369). The law: batching, chunking, preemption, prefix hits never change a request's tokens; on the
// CPU the logits are the same to the bit.
// Engine time is what batching windows, deadlines, and the times in events, results and statistics are
// measured in. It stands still inside a gate, and between steps after stopClock(), so a host that pauses the
// machine for a reader changes no decision and no measured time.
// Thread: all methods of an engine on one thread at a time; nothing is asynchronous. A method throws
// std::bad_alloc when memory is short, and then has changed nothing that it has not published. A const method
// publishes nothing. Read next: options.h, event.h, results.h.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vitrine/chat_format.h"
#include "vitrine/devices.h"
#include "vitrine/event_sink.h"
#include "vitrine/inside.h"
#include "vitrine/machine_roof.h"
#include "vitrine/machine_state.h"
#include "vitrine/results.h"
#include "vitrine/run_script.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

// Detail to publish; none by default, since detail costs time.
struct Detail {
  int candidates = 0;       // how many of each sampling stage's candidates to publish
  std::vector<int> layers;  // layers whose hidden norms to publish
  bool entropy = false;     // whether to measure TokenSampled::entropy
  bool operations = false;  // whether to measure the operations of a forward (events/forward.h)
  bool operator==(const Detail&) const = default;
};

class Engine {
 public:
  // Called with the fraction done, 0..1, and the present work ("weights"). Returning false cancels: load()
  // throws EngineError(kCancelled).
  using Progress = std::function<bool(double fraction, const char* what)>;
  // Called on the engine's thread before each phase of a step. It may block, to pause the machine inside a
  // step; engine time stands still meanwhile. It may call the engine, except step(): submit() joins the queue
  // at once; cancel(), forget() and setSampling() take effect at the end of the step; const methods are free.
  // An exception from it fails the step. (An EventSink, in contrast, must not call the engine.)
  using Gate = std::function<void(Phase next)>;

  // Loads a Hugging Face model directory. The sink must outlive the engine. Publishes EngineLoaded. Throws
  // EngineError with any code but kContextTooLong and kIo, and then publishes nothing.
  static std::unique_ptr<Engine> load(const std::filesystem::path& modelDirectory,
                                      const EngineOptions& options, EventSink& sink,
                                      const Progress& progress = {});
  // The same in float32 arithmetic over the very numbers that options.quantization makes of the weights for
  // products in options.compute (in int8 a scale belongs to more of them). Its logits tell what rounding the
  // weights costs; those of load() beside them, what the arithmetic adds. The numbers are kept as float32.
  // Throws also kUnsupported for other kernels than the CPU's own.
  static std::unique_ptr<Engine> loadRounded(const std::filesystem::path& modelDirectory,
                                             const EngineOptions& options, EventSink& sink,
                                             const Progress& progress = {});
  virtual ~Engine() = default;

  // Queues a request; it may be admitted in the next step. Publishes RequestSubmitted. A request that cannot
  // run publishes RequestRejected and throws EngineError: kInvalidArgument (options out of range, an empty
  // prompt, ids outside the vocabulary, more answers than slots), kUnavailable (text without a tokenizer),
  // kFileCorrupt (Tokenizer::encode()), kContextTooLong, kOutOfMemory (more blocks than the pool has).
  virtual RequestId submit(Request request) = 0;
  // Ends a request with what it has; no effect on a finished one. Throws EngineError(kInvalidArgument) for an
  // id that was never given. Publishes RequestCancelled; for each sequence SequenceFinished and BlockFreed;
  // AnswersRanked for best-of; RequestFinished. From a gate: all of this at the end of the step.
  virtual void cancel(RequestId request) = 0;
  // Frees everything that is kept of a finished request, its result included. The engine never does it by
  // itself, so a host that runs for long calls it for each request. Publishes RequestForgotten. Throws
  // EngineError(kInvalidArgument) for an id that was never given, or a request that has not finished. From
  // then on isFinished() is true; cancel(), setSampling() and another forget() have no effect; takeResult()
  // throws EngineError, as for a result that was taken. From a gate: at the end of the step.
  virtual void forget(RequestId request) = 0;

  // A request waits or runs, or the script of a resumed engine has one to come.
  virtual bool hasWork() const = 0;
  // One scheduler iteration; does nothing without work. When a phase fails with an EngineError or for lack of
  // memory, the step publishes EngineFailed, and the running requests end as kFailed (if none runs, the first
  // waiting one); the engine goes on with the others. Any other exception is a bug: it passes through, after
  // the same cleanup.
  virtual void step() = 0;
  // Engine time until the next step has work, in nanoseconds: an open batching window computes nothing. A
  // host that steps in a loop sleeps for that long, or until it submits or cancels. 0: step now.
  virtual std::int64_t idleNs() const = 0;
  // Starts the clock, and steps until there is no more work; sleeps for idleNs() before each step. Errors as
  // step().
  void run();

  // Whether engine time passes between steps. Inside a step it always does, except inside a gate. None of
  // these may be called from a gate. The clock runs when the engine has loaded. They publish nothing.
  virtual void stopClock() = 0;
  virtual void startClock() = 0;
  // Lets engine time pass at once: a host that has stopped the clock steps out of an open batching window
  // with passTime(idleNs()). Requires ns >= 0.
  virtual void passTime(std::int64_t ns) = 0;

  // Changes how the following tokens are chosen; prompt and cache stay. No effect on a finished request.
  // Throws EngineError(kInvalidArgument) for an id that was never given, and for options out of range or that
  // do not fit the request. Publishes SamplingChanged; from a gate, at the end of the step.
  virtual void setSampling(RequestId request, const SamplingOptions& sampling) = 0;

  // Changes token budget, prefix cache, policy and aging, preemption with its tiers, and drafts, from the
  // next step on; answers and their KV stay. Tiers that were made once keep their sizes. Throws
  // EngineError(kInvalidArgument) for other changes against options(), for options out of range or that do
  // not go together, and kUnavailable for a second model that was not loaded. Publishes OptionsChanged.
  virtual void setOptions(const EngineOptions& options) = 0;
  virtual const EngineOptions& options() const = 0;  // in force, with every "choose for me" chosen

  // An engine with the same model in the state that the script's run had after a step: it follows the
  // bookkeeping of all steps before, then computes the KV of every block that is still needed. With a context
  // that evicts, the last steps are computed again; with heavy hitters, all of them. Nothing of this engine
  // changes; both use one model, so they belong to one thread. What follows equals the script's run (tokens,
  // plans, blocks; not times) as long as nothing else is asked for: rerun() tells. Times in its events are
  // the script's. The sink must outlive the new engine. Publishes EngineLoaded, whose branchStep is the step,
  // and what ResumeOptions says. Not inside a step. Throws EngineError: kInvalidArgument for a step that the
  // script does not have, kUnsupported for a run of another model or through a failed step, kFileCorrupt for
  // a script whose steps this program decides otherwise, kCancelled, and what computing may throw.
  virtual std::unique_ptr<Engine> resume(std::shared_ptr<const RunScript> script, int step, EventSink& sink,
                                         const ResumeOptions& options = {},
                                         const Progress& progress = {}) const = 0;
  virtual const RerunReport* rerun() const = 0;  // null for an engine that was not resumed

  // From the next phase on, calls the gate before each phase; an empty one removes it. Publishes nothing.
  // Must not be called from a gate.
  virtual void setGate(Gate gate) = 0;
  // From now on, steps publish TokenCandidates, LayerTap, entropies and ForwardMeasured as `detail` says; no
  // bit of an answer changes. Layers that the model does not have, and 0 candidates or fewer, publish
  // nothing. A gate may call it.
  virtual void setDetail(Detail detail) = 0;

  // Hands over the answers of a finished request, once. Throws EngineError(kInvalidArgument) for an id that
  // was never given, before the request has finished, and for a result taken or forgotten. Publishes nothing.
  virtual RequestResult takeResult(RequestId request) = 0;
  // The log probabilities of one answer's tokens so far, when its request asked for them: for a host that
  // sends tokens while they are drawn. Empty for a request that was forgotten or searches with beams, and
  // before the answer has forked. Valid until the next call that is not const. Throws
  // EngineError(kInvalidArgument) for an id that was never given.
  virtual std::span<const TokenLogprob> logprobs(RequestId request, int answer) const = 0;
  // Also true for a forgotten request. Throws EngineError(kInvalidArgument) for an id that was never given.
  virtual bool isFinished(RequestId request) const = 0;

  // The machine from its real structures; equals the replay of the events so far, also inside a gate.
  virtual MachineState snapshot() const = 0;
  virtual const EngineLoaded& description() const = 0;
  virtual const Tokenizer* tokenizer() const = 0;  // null for a directory without tokenizer files
  virtual const ChatFormat& chatFormat() const = 0;
  // Another template than the model's own, to try one. Nothing that was submitted changes.
  virtual void setChatFormat(ChatFormat format) = 0;

  // What the device of this engine can do at most, for a step that reads the model's weights: the processor
  // with the engine's threads, or the GPU. Takes all of the device for up to two seconds; publishes
  // RoofMeasured. `known`: limits measured before, which stand when they would be measured the same
  // (MachineRoof::isMeasuredFor()). A gate may call it. Throws EngineError, and publishes nothing:
  // kOutOfMemory for what is copied and multiplied, kCancelled.
  virtual MachineRoof measureRoof(const RoofProgress& progress = {}, const MachineRoof& known = {}) = 0;
  // Nothing for an engine that computes in the host's memory. Throws EngineError(kUnavailable) where the
  // device answers no more.
  virtual std::optional<DeviceMemory> deviceMemory() const = 0;
  virtual void resetDevicePeak() = 0;  // from now on peakBytes counts from what is used now

  // Waits until the weights that this load packed are kept for the next start (EngineOptions::packedCopies);
  // destroying the engine gives up what is still being written. Returns why they could not be kept; empty:
  // nothing went wrong.
  virtual std::string waitForPackedCopy() = 0;

  // The logits after each token of a prompt, and with hiddenStates the states after each layer. Apart from
  // the requests, with a KV cache of its own, tokenBudget tokens at a time; publishes nothing. A
  // gate may call it. Throws EngineError: kInvalidArgument for no tokens or ids outside the vocabulary,
  // kContextTooLong, kOutOfMemory, kFileCorrupt for logits that are not finite.
  virtual ForwardReport examine(std::span<const TokenId> tokens, bool hiddenStates) = 0;
  // One forward of a prompt opened, as examine() computes it. Calls the progress once a layer. Errors as
  // examine(), kInvalidArgument also for layers, heads and positions that are not there; kCancelled.
  virtual InsideReport lookInside(std::span<const TokenId> tokens, const InsideOptions& options,
                                  const Progress& progress = {}) = 0;
  // The logits after the last of `tokens`, and the texts of the `pieces` most likely tokens, none without a
  // tokenizer. Apart from the requests, as examine(), and with its errors.
  virtual NextLogits nextLogits(std::span<const TokenId> tokens, int pieces = 0) = 0;
  // The tokens that the grammar of a request allows behind an output, in ascending order; nothing for a
  // request without one. It is a pure function of both, so the request may be a forgotten one, or another
  // run's. None are allowed behind what is no beginning of an answer that the grammar has, or a whole one.
  // Publishes nothing; a gate may call it. Throws EngineError as submit() does for a request's grammar, and
  // kInvalidArgument for ids outside the vocabulary.
  virtual std::optional<std::vector<TokenId>> allowedNext(const Request& request,
                                                          std::span<const TokenId> output) = 0;
  // The sampler's stages after `tokens`, with all candidates; the last `generated` ids count as output, the
  // others as prompt. Publishes nothing. Errors as examine(), and kInvalidArgument for sampling options out
  // of range or more generated tokens than tokens.
  virtual std::vector<SamplingStage> distribution(std::span<const TokenId> tokens, int generated,
                                                  const SamplingOptions& sampling) = 0;
};

// The names that EngineOptions::attention accepts, in alphabetical order.
std::vector<std::string> attentionKernelNames();

// The directory of the model that ships with the program; empty when it is not installed.
std::filesystem::path builtinModelDirectory();

}  // namespace vitrine
