// Served: the engine as a server sees it, whatever thread it runs on: a command's own (served_engine.h), or a
// window's.
//
// A request is one prompt or several; its answers are numbered through, those of the first prompt first, and
// all come to one sink. A window may open another model meanwhile: a request is for the model that it was
// planned for, and for no other. Read next: served_engine.h, served_requests.h, api_server.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "vitrine/event_sink.h"
#include "vitrine/results.h"
#include "vitrine/tokenizer.h"

namespace vitrine::server {

// Facts that do not change while the model is open. Another one that is opened has an object of its own.
struct ServedModel {
  std::string name;
  int contextLength = 0;          // tokens of a prompt and its answer together
  std::int64_t loaded = 0;        // seconds since 1970
  SamplingOptions sampling = {};  // of a request that asks for nothing else
  bool hasPriorities = false;     // the engine's policy looks at Request::priority
  // For the engine's thread alone, as long as the model is open; null: the model has none.
  const Tokenizer* tokenizer = nullptr;
};

// What one answer has gained. The answers of a beam search come whole, the best one first, when it has ended.
struct Written {
  int answer = 0;
  std::string text = {};  // that became final; the tokens may be ahead of it
  std::vector<TokenId> tokens = {};
  std::vector<TokenLogprob> logprobs = {};    // of these tokens, when the request asked
  std::optional<FinishReason> finished = {};  // nothing more comes of this answer
};

struct ServedUsage {  // sums over the prompts
  int promptTokens = 0, completionTokens = 0, cachedTokens = 0;
};

// Hears of one request: refused() alone; or accepted(), any number of wrote(), and finished() or failed().
// Thread: the engine's. Must be quick, and must not throw.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  virtual void refused(const EngineError& error) = 0;  // kCancelled: the server or its model is ending
  virtual void accepted() = 0;
  virtual void wrote(Written written) = 0;
  virtual void finished(const ServedUsage& usage) = 0;
  virtual void failed(const EngineError& error) = 0;  // kCancelled: it was cancelled
};

using ServedId = std::uint64_t;

// What a client with the right to steer asks of the machine.
enum class Steering : std::uint8_t {
  kPause,  // after the step under way
  kStep,   // of a paused machine: one step, if there is work; otherwise as kPause
  kRun
};

// Thread: any; no method waits for a step.
class Served {
 public:
  virtual ~Served() = default;

  virtual std::shared_ptr<const ServedModel> model() const = 0;  // null: none is open
  virtual bool isOpen() const = 0;                               // it takes requests
  virtual int underWay() const = 0;                              // requests that wait or run
  // In Prometheus' text format (metrics_text.h); empty without a model.
  virtual std::string metrics() const = 0;

  // The arguments are checked (RequestArguments::validate()), and were planned for `model`: when another one
  // is open, the request is refused as kCancelled. All prompts are taken or none.
  virtual ServedId submit(std::shared_ptr<const ServedModel> model, std::vector<RequestArguments> prompts,
                          std::shared_ptr<AnswerSink> sink) = 0;
  virtual void cancel(ServedId request) = 0;  // no effect on one that has finished

  // The ids of a prompt, a conversation written by the model's template. `done` is called on the engine's
  // thread, with ids or with the error.
  using Encoded = std::function<void(std::vector<TokenId> ids, const EngineError* error)>;
  virtual void encode(RequestArguments prompt, Encoded done) = 0;
  // The text of ids, by the model's tokenizer; as encode(). kInvalidArgument: an id outside its vocabulary.
  using Decoded = std::function<void(std::string text, const EngineError* error)>;
  virtual void decode(std::vector<TokenId> ids, Decoded done) = 0;

  // Whether it waits to be stepped; otherwise it steps as long as there is work.
  virtual bool isPaused() const = 0;
  virtual void steer(Steering order) = 0;

  // From the next moment between two steps on, or while one is held, the sink hears the engine's events, on
  // the engine's thread: an EngineLoaded, a Snapshot, and each event behind it. Each model that is opened
  // later begins so, too; without a model it waits for that. A sink that is there already gets the first two
  // again.
  virtual void watch(std::shared_ptr<EventSink> sink) = 0;
  virtual void unwatch(std::shared_ptr<EventSink> sink) = 0;  // it may hear the rest of a step
};

}  // namespace vitrine::server
