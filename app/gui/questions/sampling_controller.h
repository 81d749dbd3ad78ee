// SamplingController: connects the sampling controls with what they apply to: the selected request while it
// is unfinished, else the messages that will be sent.
//
// A request's values are those of the step shown; they change only while the view is LIVE. Whatever is turned
// for a request acts on a preview of the token shown, and in the past on nothing else. Thread: the window's.
// Read next: sampling_previewer.h, chat_controller.h, widgets/session/sampling_history.h.
#pragma once

#include <QObject>

#include "gui/machine/engine_host.h"
#include "gui/questions/sampling_previewer.h"
#include "gui/settings/settings.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/session/session.h"

namespace vitrine {

class SamplingController : public QObject {
  Q_OBJECT

 public:
  SamplingController(EngineHost& host, Session& session, SamplerModel& sampler, SamplerControls& controls,
                     Settings& settings, QObject* parent);

  // Of the messages that will be sent.
  const SamplingOptions& sampling() const { return m_sampling; }
  int maxTokens() const { return m_maxTokens; }
  void setForNewMessages(const SamplingOptions& sampling, int maxTokens);
  int answers() const { return m_answers; }
  int beams() const { return m_beams; }
  // That the controls preview; none: they show the options in force.
  const std::optional<SamplingOptions>& trial() const { return m_previewer.trial(); }
  bool isDefault() const;  // how tokens of new messages are chosen: a person has changed nothing of it

 signals:
  void newMessagesChanged();  // what messages are sent with

 private:
  const RequestState* selectedRequest() const;
  void choose(bool newMessages);
  void follow();
  void followCursor();
  void showRequest(const RequestState& request);
  void showNewMessages();
  void showValues(RequestId subject, const SamplingKnobs& knobs, int maxTokens);
  QString sentenceFor(const RequestState& request) const;
  void changeSampling(const SamplingOptions& sampling);
  void changeMaxTokens(int tokens);
  void changeAnswers(int answers, int beams);

  EngineHost& m_host;
  Session& m_session;
  SamplerControls& m_controls;
  Settings& m_settings;
  SamplingPreviewer m_previewer;
  SamplingOptions m_sampling;
  int m_maxTokens;
  int m_answers = 1, m_beams = 1;  // until the program ends
  RequestId m_subject = 0;         // that the controls show; 0: new messages
  // The options last shown. The controls may be ahead of them: a change comes back as an event.
  std::optional<SamplingOptions> m_shown;
  bool m_wasLive = true;
  bool m_wantsNewMessages = false;  // the user has chosen them, until another request is selected
};

}  // namespace vitrine
