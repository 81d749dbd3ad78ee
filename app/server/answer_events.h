// AnswerEvents: collects from an engine's events what a step gave each answer, and the figures of /metrics,
// and passes all on to the sinks that watch.
//
// A beam search takes tokens back until it ends, so its answers are news of no step: they are its result's.
// To be a sink of the engine that is served, from its first event on. Thread: the engine's, but metrics().
// Read next: served_requests.h, engine_metrics.h.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/engine_metrics.h"
#include "server/served.h"

namespace vitrine::server {

class AnswerEvents final : public EventSink {
 public:
  struct News {
    RequestId request = 0;
    Written written;
  };

  void publish(const Event& event) override;

  // The sink hears an EngineLoaded, a Snapshot and the events behind it. Between two steps, or from a gate.
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

}  // namespace vitrine::server
