#include "chat_document.h"

#include <algorithm>

#include "vitrine/blanks.h"
#include "vitrine/error.h"
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

}  // namespace

Json readChatDocument(std::string_view text) { return isJsonLines(text) ? readLines(text) : readValue(text); }

}  // namespace vitrine
