// ContextLine: over the input, what is to be done when the chat shown does not fit in the model's context,
// and what its model no longer reads. Nothing is left out before the person has chosen.
//
// The middle that may go stands behind the first exchange, which stays as attention sinks do (StreamingLLM,
// arXiv 2309.17453), as messages and not as keys and values. Thread: the window's. Read next:
// chat_controller.h, chat_full.h.
#pragma once

#include <map>

#include "gui/parts/offer_line.h"
#include "gui/turns/chat_controller.h"

class QToolButton;

namespace vitrine {

class ElidingLabel;

class ContextLine : public OfferLine {
  Q_OBJECT

 public:
  ContextLine(Desk& desk, ChatController& controller, QWidget* parent = nullptr);

 private:
  struct Offer {
    int tokens = 0, room = 0;
    std::vector<MessageId> oldest = {}, middle = {};  // empty: it is no way out
    bool refused = false;                             // a message waits in the input
  };
  struct Choice {
    QToolButton* button;
    ElidingLabel* words;  // what goes
  };

  Choice addChoice(const QString& name, const QString& tip);
  void offer(ChatId chat, const ChatFull& full, const std::vector<MessageId>& ids);
  void leaveOut(std::vector<MessageId> Offer::*part);
  void summarise();
  void takeBack();
  void withdraw(ChatId chat);
  void follow();
  void showOffer(const Offer& offer);
  void showLeftOut();
  QString questionsOf(const std::vector<MessageId>& messages);

  Desk& m_desk;
  ChatController& m_controller;
  std::map<ChatId, Offer> m_offers;
  QToolButton *m_undo, *m_later;
  Choice m_oldest, m_middle, m_summary;
};

}  // namespace vitrine
