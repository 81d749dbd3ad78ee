// ServedEngine: an engine on a thread of its own, which steps while there is work and sleeps otherwise. All
// requests are in one batch.
//
// Requests, cancellations and prompts to encode are tasks, done between two steps in the order in which they
// came. What a step decided arrives as events (AnswerEvents) and is handed to the sinks behind the step.
// Read next: served.h, engine_metrics.h, served_engine.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "server/engine_metrics.h"
#include "server/served.h"
#include "vitrine/engine.h"

namespace vitrine::server {

// Collects from an engine's events what a step gave each answer, and the figures of /metrics, and passes all
// on to those that watch. To be a sink of the engine that is served. Thread: the engine's, but metrics().
class AnswerEvents final : public EventSink {
 public:
  struct News {
    RequestId request = 0;
    Written written;
  };

  void publish(const Event& event) override;

  // The sink hears an EngineLoaded, a Snapshot and the events behind it. Between two steps.
  void addWatcher(const std::shared_ptr<EventSink>& sink, const EngineLoaded& loaded, MachineState state);
  void removeWatcher(const std::shared_ptr<EventSink>& sink);

  std::vector<News> takeNews();           // since the last call; one for each answer, in order
  std::vector<RequestId> takeFinished();  // requests
  const std::string& failure() const { return m_failure; }  // why the last step failed that did
  void noteFailure(const std::string& why) { m_failure = why; }
  const EngineMetrics& metrics() const { return m_metrics; }

 private:
  std::map<SequenceId, std::pair<RequestId, int>> m_places;  // of sequences that have not finished
  std::map<SequenceId, News> m_news;
  std::vector<RequestId> m_finished;
  std::string m_failure;
  EngineMetrics m_metrics;
  std::vector<std::shared_ptr<EventSink>> m_watchers;
  // Of the last event.
  std::int32_t m_run = 0, m_step = 0;
  std::int64_t m_number = 0, m_timeNs = 0;
  Phase m_phase = Phase::kAdmit;
};

class ServedEngine final : public Served {
 public:
  // Both must outlive this; no other thread calls the engine. `events` has heard everything of the engine.
  ServedEngine(Engine& engine, AnswerEvents& events, ServedModel model);
  ~ServedEngine() override;  // cancels what is under way

  const ServedModel& model() const override { return m_model; }
  bool isOpen() const override { return !m_ending; }
  int underWay() const override { return m_underWay; }
  std::string metrics() const override;
  ServedId submit(std::vector<RequestArguments> prompts, std::shared_ptr<AnswerSink> sink) override;
  void cancel(ServedId request) override;
  void encode(RequestArguments prompt, Encoded done) override;
  void watch(std::shared_ptr<EventSink> sink) override;
  void unwatch(std::shared_ptr<EventSink> sink) override;

  // Takes no further request, waits until those under way have finished, at most for `patience`, and cancels
  // the others. A step that is under way ends first. Not on the engine's thread.
  void drain(std::chrono::milliseconds patience);

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
    std::vector<std::size_t> logprobs;  // handed over, of each answer
  };

  void post(std::function<void()> task);
  void work();
  bool doTasks();
  void begin(ServedId id, const std::vector<RequestArguments>& prompts,
             const std::shared_ptr<AnswerSink>& sink);
  void refuse(ServedId id, const EngineError& error);
  void cancelAll(Group& group);
  void end(ServedId id);
  void deliver();
  void take(RequestId request);

  Engine& m_engine;
  AnswerEvents& m_events;
  const ServedModel m_model;

  std::mutex m_mutex;  // of the next four
  std::condition_variable m_posted, m_changed;
  std::deque<std::function<void()>> m_tasks;
  ServedId m_last = 0;
  bool m_ends = false;
  std::atomic<bool> m_ending = false;
  std::atomic<int> m_underWay = 0;

  // The engine's thread alone.
  std::map<ServedId, Group> m_groups;
  std::map<RequestId, Running> m_running;
  std::thread m_thread;
};

}  // namespace vitrine::server
