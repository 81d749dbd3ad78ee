// TokenCounter: how many tokens a text has for the model that is loaded. It asks the engine's tokenizer once
// the text has rested for a moment, and again when another model is loaded.
//
// Thread: the window's. Read next: engine_host.h.
#pragma once

#include <QObject>
#include <QTimer>

#include "gui/machine/engine_host.h"

namespace vitrine {

class TokenCounter : public QObject {
  Q_OBJECT

 public:
  explicit TokenCounter(EngineHost& host, QObject* parent = nullptr);

  void setText(const QString& text);
  // Of the text; kUnknown without a tokenizer, and while the engine is too busy to answer.
  int tokens() const { return m_tokens; }

 signals:
  void changed();  // tokens()

 private:
  void ask();
  void show(int tokens);

  EngineHost& m_host;
  QString m_text;
  QTimer m_resting, m_late;
  qint64 m_ticket = 0;
  int m_tokens = 0;
};

}  // namespace vitrine
