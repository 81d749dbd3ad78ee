// What can be done with chats in any menu: pinned, copied, put away, deleted. Thread: the window's. Read
// next: desk.h.
#pragma once

#include <functional>
#include <vector>

#include "desk/desk.h"

class QMenu;

namespace vitrine {

// For one chat or several, at least one. A chat's state is that of now.
void addChatActions(QMenu& menu, Desk& desk, const std::vector<ChatId>& chats);
// What `rename` does with one chat, for `context`.
void addRename(QMenu& menu, const QObject* context, std::function<void()> rename);
void addDelete(QMenu& menu, Desk& desk, const std::vector<ChatId>& chats);

}  // namespace vitrine
