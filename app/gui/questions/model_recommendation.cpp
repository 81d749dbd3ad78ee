#include "gui/questions/model_recommendation.h"

#include <utility>

#include "common/recommended_sampling.h"

namespace vitrine {

ModelRecommendation::ModelRecommendation(EngineHost& host, const Session& session, QObject* parent)
    : QObject(parent), m_session(session) {
  connect(&host, &EngineHost::loaded, this, &ModelRecommendation::read);
}

std::optional<SamplingOptions> ModelRecommendation::get() {
  read();
  return m_found.valid() ? m_found.get() : std::nullopt;
}

// Not on the pool: what waits there for minutes would keep the window waiting.
void ModelRecommendation::read() {
  const std::string path = m_session.engine() ? m_session.engine()->model.path : std::string();
  if (std::exchange(m_path, path) == path) return;
  m_found = {};
  if (!path.empty()) m_found = std::async(std::launch::async, recommendedSampling, path).share();
}

}  // namespace vitrine

#include "moc_model_recommendation.cpp"
