// SurpriseTints: colours the words of answers by how unlikely the model held them: what it was sure of stays
// as it is. Off, it does nothing and hears nothing.
//
// Probabilities come from the history, places of tokens from the engine's thread (answer_query.h), so answers
// of another model than the one that is open stay as they are. Thread: the window's.
#pragma once

#include <QAction>
#include <QObject>
#include <map>
#include <memory>
#include <vector>

#include "desk/desk.h"
#include "gui/machine/answer_query.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/markdown/markdown_text.h"

namespace vitrine {

// Of a token with this probability: 0 from a half on, 1 at one in 256 and below, even in bits between.
float surpriseOf(float logprob);

class SurpriseTints : public QObject {
  Q_OBJECT

 public:
  SurpriseTints(EngineHost& host, Desk& desk, ChatView& view, ChatModel& model, QObject* parent);

  QAction* action() const { return m_action; }  // checkable

 private:
  void setOn(bool on);
  void follow();  // asks for what is in sight and not yet known, and colours the rest
  void ask(MessageId answer, const QString& shown);
  void take(MessageId answer, const SeenAnswer& seen);
  void colour(MessageId answer, const std::vector<Tint>& tints);

  EngineHost& m_host;
  Desk& m_desk;
  ChatView& m_view;
  ChatModel& m_model;
  QAction* m_action;
  QWidget* m_legend;
  std::map<MessageId, std::vector<Tint>> m_tints;
  std::map<MessageId, Question> m_asked;  // while it has no answer
  std::unique_ptr<QObject> m_hears;       // the receiver of what is heard while it is on
};

}  // namespace vitrine
