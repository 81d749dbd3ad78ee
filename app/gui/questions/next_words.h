// NextWords: the words that would follow another candidate of the sampler's view: what a branch with it would
// draw, with the options that are previewed or in force. The engine's thread computes a token at a time, so
// that each is shown when it is known, and the machine waits for one forward at most.
//
// None for what is not shown any more, and none where a branch would be refused. Thread: the window's. Read
// next: sampling_previewer.h, widgets/sampler/branch.h.
#pragma once

#include <QObject>
#include <optional>
#include <string>

#include "gui/machine/engine_host.h"
#include "widgets/sampler/sampler_model.h"

namespace vitrine {

class SamplingController;

class NextWords : public QObject {
  Q_OBJECT

 public:
  static constexpr int kWords = 6;

  NextWords(EngineHost& host, Session& session, const SamplerModel& model, const SamplingController& sampling,
            QObject* parent);

  void look(TokenId token, const QString& text);  // after this token in the place of the one that is shown
  void forget();
  bool isLooking() const { return m_question.isOpen(); }

 signals:
  // `words` has more each time; both empty: there is nothing to say.
  void changed(const QString& token, const QString& words);

 private:
  struct Next {
    TokenId token = 0;
    std::string text;
    bool ends = false;  // the answer
  };

  void follow();
  void ask();
  void take(const std::optional<Next>& next);

  EngineHost& m_host;
  Session& m_session;
  const SamplerModel& m_model;
  const SamplingController& m_controller;
  TokenId m_token = 0;
  SequenceId m_sequence = 0;
  int m_position = -1;
  std::vector<TokenId> m_tokens;  // up to the last one that is known
  int m_promptTokens = 0;
  std::optional<SamplingOptions> m_trial;
  SamplingOptions m_sampling;  // the trial, else those in force
  QString m_text;
  std::string m_words;
  int m_known = 0;
  Question m_question;
};

}  // namespace vitrine
