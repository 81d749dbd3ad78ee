#include "gui/chat/template_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "desk/asking.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

QString mendTip(ChatMend mend) {
  return mend == ChatMend::kSystemInQuestion
             ? Wording::tr("The model reads the system prompt and the first question as one message")
             : Wording::tr("The model reads questions, or answers, in a row as one message");
}

}  // namespace

QString mendName(ChatMend mend) {
  return mend == ChatMend::kSystemInQuestion ? Wording::tr("Put the system prompt before the first question")
                                             : Wording::tr("Join messages in a row of one author");
}

TemplateLine::TemplateLine(Desk& desk, ChatController& controller, QWidget* parent)
    : OfferLine(tr("Refused by the chat template"), parent), m_desk(desk), m_controller(controller) {
  QToolButton* const later = addToHead(tr("Not now"), tr("Leave everything as it is"));
  QHBoxLayout* const choices = addRow();
  for (const ChatMend mend : {ChatMend::kSystemInQuestion, ChatMend::kJoinedTurns}) {
    m_choices[mend] = makeButton(mendName(mend), mendTip(mend));
    choices->addWidget(m_choices[mend]);
    connect(m_choices[mend], &QToolButton::clicked, this, [this, mend] { choose(mend); });
  }
  choices->addStretch(1);
  connect(later, &QToolButton::clicked, this, [this] { withdraw(m_desk.shown()); });
  connect(&controller, &ChatController::templateRefused, this, &TemplateLine::offer);
  connect(&desk, &Desk::opened, this, &TemplateLine::follow);
  connect(&desk, &Desk::messagesChanged, this, &TemplateLine::withdraw);
  connect(&controller.answers(), &AnswerWriter::begun, this, [this] { withdraw(m_desk.shown()); });
  follow();
}

void TemplateLine::offer(ChatId chat, const ChatRefused& refused) {
  m_refusals[chat] = refused;
  follow();
}

void TemplateLine::choose(ChatMend mend) {
  const ChatId chat = m_desk.shown();
  if (m_refusals.erase(chat) == 0) return;
  changeAsking(m_desk, chat, [mend](Asking& asking) {
    if (std::ranges::count(asking.mends, mend) == 0) asking.mends.push_back(mend);
  });
  follow();
  m_controller.sendRefused(chat);
}

void TemplateLine::withdraw(ChatId chat) {
  if (m_refusals.erase(chat) > 0) follow();
}

void TemplateLine::follow() {
  const auto refusal = m_refusals.find(m_desk.shown());
  const bool refused = refusal != m_refusals.end();
  setVisible(refused);
  if (!refused) return;
  words()->setText(tr("This model's chat template refuses the conversation, and the message was not sent: "
                      "\u201c%1\u201d")
                       .arg(refusal->second.words));
  // Both may be needed; what is chosen already is not offered again.
  const Asking asking = askingOf(m_desk.settings(refusal->first).asking);
  for (const auto& [mend, button] : m_choices)
    button->setVisible(std::ranges::count(refusal->second.mends, mend) > 0 &&
                       std::ranges::count(asking.mends, mend) == 0);
}

}  // namespace vitrine

#include "moc_template_line.cpp"
