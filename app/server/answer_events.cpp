#include "server/answer_events.h"

#include "vitrine/machine_state.h"

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
    // A request's sequences have consecutive ids. A beam's tokens are no answer's yet.
    const bool searches = submitted->asked.searches();
    for (int i = 0; i < submitted->asked.sequences && !searches; ++i)
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

}  // namespace vitrine::server
