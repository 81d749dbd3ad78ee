// ModelRecommendation: the sampling that the open model comes with. Its file is read on another thread when
// the model is loaded: a GGUF file has its keys among a whole vocabulary.
//
// Thread: the window's. Read next: app/common/recommended_sampling.h, chat_settings.h.
#pragma once

#include <QObject>
#include <future>
#include <optional>
#include <string>

#include "gui/machine/engine_host.h"
#include "widgets/session/session.h"

namespace vitrine {

class ModelRecommendation : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  ModelRecommendation(EngineHost& host, const Session& session, QObject* parent);

  // Waits for the reading, if it is still under way. Nothing where no model is open or none is recommended.
  std::optional<SamplingOptions> get();

 private:
  void read();

  const Session& m_session;
  std::string m_path;  // of the model that m_found is of
  std::shared_future<std::optional<SamplingOptions>> m_found;
};

}  // namespace vitrine
