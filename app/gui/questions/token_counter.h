// TokenCounter: how many tokens a text has for the model that is loaded. It asks the engine's tokenizer once
// the text has rested for a moment, and again when another model is loaded.
//
// Thread: the window's. Read next: engine_host.h.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>

#include "gui/machine/engine_host.h"

namespace vitrine {

constexpr int kUnknownTokens = -1;

// `counted` is told the tokens of the text as it stands, without what a chat's format writes around it, also
// while a step is held. kUnknownTokens: there is no tokenizer, or one that refuses the text.
Question countTokens(EngineHost& host, const QString& text, QObject* receiver,
                     std::function<void(int tokens)> counted);

class TokenCounter : public QObject {
  Q_OBJECT

 public:
  explicit TokenCounter(EngineHost& host, QObject* parent = nullptr);

  void setText(const QString& text);
  // Of the text; kUnknownTokens without a tokenizer, and while the engine is too busy to answer.
  int tokens() const { return m_tokens; }

 signals:
  void changed();  // tokens()

 private:
  void ask();
  void show(int tokens);

  EngineHost& m_host;
  QString m_text;
  QTimer m_resting, m_late;
  Question m_question;
  int m_tokens = 0;
};

}  // namespace vitrine
