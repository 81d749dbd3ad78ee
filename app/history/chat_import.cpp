#include "chat_import.h"

#include <QDateTime>
#include <algorithm>

#include "chat_archive.h"
#include "chat_source.h"
#include "vitrine/blanks.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/json_reader.h"

namespace vitrine {
namespace {

constexpr JsonBounds kBounds{.depth = 100};
constexpr const char* kHint = "Export the chats once more.";

Json readValue(std::string_view text, const std::string& where = {}) {
  return readJson<Json>(text, kBounds, [&](const std::string& words) {
    throw EngineError(ErrorCode::kFileCorrupt, where + words, kHint);
  });
}

// The first line is an object by itself, and something follows.
bool isJsonLines(std::string_view text) {
  const std::string_view all = trimmed(text);
  const std::size_t end = all.find('\n');
  if (end == std::string_view::npos || all.front() != '{') return false;
  const std::string_view line = trimmed(all.substr(0, end));
  if (line.back() != '}') return false;
  try {
    return readValue(line).is_object();
  } catch (const EngineError&) {
    return false;
  }
}

Json readLines(std::string_view text) {
  Json lines = Json::array();
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (!line.empty()) lines.push_back(readValue(line, "line " + std::to_string(number) + " of the file: "));
  }
  return lines;
}

// A file of chats as a tree: JSON, or JSON Lines as the list of its lines. Throws EngineError kFileCorrupt
// for what is neither, or is nested deeper than 100 levels.
Json readChatDocument(std::string_view text) { return isJsonLines(text) ? readLines(text) : readValue(text); }

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

EngineError noChats() {
  return EngineError(ErrorCode::kUnsupported, "there are no chats in it",
                     "Vitrine imports chats of " + chatFormatsInWords() + ".");
}

std::vector<ChatRecord> chatsOf(const Json& document, ImportReport& report) {
  const ChatSource* const source = sourceOf(document);
  if (source == nullptr) throw noChats();
  std::vector<ChatRecord> chats = source->read(document, report.notes);
  if (chats.empty()) throw noChats();
  for (ChatRecord& chat : chats) complete(chat);
  report.format = source->format().program;
  report.chats += chats.size();
  return chats;
}

// What `work` throws, with the file's name before it.
template <typename Work>
auto named(const std::string& name, const Work& work) {
  try {
    return work();
  } catch (const EngineError& error) {
    throw EngineError(error.code(), name + ": " + error.what(), error.hint());
  }
}

std::vector<ChatRecord> chatsInArchive(const std::filesystem::path& file, ImportReport& report,
                                       const std::atomic<bool>* cancelled) {
  std::vector<ChatRecord> chats;
  readChatArchive(file, cancelled, [&](const ArchivedFile& packed) {
    if (!packed.fault.empty()) {
      report.unread.push_back(packed.name + ": " + packed.fault);
      return;
    }
    try {
      std::vector<ChatRecord> more = chatsOf(readChatDocument(packed.bytes), report);
      chats.insert(chats.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    } catch (const EngineError& error) {
      if (error.code() != ErrorCode::kUnsupported) report.unread.push_back(packed.name + ": " + error.what());
    }
  });
  if (!chats.empty()) return chats;
  if (report.unread.empty()) throw noChats();
  throw EngineError(ErrorCode::kFileCorrupt, report.unread.front(),
                    "Download or export the archive once more.");
}

}  // namespace

std::vector<ChatRecord> readChats(std::string_view json, const std::string& name, ImportReport* report) {
  ImportReport own;
  return named(name, [&] { return chatsOf(readChatDocument(json), report == nullptr ? own : *report); });
}

std::vector<ChatRecord> readChatFile(const std::filesystem::path& file, ImportReport* report,
                                     const std::atomic<bool>* cancelled) {
  const std::string name = file.filename().string();
  if (!isZip(file)) return readChats(readWholeFile(file, kLargestImport), name, report);
  ImportReport own;
  return named(name, [&] { return chatsInArchive(file, report == nullptr ? own : *report, cancelled); });
}

bool looksLikeChats(const std::filesystem::path& file, std::size_t mostBytes) {
  try {
    return isZip(file) || sourceOf(readChatDocument(readWholeFile(file, mostBytes))) != nullptr;
  } catch (const EngineError&) {
    return false;
  }
}

}  // namespace vitrine
