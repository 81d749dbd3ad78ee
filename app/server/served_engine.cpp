#include "server/served_engine.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/chat_prompt.h"
#include "common/json_files.h"
#include "server/api_error.h"
#include "server/metrics_text.h"

namespace vitrine::server {

void AnswerEvents::publish(const Event& event) {
  m_run = event.run;
  m_number = event.number;
  m_step = event.step;
  m_phase = event.phase;
  m_timeNs = event.timeNs;
  for (const std::shared_ptr<EventSink>& watcher : m_watchers) watcher->publish(event);
  m_metrics.publish(event);
  const auto newsOf = [this](SequenceId sequence) -> Written* {
    const auto place = m_places.find(sequence);
    if (place == m_places.end()) return nullptr;
    News& news = m_news[sequence];
    news.request = place->second.first;
    news.written.answer = place->second.second;
    return &news.written;
  };
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    // A request's sequences have consecutive ids.
    for (int i = 0; i < submitted->asked.sequences; ++i)
      m_places[submitted->firstSequence + i] = {submitted->request, i};
  } else if (const auto* sampled = bodyOf<TokenSampled>(event)) {
    if (Written* const written = newsOf(sampled->sequence)) {
      written->tokens.push_back(sampled->token);
      written->text += sampled->text;
    }
  } else if (const auto* finished = bodyOf<SequenceFinished>(event)) {
    if (Written* const written = newsOf(finished->sequence)) written->finished = finished->reason;
    m_places.erase(finished->sequence);
  } else if (const auto* ended = bodyOf<RequestFinished>(event)) {
    m_finished.push_back(ended->request);
  } else if (const auto* failed = bodyOf<EngineFailed>(event)) {
    m_failure = failed->message;
  }
}

void AnswerEvents::addWatcher(const std::shared_ptr<EventSink>& sink, const EngineLoaded& loaded,
                              MachineState state) {
  removeWatcher(sink);
  m_watchers.push_back(sink);
  Event event;
  event.run = m_run;
  event.body = loaded;
  sink->publish(event);
  event.number = m_number;
  event.step = m_step;
  event.phase = m_phase;
  event.timeNs = m_timeNs;
  event.body = Snapshot{std::make_shared<const MachineState>(std::move(state))};
  sink->publish(event);
}

void AnswerEvents::removeWatcher(const std::shared_ptr<EventSink>& sink) { std::erase(m_watchers, sink); }

std::vector<AnswerEvents::News> AnswerEvents::takeNews() {
  std::vector<News> list;
  for (auto& [sequence, news] : m_news) list.push_back(std::move(news));
  m_news.clear();
  return list;
}

std::vector<RequestId> AnswerEvents::takeFinished() { return std::exchange(m_finished, {}); }

ServedEngine::ServedEngine(Engine& engine, AnswerEvents& events, ServedModel model)
    : m_engine(engine), m_events(events), m_model(std::move(model)), m_thread([this] { work(); }) {}

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

ServedId ServedEngine::submit(std::vector<RequestArguments> prompts, std::shared_ptr<AnswerSink> sink) {
  ServedId id = 0;
  {
    const std::lock_guard lock(m_mutex);
    id = ++m_last;
  }
  ++m_underWay;
  post([this, id, prompts = std::move(prompts), sink = std::move(sink)] { begin(id, prompts, sink); });
  return id;
}

void ServedEngine::cancel(ServedId id) {
  post([this, id] {
    const auto group = m_groups.find(id);
    if (group != m_groups.end()) cancelAll(group->second);
  });
}

void ServedEngine::encode(RequestArguments prompt, Encoded done) {
  post([this, prompt = std::move(prompt), done = std::move(done)] {
    try {
      std::vector<TokenId> ids;
      if (prompt.chat)
        ids = prompt.toRequest(m_engine).tokenIds;
      else if (m_model.tokenizer != nullptr)
        ids = m_model.tokenizer->encode(prompt.request.prompt, prompt.request.addSpecialTokens);
      else
        throw EngineError(ErrorCode::kUnavailable, "the model has no tokenizer");
      done(std::move(ids), nullptr);
    } catch (const EngineError& error) {
      done({}, &error);
    } catch (const std::exception& error) {
      const EngineError failure(ErrorCode::kIo, error.what());
      done({}, &failure);
    }
  });
}

void ServedEngine::watch(std::shared_ptr<EventSink> sink) {
  post([this, sink = std::move(sink)] {
    m_events.addWatcher(sink, m_engine.description(), m_engine.snapshot());
  });
}

void ServedEngine::unwatch(std::shared_ptr<EventSink> sink) {
  post([this, sink = std::move(sink)] { m_events.removeWatcher(sink); });
}

// The name as /v1/models has it: with a byte that is not UTF-8, no scraper would take the text.
std::string ServedEngine::metrics() const {
  return metricsText(m_events.metrics().figures(), parseJson(textOf(m_model.name)).get<std::string>());
}

