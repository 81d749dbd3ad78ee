#include "connect/sse_reader.h"

#include <utility>

#include "vitrine/error.h"

namespace vitrine::connect {

// A line ends with CR, LF or both.
std::vector<std::string> SseReader::take(std::string_view bytes) {
  std::vector<std::string> messages;
  while (!bytes.empty()) {
    if (std::exchange(m_endedWithCr, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    if (m_line.size() + m_data.size() + part.size() > kMostBytes)
      throw EngineError(ErrorCode::kFileCorrupt, "the server sends a message without an end");
    if (end == std::string_view::npos) {
      m_line += part;
      break;
    }
    if (m_line.empty()) {
      takeLine(part, messages);
    } else {
      m_line += part;
      takeLine(std::exchange(m_line, {}), messages);
    }
    m_endedWithCr = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
  }
  return messages;
}

void SseReader::takeLine(std::string_view line, std::vector<std::string>& messages) {
  if (line.empty()) {
    if (std::exchange(m_hasData, false)) messages.push_back(std::exchange(m_data, {}));
    return;
  }
  const std::size_t colon = line.find(':');  // at 0: a comment
  if (line.substr(0, colon) != "data") return;
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (std::exchange(m_hasData, true)) m_data += '\n';
  m_data += value;
}

}  // namespace vitrine::connect
