#include "chat_source.h"

#include <algorithm>
#include <sstream>

#include "chat_json.h"

namespace vitrine {

namespace {

class VitrineChats : public ChatSource {
 public:
  Format format() const override { return {"Vitrine", "an export as JSON", "json"}; }
  bool recognises(const Json& document) const override { return textOf(document, "format") == kChatsFormat; }
  std::vector<ChatRecord> read(const Json& document, ImportNotes&) const override {
    return chatsFromJson(document);
  }
};

// The entries of a document, without a copy.
std::vector<const Json*> entriesOf(const Json& document) {
  const Json& wrapped = memberOf(document, "conversations");
  const Json& list = wrapped.is_array() ? wrapped : document;
  std::vector<const Json*> entries;
  if (list.is_array())
    for (const Json& entry : list) entries.push_back(&entry);
  else
    entries.push_back(&document);
  return entries;
}

}  // namespace

bool ChatListSource::recognises(const Json& document) const {
  return std::ranges::any_of(entriesOf(document), [&](const Json* entry) { return isChat(*entry); });
}

std::vector<ChatRecord> ChatListSource::read(const Json& document, ImportNotes& notes) const {
  std::vector<ChatRecord> chats;
  for (const Json* entry : entriesOf(document)) {
    if (!isChat(*entry)) {
      notes.add(ImportNote::kStranger);
      continue;
    }
    ChatRecord chat = chatOf(*entry, notes);
    if (chat.messages.empty())
      notes.add(ImportNote::kEmpty);
    else
      chats.push_back(std::move(chat));
  }
  return chats;
}

const ChatSource& vitrineChats() { return theOnly<VitrineChats>(); }

const std::vector<const ChatSource*>& chatSources() {
  // Shapes with many parts stand before the bare list of messages, which is the least telling one.
  static const std::vector<const ChatSource*> sources = {
      &chatGptChats(),  &claudeChats(),    &janChats(),         &llamaCppChats(),
      &lmStudioChats(), &openWebUiChats(), &messageListChats(), &vitrineChats()};
  return sources;
}

const ChatSource* sourceOf(const Json& document) {
  const auto found = std::ranges::find_if(
      chatSources(), [&](const ChatSource* source) { return source->recognises(document); });
  return found == chatSources().end() ? nullptr : *found;
}

std::string chatFormatsInWords() {
  std::string words;
  for (const ChatSource* source : chatSources()) {
    const ChatSource::Format format = source->format();
    if (!words.empty()) words += source == chatSources().back() ? " or " : ", ";
    words += std::string(format.program) + " (" + format.files + ")";
  }
  return words;
}

std::string chatFilePatterns() {
  std::vector<std::string> patterns;
  for (const ChatSource* source : chatSources()) {
    std::istringstream endings(source->format().endings);
    for (std::string ending; endings >> ending;)
      if (const std::string pattern = "*." + ending; std::ranges::find(patterns, pattern) == patterns.end())
        patterns.push_back(pattern);
  }
  std::ranges::sort(patterns);
  std::string joined;
  for (const std::string& pattern : patterns) joined += (joined.empty() ? "" : " ") + pattern;
  return joined;
}

}  // namespace vitrine
