#include "server/served_engine.h"

#include <utility>

#include "server/metrics_text.h"

namespace vitrine::server {

ServedEngine::ServedEngine(Engine& engine, AnswerEvents& events, ServedModel model)
    : m_engine(engine),
      m_events(events),
      m_requests(engine, events, std::make_shared<const ServedModel>(std::move(model)),
                 ServedRequests::Finished::kForgotten, [this] { onOver(); }),
      m_thread([this] { work(); }) {}

ServedEngine::~ServedEngine() {
  drain(std::chrono::milliseconds(0));
  {
    const std::lock_guard lock(m_mutex);
    m_ends = true;
  }
  m_posted.notify_all();
  m_thread.join();
}

void ServedEngine::post(std::function<void()> task) {
  {
    const std::lock_guard lock(m_mutex);
    m_tasks.push_back(std::move(task));
  }
  m_posted.notify_one();
}

ServedId ServedEngine::submit(std::shared_ptr<const ServedModel> model, std::vector<RequestArguments> prompts,
                              std::shared_ptr<AnswerSink> sink) {
  ServedId id = 0;
  {
    const std::lock_guard lock(m_mutex);
    id = ++m_last;
  }
  ++m_underWay;
  post([this, id, model = std::move(model), prompts = std::move(prompts), sink = std::move(sink)] {
    if (!m_ending) return m_requests.begin(id, model, prompts, sink);
    sink->refused(EngineError(ErrorCode::kCancelled, "the server is shutting down"));
    onOver();
  });
  return id;
}

void ServedEngine::cancel(ServedId id) {
  post([this, id] { m_requests.cancel(id); });
}

void ServedEngine::encode(RequestArguments prompt, Encoded done) {
  post([this, prompt = std::move(prompt), done = std::move(done)] { m_requests.encode(prompt, done); });
}

void ServedEngine::decode(std::vector<TokenId> ids, Decoded done) {
  post([this, ids = std::move(ids), done = std::move(done)] { m_requests.decode(ids, done); });
}

void ServedEngine::watch(std::shared_ptr<EventSink> sink) {
  post([this, sink = std::move(sink)] { m_requests.watch(sink); });
}

void ServedEngine::unwatch(std::shared_ptr<EventSink> sink) {
  post([this, sink = std::move(sink)] { m_events.removeWatcher(sink); });
}

void ServedEngine::steer(Steering order) {
  post([this, order] { obey(order); });
}

void ServedEngine::obey(Steering order) {
  if (m_ending) return;
  const bool wasPaused = m_isPaused.exchange(order != Steering::kRun);
  m_isStepDue = wasPaused && order == Steering::kStep && m_engine.hasWork();
}

std::string ServedEngine::metrics() const {
  return metricsText(m_events.metrics().figures(), m_requests.model()->name);
}

void ServedEngine::drain(std::chrono::milliseconds patience) {
  m_ending = true;
  post([this] { m_isPaused = false; });
  std::unique_lock lock(m_mutex);
  const auto isDone = [this] { return m_underWay == 0; };
  if (m_changed.wait_for(lock, patience, isDone)) return;
  lock.unlock();
  post([this] { m_requests.cancelAll(); });
  lock.lock();
  m_changed.wait(lock, isDone);
}

// Between two steps everything that is asked for is done, so that a cancelled request takes part in no
// further one.
bool ServedEngine::doTasks() {
  std::deque<std::function<void()>> tasks;
  {
    std::unique_lock lock(m_mutex);
    const auto isWanted = [this] { return m_ends || !m_tasks.empty(); };
    if (!mayStep())
      m_posted.wait(lock, isWanted);
    else if (const std::int64_t ns = m_engine.idleNs(); ns > 0)  // a batching window is open
      m_posted.wait_for(lock, std::chrono::nanoseconds(ns), isWanted);
    if (m_ends && m_tasks.empty()) return false;
    tasks.swap(m_tasks);
  }
  for (const auto& task : tasks) task();
  return true;
}

bool ServedEngine::mayStep() const { return m_engine.hasWork() && (!m_isPaused || m_isStepDue); }

void ServedEngine::work() {
  while (doTasks()) {
    m_requests.deliver();
    if (!mayStep() || m_engine.idleNs() > 0) continue;
    m_isStepDue = false;
    try {
      m_engine.step();
    } catch (const std::exception& error) {  // a bug; the engine has ended what ran as failed, and goes on
      m_events.noteFailure(error.what());
    }
    m_requests.deliver();
  }
}

void ServedEngine::onOver() {
  {
    const std::lock_guard lock(m_mutex);
    --m_underWay;
  }
  m_changed.notify_all();
}

}  // namespace vitrine::server
