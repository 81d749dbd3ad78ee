// AnswerBranches: what can be done with an answer beside asking again: look at its tokens, go on from one of
// them with another, continue one that was stopped, run it again exactly, and change its text. Each makes a
// sibling of the answer, which stays.
//
// Thread: the window's. Read next: token_looker.h, chat_controller.h, app/desk/answer_turn.h.
#pragma once

#include <QObject>
#include <map>

#include "desk/answer_turn.h"
#include "gui/turns/chat_controller.h"

class QMenu;

namespace vitrine {

class TokenLooker;

class AnswerBranches : public QObject {
  Q_OBJECT

 public:
  AnswerBranches(EngineHost& host, Session& session, Desk& desk, ChatView& view, ChatController& controller,
                 QObject* parent);

  TokenLooker& looker() { return *m_looker; }

  // Each needs an answer that has ended, and that no other answer of the chat is being computed.
  void branch(MessageId answer, int place, TokenId token);
  void goOn(MessageId answer);
  void repeat(MessageId answer);
  // All that can be done with a message beside its buttons: with an answer, and what others offer.
  void addActions(QMenu& menu, MessageId message);
  // The differences between the machine now and the one that computed the answer; empty: none.
  QStringList differencesFrom(const AnswerTurn& turn) const;

 signals:
  void menuMade(QMenu& menu, vitrine::MessageId message);  // for what others have to offer

 private:
  struct Repeat {
    MessageId original = 0;
    QStringList differences = {};
  };

  void showMenu(qint64 message, const QPoint& global);
  void addAnswerActions(QMenu& menu, MessageId message, const ChatEntry& shown);
  void begin(const AnswerTurn& turn, Request request, std::size_t kept);
  void onAnswering();
  QString verdict(const Repeat& repeat, MessageId copy) const;

  Session& m_session;
  Desk& m_desk;
  ChatView& m_view;
  ChatController& m_controller;
  TokenLooker* m_looker;
  std::map<MessageId, Repeat> m_repeats;  // by the copy, while it is computed
};

}  // namespace vitrine
