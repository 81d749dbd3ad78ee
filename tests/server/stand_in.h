// A stand-in for the engine behind the routes: it keeps what it is asked for, and the test plays the engine.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <utility>
#include <vector>

#include "server/api_server.h"

namespace vitrine::test {

class StandIn final : public server::Served {
 public:
  StandIn() {
    server::ServedModel model;
    model.name = "stand-in";
    model.contextLength = 100;
    m_model = std::make_shared<const server::ServedModel>(model);
  }
  std::shared_ptr<const server::ServedModel> model() const override { return hasModel ? m_model : nullptr; }
  bool isOpen() const override { return open; }
  int underWay() const override { return busy; }
  server::ServedId submit(std::shared_ptr<const server::ServedModel>, std::vector<RequestArguments>,
                          std::shared_ptr<server::AnswerSink> sink) override {
    const std::lock_guard lock(m_mutex);
    m_sinks.push_back(std::move(sink));
    m_submitted.release();
    return ++m_last;
  }
  void cancel(server::ServedId) override { cancelled.release(); }
  void encode(RequestArguments, Encoded done) override {
    const EngineError error(ErrorCode::kUnavailable, "no tokenizer");
    done({}, &error);
  }
  void decode(std::vector<TokenId>, Decoded done) override {
    const EngineError error(ErrorCode::kUnavailable, "no tokenizer");
    done({}, &error);
  }
  bool isPaused() const override { return paused; }
  void steer(server::Steering order) override {
    const std::lock_guard lock(m_mutex);
    steered.push_back(order);
  }
  std::string metrics() const override { return hasMetrics ? "up 1\n" : ""; }
  void watch(std::shared_ptr<EventSink> sink) override {
    const std::lock_guard lock(m_mutex);
    m_watcher = std::move(sink);
    Event event;
    event.run = m_run;
    event.body = loaded();
    m_watcher->publish(event);
    event.number = m_number;
    event.body = Snapshot{emptyMachine()};
    m_watcher->publish(event);
    watched.release();
  }
  void unwatch(std::shared_ptr<EventSink> sink) override {
    const std::lock_guard lock(m_mutex);
    if (m_watcher == sink) m_watcher = nullptr;
    unwatched.release();
  }

  // Its engine has four blocks of four tokens.
  static EngineLoaded loaded() {
    EngineLoaded loaded;
    loaded.options.blockSize = loaded.options.numBlocks = 4;
    return loaded;
  }
  static std::shared_ptr<const MachineState> emptyMachine() {
    auto state = std::make_shared<MachineState>();
    Event event;
    event.body = loaded();
    state->apply(event);
    return state;
  }

  std::shared_ptr<server::AnswerSink> take() {
    m_submitted.acquire();
    const std::lock_guard lock(m_mutex);
    std::shared_ptr<server::AnswerSink> sink = std::move(m_sinks.front());
    m_sinks.pop_front();
    return sink;
  }
  // Another engine is loaded.
  void beginRun(int run) {
    const std::lock_guard lock(m_mutex);
    m_run = run;
    m_number = m_step = 0;
    Event event;
    event.run = run;
    event.body = loaded();
    if (m_watcher) m_watcher->publish(event);
  }
  // The next event of the engine.
  void publish(EventBody body) {
    const std::lock_guard lock(m_mutex);
    Event event;
    event.run = m_run;
    event.number = ++m_number;
    event.body = std::move(body);
    if (isA<StepStarted>(event)) ++m_step;
    event.step = m_step;
    if (m_watcher) m_watcher->publish(event);
  }

  std::atomic<bool> open = true, hasModel = true, hasMetrics = true, paused = false;
  std::vector<server::Steering> steered;  // in order
  std::atomic<int> busy = 0;
  std::counting_semaphore<> cancelled{0}, watched{0}, unwatched{0};

 private:
  std::shared_ptr<const server::ServedModel> m_model;
  std::mutex m_mutex;
  std::deque<std::shared_ptr<server::AnswerSink>> m_sinks;
  std::counting_semaphore<> m_submitted{0};
  server::ServedId m_last = 0;
  std::shared_ptr<EventSink> m_watcher;
  std::int64_t m_number = 0;  // of the last event
  int m_run = 0, m_step = 0;
};

struct StandInService {
  explicit StandInService(const std::string& token = {}, const std::string& watchToken = {})
      : api(served, server::AccessRules::forAddress("127.0.0.1", {}, token, watchToken), 2), http(api) {
    http.listen("127.0.0.1", 0);
  }
  int port() const { return http.port(); }

  StandIn served;
  server::ApiServer api;
  server::HttpServer http;
};

}  // namespace vitrine::test
