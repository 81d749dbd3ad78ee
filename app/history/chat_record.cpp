#include "chat_record.h"

#include <algorithm>

namespace vitrine {

namespace {

constexpr qsizetype kLongestTitle = 60;

}  // namespace

QString promptOfAnotherPath() { return QStringLiteral("\"another path\""); }

const MessageRecord* ChatRecord::find(MessageId id) const {
  const auto found = std::ranges::find(messages, id, &MessageRecord::id);
  return found == messages.end() ? nullptr : &*found;
}

// Parents stand before children, so one walk backwards is enough.
std::vector<MessageId> ChatRecord::pathTo(MessageId leaf) const {
  std::vector<MessageId> path;
  MessageId wanted = leaf;
  for (auto message = messages.rbegin(); message != messages.rend() && wanted != 0; ++message) {
    if (message->id != wanted) continue;
    path.push_back(wanted);
    wanted = message->parent;
  }
  std::ranges::reverse(path);
  return path;
}

std::vector<MessageId> ChatRecord::children(MessageId parent) const {
  std::vector<MessageId> ids;
  for (const MessageRecord& message : messages)
    if (message.parent == parent) ids.push_back(message.id);
  return ids;
}

std::vector<MessageId> ChatRecord::siblings(MessageId id) const {
  const MessageRecord* const message = find(id);
  return message == nullptr ? std::vector<MessageId>() : children(message->parent);
}

MessageId ChatRecord::leafBelow(MessageId id) const {
  if (find(id) == nullptr) return 0;
  MessageId leaf = id;
  for (std::vector<MessageId> below = children(leaf); !below.empty(); below = children(leaf))
    leaf = std::ranges::max(below);
  return leaf;
}

QString titleFrom(const QString& text) {
  const QString line = text.trimmed().section('\n', 0, 0).simplified();
  if (line.size() <= kLongestTitle) return line;
  const qsizetype blank = line.lastIndexOf(' ', kLongestTitle - 1);
  qsizetype end = blank > kLongestTitle / 2 ? blank : kLongestTitle - 1;
  if (line.at(end - 1).isHighSurrogate()) --end;
  return line.left(end) + QChar(0x2026);
}

}  // namespace vitrine
