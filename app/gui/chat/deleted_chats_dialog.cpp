#include "gui/chat/deleted_chats_dialog.h"

#include <algorithm>

namespace vitrine {

DeletedChatsDialog::DeletedChatsDialog(Desk& desk, Session& session, const ChatController& controller,
                                       QWidget* parent)
    : DeletedDialog(desk, session, controller, {tr("Deleted chats"), tr("Messages of the deleted chat")},
                    parent) {
  connect(&desk, &Desk::removedChanged, this, &DeletedChatsDialog::fill);
  fill();
}

// The one that was deleted last is the first.
void DeletedChatsDialog::fill() {
  std::vector<ChatSummary> chats = desk().history().chats(ChatShelf::kRemoved);
  std::ranges::sort(chats, std::ranges::greater(), &ChatSummary::removedMs);
  m_chats.clear();
  QStringList rows;
  for (const ChatSummary& chat : chats) {
    m_chats.push_back(chat.id);
    rows << (chat.title.isEmpty() ? tr("New chat") : chat.title) + u'\n' + whenWords(chat.removedMs);
  }
  setRows(rows,
          rows.isEmpty()
              ? tr("There is no deleted chat. A chat that you delete can be brought back for %n day(s).",
                   nullptr, ChatHistory::kRemovedDays)
              : tr("A deleted chat can be brought back for %n day(s). Then it goes for good.", nullptr,
                   ChatHistory::kRemovedDays));
}

ChatId DeletedChatsDialog::chatSelected() const {
  const std::vector<std::size_t> rows = selected();
  return rows.empty() || rows.front() >= m_chats.size() ? 0 : m_chats[rows.front()];
}

void DeletedChatsDialog::look() { showMessages(chatSelected(), desk().branchOf(chatSelected())); }

void DeletedChatsDialog::bringBack() { desk().bringBack(chatSelected()); }

}  // namespace vitrine

#include "moc_deleted_chats_dialog.cpp"
