// TokenLooker: shows what an answer's tokens were chosen from, beside the word that is clicked or that the
// mouse rests on. The engine's thread computes it; the window waits for nothing.
//
// Thread: the window's. Read next: answer_query.h, widgets/message/token_popup.h, answer_branches.h.
#pragma once

#include <QObject>
#include <optional>

#include "desk/answer_turn.h"
#include "gui/machine/answer_query.h"
#include "gui/machine/engine_host.h"
#include "widgets/chat/chat_view.h"

namespace vitrine {

class TokenPopup;

class TokenLooker : public QObject {
  Q_OBJECT

 public:
  TokenLooker(EngineHost& host, Desk& desk, ChatView& view, QObject* parent);

  void open(MessageId answer);  // at the first token that has text, with the focus
  TokenPopup& popup() { return *m_popup; }

 signals:
  // Another answer is wished for: the tokens before `place`, then this one.
  void branchChosen(vitrine::MessageId answer, int place, vitrine::TokenId token);
  // The answer is to end before `place`.
  void endChosen(vitrine::MessageId answer, const QString& text);

 private:
  void point(qint64 message, qint64 byte, bool clicked);
  void ask(MessageId answer, std::optional<int> place, std::optional<std::size_t> byte);
  void take(const SeenAnswer& seen);
  void move(int by);
  void choose(int index);
  void forget();
  QRect wordAt(const TokenSpan& span) const;
  QString whyNot() const;

  EngineHost& m_host;
  Desk& m_desk;
  ChatView& m_view;
  TokenPopup* m_popup;
  AnswerTurn m_turn;  // of the answer looked at
  SeenAnswer m_seen;
  Question m_question;
  bool m_clicked = false;
};

}  // namespace vitrine