void ServedEngine::drain(std::chrono::milliseconds patience) {
  m_ending = true;
  std::unique_lock lock(m_mutex);
  const auto isDone = [this] { return m_underWay == 0; };
  if (m_changed.wait_for(lock, patience, isDone)) return;
  lock.unlock();
  post([this] {
    for (auto& [id, group] : m_groups) cancelAll(group);
  });
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
    if (!m_engine.hasWork())
      m_posted.wait(lock, isWanted);
    else if (const std::int64_t ns = m_engine.idleNs(); ns > 0)  // a batching window is open
      m_posted.wait_for(lock, std::chrono::nanoseconds(ns), isWanted);
    if (m_ends && m_tasks.empty()) return false;
    tasks.swap(m_tasks);
  }
  for (const auto& task : tasks) task();
  return true;
}

void ServedEngine::work() {
  while (doTasks()) {
    deliver();
    if (!m_engine.hasWork() || m_engine.idleNs() > 0) continue;
    try {
      m_engine.step();
    } catch (const std::exception& error) {  // a bug; the engine has ended what ran as failed, and goes on
      m_events.noteFailure(error.what());
    }
    deliver();
  }
}

void ServedEngine::begin(ServedId id, const std::vector<RequestArguments>& prompts,
                         const std::shared_ptr<AnswerSink>& sink) {
  Group& group = m_groups[id];
  group.sink = sink;
  try {
    if (m_ending) throw EngineError(ErrorCode::kCancelled, "the server is shutting down");
    int answers = 0;
    for (const RequestArguments& prompt : prompts) {
      const int count = prompt.request.sequences;
      Request request = prompt.toRequest(m_engine);
      request.name.clear();
      const RequestId given = m_engine.submit(std::move(request));
      group.requests.push_back(given);
      m_running[given] = {id, answers, std::vector<std::size_t>(static_cast<std::size_t>(count))};
      answers += count;
    }
  } catch (const EngineError& error) {
    return refuse(id, error);
  } catch (const std::exception& error) {  // no memory, for one
    return refuse(id, EngineError(ErrorCode::kIo, error.what()));
  }
  sink->accepted();
}

// The prompts before the one that was refused end unheard.
void ServedEngine::refuse(ServedId id, const EngineError& error) {
  Group& group = m_groups.at(id);
  group.sink->refused(error);
  group.sink.reset();
  if (group.requests.empty()) return end(id);
  cancelAll(group);
}

void ServedEngine::cancelAll(Group& group) {
  group.cancelled = true;
  for (const RequestId request : group.requests)
    m_engine.cancel(request);  // its events are kept until deliver()
}

void ServedEngine::end(ServedId id) {
  m_groups.erase(id);
  {
    const std::lock_guard lock(m_mutex);
    --m_underWay;
  }
  m_changed.notify_all();
}

void ServedEngine::deliver() {
  for (AnswerEvents::News& news : m_events.takeNews()) {
    const auto running = m_running.find(news.request);
    if (running == m_running.end()) continue;
    const std::shared_ptr<AnswerSink>& sink = m_groups.at(running->second.group).sink;
    if (!sink) continue;
    const int index = news.written.answer;
    std::size_t& given = running->second.logprobs[static_cast<std::size_t>(index)];
    const std::span<const TokenLogprob> all = m_engine.logprobs(news.request, index);
    news.written.logprobs.assign(all.begin() + static_cast<std::ptrdiff_t>(std::min(given, all.size())),
                                 all.end());
    given = all.size();
    news.written.answer += running->second.firstAnswer;
    sink->wrote(std::move(news.written));
  }
  for (const RequestId request : m_events.takeFinished()) take(request);
}

// The engine keeps nothing of a request that was served: a server runs for long.
void ServedEngine::take(RequestId request) {
  const auto running = m_running.find(request);
  if (running == m_running.end()) return;
  const ServedId id = running->second.group;
  m_running.erase(running);
  const RequestResult result = m_engine.takeResult(request);
  m_engine.forget(request);
  Group& group = m_groups.at(id);
  std::erase(group.requests, request);
  group.usage.promptTokens += result.promptTokens;
  group.usage.cachedTokens += result.cachedTokens;
  for (const SequenceResult& sequence : result.sequences) {
    group.usage.completionTokens += static_cast<int>(sequence.tokenIds.size());
    group.failed = group.failed || sequence.reason == FinishReason::kFailed;
  }
  if (!group.requests.empty()) return;
  if (const std::shared_ptr<AnswerSink> sink = group.sink) {
    if (group.cancelled)
      sink->failed(EngineError(ErrorCode::kCancelled, "the request was cancelled"));
    else if (group.failed)
      sink->failed(EngineError(ErrorCode::kIo, "the engine failed: " + m_events.failure()));
    else
      sink->finished(group.usage);
  }
  end(id);
}

}  // namespace vitrine::server
