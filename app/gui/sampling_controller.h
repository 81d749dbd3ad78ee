// SamplingController: connects the sampling controls with what they apply to: the selected request while it
// is unfinished, else the messages that will be sent.
//
// A request's values are those of the step shown; they change only while the view is LIVE. Thread: the
// window's. Read next: chat_controller.h, widgets/models/sampling_history.h.
#pragma once

#include <QObject>

#include "engine_host.h"
#include "settings.h"
#include "widgets/models/sampling_history.h"
#include "widgets/models/session.h"
#include "widgets/views/sampler_controls.h"

namespace vitrine {

class SamplingController : public QObject {
  Q_OBJECT

 public:
  SamplingController(EngineHost& host, Session& session, SamplerControls& controls, Settings& settings,
                     QObject* parent);

  // Of the messages that will be sent.
  const SamplingOptions& sampling() const { return m_sampling; }
  int maxTokens() const { return m_maxTokens; }

 private:
  const RequestState* selectedRequest() const;  // null when it has finished, or none is selected
  void follow();
  void showRequest(const RequestState& request);
  void showNewMessages();
  void showValues(RequestId subject, const SamplingOptions& sampling, int maxTokens);
  QString sentenceFor(const RequestState& request) const;
  void changeSampling(const SamplingOptions& sampling);
  void changeMaxTokens(int tokens);

  EngineHost& m_host;
  Session& m_session;
  SamplerControls& m_controls;
  Settings& m_settings;
  SamplingHistory m_history;
  SamplingOptions m_sampling;
  int m_maxTokens;
  RequestId m_subject = 0;  // that the controls show; 0: new messages
  // What was last shown. The controls may be ahead of it: a change comes back as an event.
  std::optional<SamplingOptions> m_shown;
  bool m_wantsNewMessages = false;  // the user has chosen them, until another request is selected
};

}  // namespace vitrine
