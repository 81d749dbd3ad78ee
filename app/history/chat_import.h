// Chats of other programs as values: ChatGPT's conversations.json, LM Studio's *.conversation.json, and our
// own.
//
// Branches are kept. What has no place in a chat of ours is left out: pictures, files, hidden messages. A
// message of a tool is kept as a text. Thread: any; a large file takes seconds. Read next: chat_json.h.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "chat_record.h"

namespace vitrine {

inline constexpr std::size_t kLargestImport = std::size_t{512} << 20;  // bytes

// Chats for ChatHistory::insert(); their ids hold only within a chat. `name` stands in errors. Throws
// EngineError: kFileCorrupt for what is not JSON or is nested deeper than 100 levels, kUnsupported for JSON
// that has no chats in a form that we know.
std::vector<ChatRecord> readChats(std::string_view json, const std::string& name);
// Throws also what readWholeFile() throws: kFileCorrupt for a file above kLargestImport.
std::vector<ChatRecord> readChatFile(const std::filesystem::path& file);

}  // namespace vitrine
