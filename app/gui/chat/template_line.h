// TemplateLine: over the input, why the model's chat template refuses the chat shown, in the template's
// words, and how the chat may be told otherwise. The message is still in the input.
//
// A person's choice counts for the chat from then on, where the template would refuse; the settings of
// the chat have it, too. Thread: the window's. Read next: chat_controller.h, engine_worker.h.
#pragma once

#include <map>

#include "gui/parts/offer_line.h"
#include "gui/turns/chat_controller.h"

class QToolButton;

namespace vitrine {

class TemplateLine : public OfferLine {
  Q_OBJECT

 public:
  TemplateLine(Desk& desk, ChatController& controller, QWidget* parent = nullptr);

 private:
  void offer(ChatId chat, const ChatRefused& refused);
  void choose(ChatMend mend);
  void withdraw(ChatId chat);
  void follow();

  Desk& m_desk;
  ChatController& m_controller;
  std::map<ChatId, ChatRefused> m_refusals;
  std::map<ChatMend, QToolButton*> m_choices;
};

// "Put the system prompt before the first question": as a button or a box to tick has it.
QString mendName(ChatMend mend);

}  // namespace vitrine
