// SseReader: the messages of a stream of server-sent events (text/event-stream of the HTML standard), as the
// servers of OpenAI's API write their answers.
//
// Bytes come as the network cuts them. Of a message only its data is read: its lines, joined. Thread: a
// value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::connect {

class SseReader {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{4} << 20;  // of one message

  // The data of the messages that end in `bytes`. Throws EngineError(kFileCorrupt) for one that is too long.
  std::vector<std::string> take(std::string_view bytes);

 private:
  void takeLine(std::string_view line, std::vector<std::string>& messages);

  std::string m_line;  // that has not ended
  std::string m_data;  // of the message under way
  bool m_hasData = false, m_endedWithCr = false;
};

}  // namespace vitrine::connect
