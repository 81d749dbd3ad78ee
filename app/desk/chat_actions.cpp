#include "desk/chat_actions.h"

#include <QMenu>
#include <algorithm>
#include <utility>

namespace vitrine {
namespace {

// Whether it is true of all of them.
bool all(Desk& desk, const std::vector<ChatId>& chats, bool ChatSummary::*holds) {
  return std::ranges::all_of(chats, [&](ChatId chat) {
    const auto summary = desk.history().summary(chat);
    return summary && (*summary).*holds;
  });
}

// It says the key; the list and the input hear it.
void sayKey(QAction* action, Qt::Key key) {
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetShortcut);
}

}  // namespace

void addRename(QMenu& menu, const QObject* context, std::function<void()> rename) {
  sayKey(menu.addAction(Desk::tr("&Rename"), context, std::move(rename)), Qt::Key_F2);
}

void addChatActions(QMenu& menu, Desk& desk, const std::vector<ChatId>& chats) {
  const bool pinned = all(desk, chats, &ChatSummary::pinned);
  const bool archived = all(desk, chats, &ChatSummary::archived);
  menu.addAction(pinned ? Desk::tr("Un&pin") : Desk::tr("&Pin to the top"), &desk,
                 [=, &desk] { desk.setPinned(chats, !pinned); });
  menu.addAction(Desk::tr("D&uplicate"), &desk, [=, &desk] { desk.duplicate(chats); });
  menu.addAction(archived ? Desk::tr("Take out of the &archive") : Desk::tr("Put into the &archive"), &desk,
                 [=, &desk] { desk.setArchived(chats, !archived); });
}

void addDelete(QMenu& menu, Desk& desk, const std::vector<ChatId>& chats) {
  const QString words = chats.size() == 1
                            ? Desk::tr("&Delete")
                            : Desk::tr("&Delete %n chat(s)", "", static_cast<int>(chats.size()));
  sayKey(menu.addAction(words, &desk, [=, &desk] { desk.remove(chats); }), Qt::Key_Delete);
}

}  // namespace vitrine
