#include "gui/chat/deleted_messages_dialog.h"

#include <QListWidget>

#include "widgets/conversation/question_files.h"

namespace vitrine {
namespace {

// A question without its files, where it has words of its own.
QString beginningOf(const MessageRecord& message) {
  const QString words =
      titleFrom(message.role == MessageRole::kUser ? questionParts(message.text).question : message.text);
  return words.isEmpty() ? DeletedMessagesDialog::tr("A message without words") : words;
}

}  // namespace

DeletedMessagesDialog::DeletedMessagesDialog(Desk& desk, Session& session, const ChatController& controller,
                                             QWidget* parent)
    : DeletedDialog(desk, session, controller, {tr("Deleted messages"), tr("What was deleted")}, parent) {
  list()->setSelectionMode(QAbstractItemView::ExtendedSelection);
  connect(&desk, &Desk::removedChanged, this, &DeletedMessagesDialog::fill);
  connect(&desk, &Desk::opened, this, [this] {
    if (this->desk().shown() != m_chat) fill();
  });
  fill();
}

void DeletedMessagesDialog::fill() {
  m_chat = desk().shown();
  m_removed = m_chat == 0 ? std::vector<RemovedMessages>() : desk().history().removedMessages(m_chat);
  QStringList rows;
  for (const RemovedMessages& one : m_removed)
    rows << beginningOf(one.messages.front()) + u'\n' +
                tr("%n message(s)", nullptr, static_cast<int>(one.messages.size())) + QStringLiteral(" · ") +
                whenWords(one.removedMs);
  setRows(rows,
          rows.isEmpty()
              ? tr("There is no deleted message in this chat. A message that you delete can be brought back "
                   "for %n day(s).",
                   nullptr, ChatHistory::kRemovedDays)
              : tr("What was deleted in this chat can be brought back for %n day(s). Then it goes for good.",
                   nullptr, ChatHistory::kRemovedDays));
}

void DeletedMessagesDialog::look() {
  std::vector<ShownMessage> messages;
  for (const std::size_t row : selected())
    if (row < m_removed.size())
      for (const MessageRecord& message : m_removed[row].messages) messages.push_back({message});
  showMessages(m_chat, messages);
}

void DeletedMessagesDialog::bringBack() {
  std::vector<std::vector<MessageId>> removals;
  for (const std::size_t row : selected()) {
    std::vector<MessageId> ids;
    for (const MessageRecord& message : m_removed[row].messages) ids.push_back(message.id);
    removals.push_back(std::move(ids));
  }
  if (!desk().bringBackMessages(m_chat, removals)) fill();  // another program was faster
}

}  // namespace vitrine

#include "moc_deleted_messages_dialog.cpp"
