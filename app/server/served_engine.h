// ServedEngine: an engine on a thread of its own, which steps while there is work and sleeps otherwise,
// and is paused and stepped where a client asks for that. All requests are in one batch.
//
// Requests, cancellations and prompts to encode are tasks, done between two steps in the order in which they
// came. What a step decided arrives as events (AnswerEvents) and is handed to the sinks behind the step
// (ServedRequests). Read next: served.h, served_requests.h, served_engine.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "server/served_requests.h"

namespace vitrine::server {

class ServedEngine final : public Served {
 public:
  // Both must outlive this; no other thread calls the engine. `events` has heard everything of the engine.
  ServedEngine(Engine& engine, AnswerEvents& events, ServedModel model);
  ~ServedEngine() override;  // cancels what is under way

  std::shared_ptr<const ServedModel> model() const override { return m_requests.model(); }
  bool isOpen() const override { return !m_ending; }
  int underWay() const override { return m_underWay; }
  std::string metrics() const override;
  ServedId submit(std::shared_ptr<const ServedModel> model, std::vector<RequestArguments> prompts,
                  std::shared_ptr<AnswerSink> sink) override;
  void cancel(ServedId request) override;
  void encode(RequestArguments prompt, Encoded done) override;
  void decode(std::vector<TokenId> ids, Decoded done) override;
  bool isPaused() const override { return m_isPaused; }
  void steer(Steering order) override;
  void watch(std::shared_ptr<EventSink> sink) override;
  void unwatch(std::shared_ptr<EventSink> sink) override;

  // Takes no further request, ends a pause, waits until those under way have finished, at most for
  // `patience`, and cancels the others. A step that is under way ends first. Not on the engine's thread.
  void drain(std::chrono::milliseconds patience);

 private:
  void post(std::function<void()> task);
  void work();
  bool doTasks();
  bool mayStep() const;
  void obey(Steering order);
  void onOver();

  Engine& m_engine;
  AnswerEvents& m_events;

  std::mutex m_mutex;  // of the next four
  std::condition_variable m_posted, m_changed;
  std::deque<std::function<void()>> m_tasks;
  ServedId m_last = 0;
  bool m_ends = false;
  std::atomic<bool> m_ending = false;
  std::atomic<int> m_underWay = 0;
  std::atomic<bool> m_isPaused = false;

  // The engine's thread alone.
  ServedRequests m_requests;
  bool m_isStepDue = false;  // of a paused machine
  std::thread m_thread;
};

}  // namespace vitrine::server
