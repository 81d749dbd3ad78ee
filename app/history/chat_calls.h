// Which answers of a chat call tools, and which messages are their results.
//
// Calls are read from the text of their answer, which stays what the model wrote. The messages of tools in a
// row below an answer are the results of its calls, in their order. Other ones, of imported chats, belong to
// no call. Thread: values. Read next: vitrine/tool_call.h.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "chat_record.h"
#include "vitrine/tool_call.h"

namespace vitrine {

// What the chat offers to its model. A text that is no list of tools, from an import, offers nothing.
ToolSet toolsOf(const ChatSettings& settings);

// Of the messages of a path, by their places in it.
class PathCalls {
 public:
  PathCalls(const ChatSettings& settings, const std::vector<MessageRecord>& path);

  const std::shared_ptr<const ToolSet>& tools() const { return m_tools; }  // of the chat; none: an empty set
  // Whether calls are looked for in this answer: the chat offers tools, or a tool's message follows.
  bool areReadIn(std::size_t place) const { return m_read.at(place).isLookedAt; }
  const AnswerCalls& of(std::size_t place) const { return m_read.at(place).calls; }
  // The call whose result this message is; null: of none.
  const ToolCall* answeredBy(std::size_t place) const;
  // Calls of the last answer that have no result yet, where the path ends behind it or behind its first
  // results.
  const std::vector<ToolCall>& awaited() const { return m_awaited; }

 private:
  struct Read {
    bool isLookedAt = false;
    AnswerCalls calls = {};
    std::optional<ToolCall> answered = {};
  };

  std::shared_ptr<const ToolSet> m_tools;
  std::vector<Read> m_read;
  std::vector<ToolCall> m_awaited;
};

}  // namespace vitrine
