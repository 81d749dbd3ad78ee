// ContextLine: over the input, what is to be done when the chat shown does not fit in the model's context,
// and what its model no longer reads. Nothing is left out before the person has chosen.
//
// The middle that may go stands behind the first exchange, which stays as attention sinks do (StreamingLLM,
// arXiv 2309.17453), as messages and not as keys and values. Thread: the window's. Read next:
// chat_controller.h, chat_full.h.
#pragma once

#include <QTimer>
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

 public slots:
  void followDraft();  // an offer is for the message that is being written

 private:
  struct Part {
    std::vector<MessageId> messages = {};  // empty: it is no way out
    int needed = 0;                        // of them, for this message alone
  };
  struct Offer {
    int tokens = 0, room = 0;
    Part oldest = {}, middle = {};
    bool refused = false;  // a message waits in the input
  };
  struct Choice {
    QToolButton* button;
    ElidingLabel* words;  // what goes
  };

  Choice addChoice(const QString& name, const QString& tip);
  void offer(ChatId chat, const ChatFull& full, const std::vector<MessageId>& ids);
  static Part partOf(const std::vector<MessageId>& ids, const ChatFull::Part& part);
  void leaveOut(Part Offer::*part);
  void summarise();
  void takeBack();
  void withdraw(ChatId chat);
  void follow();
  void showOffer(const Offer& offer);
  void showLeftOut();
  QString questionsOf(const std::vector<MessageId>& messages);
  QString goes(const Part& part);

  Desk& m_desk;
  ChatController& m_controller;
  std::map<ChatId, Offer> m_offers;
  QTimer m_asking;  // until the draft rests
  QToolButton *m_undo, *m_later;
  Choice m_oldest, m_middle, m_summary;
};

}  // namespace vitrine
