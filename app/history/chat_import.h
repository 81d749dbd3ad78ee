// Chats of other programs as values, and our own: what chat_source.h lists, as JSON, JSON Lines or in a ZIP
// archive.
//
// Branches are kept, and what a person or a model wrote. What has no place in a chat of ours is marked in the
// text or left out; the report counts it. Thread: any; a large file takes seconds. Read next: chat_source.h.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "chat_record.h"
#include "import_report.h"

namespace vitrine {

inline constexpr std::size_t kLargestImport = std::size_t{512} << 20;  // bytes, of one file

// Chats for ChatHistory::insert(); their ids hold only within a chat. `name` stands in errors. Throws
// EngineError: kFileCorrupt for what is not JSON or is nested deeper than 100 levels, kUnsupported for JSON
// that has no chats in a form that we know.
std::vector<ChatRecord> readChats(std::string_view json, const std::string& name,
                                  ImportReport* report = nullptr);
// Throws also what readWholeFile() throws: kFileCorrupt for a file above kLargestImport; and what
// readChatArchive() throws. In an archive, files that have no chats are passed over.
std::vector<ChatRecord> readChatFile(const std::filesystem::path& file, ImportReport* report = nullptr,
                                     const std::atomic<bool>* cancelled = nullptr);

// Whether readChats() would find chats of some format in it, or is a ZIP archive: for a file that is dropped.
bool looksLikeChats(const std::filesystem::path& file, std::size_t mostBytes);

}  // namespace vitrine
