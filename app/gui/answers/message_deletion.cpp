#include "gui/answers/message_deletion.h"

#include <QMenu>

namespace vitrine {

MessageDeletion::MessageDeletion(Desk& desk, const AnswerWriter& answers, QObject* parent)
    : QObject(parent), m_desk(desk), m_answers(answers) {
  m_desk.setAnswered([this](ChatId chat) { return isAnswered(chat); });
  connect(&m_desk, &Desk::undoRefused, this, &MessageDeletion::refuse);
}

bool MessageDeletion::isAnswered(ChatId chat) const {
  return m_answers.isAnswering(chat) || m_answers.pending().has(chat);
}

void MessageDeletion::addTo(QMenu& menu, MessageId message) {
  if (const auto chat = m_desk.history().chat(m_desk.shown())) add(menu, removalsAt(*chat, message));
}

void MessageDeletion::addBranchTo(QMenu& menu, MessageId last) {
  if (const auto chat = m_desk.history().chat(m_desk.shown())) add(menu, removalOfBranch(*chat, last));
}

void MessageDeletion::add(QMenu& menu, const std::vector<MessageRemoval>& removals) {
  const ChatId chat = m_desk.shown();
  const bool free = !isAnswered(chat);
  menu.setToolTipsVisible(true);
  if (!removals.empty()) menu.addSeparator();
  for (const MessageRemoval& removal : removals) {
    QAction* const action = menu.addAction(
        removal.words, this, [this, chat, messages = removal.messages] { remove(chat, messages); });
    action->setEnabled(free);
    action->setToolTip(free ? tr("Ctrl+Z brings it back") : tr("Stop the answer first, or wait for its end"));
  }
}

// An answer may have begun, or another program may have changed the chat, since the menu was opened.
void MessageDeletion::remove(ChatId chat, const std::vector<MessageId>& messages) {
  if (isAnswered(chat) || !m_desk.removeMessages(chat, messages)) refuse();
}

void MessageDeletion::refuse() {
  emit noticed(
      Notice::problem(tr("Nothing was deleted: an answer of this chat is being computed, or the chat "
                         "has changed."),
                      tr("Stop the answer, or wait for its end. Then delete again.")));
}

}  // namespace vitrine

#include "moc_message_deletion.cpp"
