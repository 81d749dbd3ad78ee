#include "chat_import.h"

#include <QDateTime>
#include <algorithm>

#include "chat_json.h"
#include "foreign_chats.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/json_reader.h"

namespace vitrine {

namespace {

constexpr int kDepth = 100;

// What a file may lack or have wrong: times, a title, the shown leaf.
void complete(ChatRecord& chat) {
  const std::int64_t now = QDateTime::currentMSecsSinceEpoch();
  const auto sound = [&](std::int64_t ms) { return ms > 0 && ms <= now; };
  std::int64_t before = sound(chat.summary.createdMs) ? chat.summary.createdMs : 0;
  for (const MessageRecord& message : chat.messages)
    if (before == 0 && sound(message.createdMs)) before = message.createdMs;
  if (before == 0) before = sound(chat.summary.changedMs) ? chat.summary.changedMs : now;
  if (!sound(chat.summary.createdMs)) chat.summary.createdMs = before;
  for (MessageRecord& message : chat.messages) {
    if (!sound(message.createdMs)) message.createdMs = before;
    before = message.createdMs;
    if (chat.summary.title.isEmpty() && message.role == MessageRole::kUser)
      chat.summary.title = titleFrom(message.text);
  }
  if (!sound(chat.summary.changedMs)) chat.summary.changedMs = before;
  if (chat.find(chat.shownLeaf) == nullptr && !chat.messages.empty())
    chat.shownLeaf = chat.leafBelow(chat.messages.front().id);
}

std::vector<ChatRecord> chatsOf(const Json& root) {
  if (textOf(root, "format") == kChatsFormat) return chatsFromJson(root);
  std::vector<ChatRecord> chats;
  const auto add = [&](const Json& conversation) {
    if (looksLikeChatGpt(conversation))
      chats.push_back(chatGptChat(conversation));
    else if (looksLikeLmStudio(conversation))
      chats.push_back(lmStudioChat(conversation));
  };
  if (root.is_array())
    for (const Json& conversation : root) add(conversation);
  else
    add(root);
  return chats;
}

}  // namespace

std::vector<ChatRecord> readChats(std::string_view json, const std::string& name) {
  const JsonBounds bounds{.depth = kDepth};
  try {
    const Json root = readJson<Json>(json, bounds, [](const std::string& words) {
      throw EngineError(ErrorCode::kFileCorrupt, words, "Export the chats once more.");
    });
    std::vector<ChatRecord> chats = chatsOf(root);
    if (chats.empty())
      throw EngineError(
          ErrorCode::kUnsupported, "there are no chats in it",
          "Choose ChatGPT's conversations.json, a *.conversation.json of LM Studio, or chats that "
          "Vitrine exported as JSON.");
    for (ChatRecord& chat : chats) complete(chat);
    return chats;
  } catch (const EngineError& error) {
    throw EngineError(error.code(), name + ": " + error.what(), error.hint());
  }
}

std::vector<ChatRecord> readChatFile(const std::filesystem::path& file) {
  return readChats(readWholeFile(file, kLargestImport), file.filename().string());
}

}  // namespace vitrine
