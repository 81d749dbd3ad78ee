// ServedRequests: the requests of a server in one engine: from prompts to requests of the engine, all or
// none, and from what a step decided back to the sinks.
//
// It has no thread. The host that steps the engine calls it between two steps, and deliver() behind each.
// Thread: the engine's. Read next: served.h, answer_events.h; served_engine.h, which steps by itself.
#pragma once

#include <filesystem>
#include <functional>
#include <map>

#include "server/answer_events.h"
#include "vitrine/engine.h"

namespace vitrine::server {

// Of an engine that has loaded `path`: its sampling is what the model recommends, or temperature 1.
ServedModel servedModel(const Engine& engine, const std::filesystem::path& path);

class ServedRequests {
 public:
  // Whether the engine forgets a request at its end, or its host does so.
  enum class Finished : std::uint8_t { kForgotten, kKept };

  // Both must outlive this; `events` has heard everything of the engine. `over` is called once for each
  // begin(), when the request is over.
  ServedRequests(Engine& engine, AnswerEvents& events, std::shared_ptr<const ServedModel> model,
                 Finished finished, std::function<void()> over);

  const std::shared_ptr<const ServedModel>& model() const { return m_model; }

  // These may also be called from a gate; a request that is cancelled there ends with the step.
  void begin(ServedId id, const std::shared_ptr<const ServedModel>& plannedFor,
             const std::vector<RequestArguments>& prompts, const std::shared_ptr<AnswerSink>& sink);
  void cancel(ServedId id);  // no effect on one that is over
  void cancelAll();
  void encode(const RequestArguments& prompt, const Served::Encoded& done) const;
  void decode(const std::vector<TokenId>& ids, const Served::Decoded& done) const;
  void watch(const std::shared_ptr<EventSink>& sink) const;  // as AnswerEvents::addWatcher()

  // Each sink that still waits hears failed() now; what the engine has of the requests ends unheard.
  void failAll(const EngineError& why);

  // Hands what the engine has decided since the last call to the sinks. Not from a gate.
  void deliver();

 private:
  struct Group {
    std::shared_ptr<AnswerSink> sink;
    std::vector<RequestId> requests;  // that have not finished
    ServedUsage usage;
    bool cancelled = false, failed = false;
  };
  struct Running {
    ServedId group = 0;
    int firstAnswer = 0;
    bool searches = false;              // with beams
    std::vector<std::size_t> logprobs;  // handed over, of each answer
  };

  void refuse(ServedId id, const EngineError& error);
  void cancel(Group& group);
  void end(ServedId id);
  void take(RequestId request);
  static void giveSearched(RequestResult result, int firstAnswer, AnswerSink& sink);

  Engine& m_engine;
  AnswerEvents& m_events;
  const std::shared_ptr<const ServedModel> m_model;
  const Finished m_finished;
  const std::function<void()> m_over;
  std::map<ServedId, Group> m_groups;
  std::map<RequestId, Running> m_running;
};

}  // namespace vitrine::server
