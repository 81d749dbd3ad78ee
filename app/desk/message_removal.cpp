#include "desk/message_removal.h"

#include <algorithm>
#include <set>

#include "desk/desk.h"

namespace vitrine {
namespace {

// Parents stand before children.
std::vector<MessageId> withAllBelow(const ChatRecord& chat, MessageId top) {
  std::set<MessageId> found = {top};
  std::vector<MessageId> messages;
  for (const MessageRecord& message : chat.messages) {
    if (message.id != top && !found.contains(message.parent)) continue;
    found.insert(message.id);
    messages.push_back(message.id);
  }
  return messages;
}

// Results belong to the answer that calls the tools.
bool canGoAlone(const ChatRecord& chat, const MessageRecord& message) {
  const std::vector<MessageId> next = chat.children(message.id);
  return message.role != MessageRole::kTool &&
         std::ranges::none_of(next, [&](MessageId id) { return chat.find(id)->role == MessageRole::kTool; });
}

}  // namespace

std::vector<MessageRemoval> removalsAt(const ChatRecord& chat, MessageId message) {
  const MessageRecord* const record = chat.find(message);
  if (record == nullptr) return {};
  std::vector<MessageId> all = withAllBelow(chat, message);
  const auto count = static_cast<int>(all.size());
  if (chat.siblings(message).size() > 1)
    return {{count == 1 ? Desk::tr("&Delete this version")
                        : Desk::tr("&Delete this version and what follows: %n message(s)", "", count),
             std::move(all)}};
  if (count == 1) return {{Desk::tr("&Delete this message"), std::move(all)}};
  std::vector<MessageRemoval> removals;
  if (canGoAlone(chat, *record)) removals.push_back({Desk::tr("Delete &only this message"), {message}});
  removals.push_back({Desk::tr("&Delete from here on: %n message(s)", "", count), std::move(all)});
  return removals;
}

std::vector<MessageRemoval> removalOfBranch(const ChatRecord& chat, MessageId last) {
  const std::vector<MessageId> path = chat.pathTo(last);
  const auto fork =
      std::find_if(path.rbegin(), path.rend(), [&](MessageId id) { return chat.siblings(id).size() > 1; });
  if (fork == path.rend()) return {};
  std::vector<MessageId> all = withAllBelow(chat, *fork);
  const auto count = static_cast<int>(all.size());
  return {{Desk::tr("&Delete this branch: %n message(s)", "", count), std::move(all)}};
}

}  // namespace vitrine
