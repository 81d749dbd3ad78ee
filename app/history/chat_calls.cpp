#include "chat_calls.h"

#include "vitrine/error.h"

namespace vitrine {

ToolSet toolsOf(const ChatSettings& settings) {
  try {
    return ToolSet(settings.tools.toStdString());
  } catch (const EngineError&) {
    return {};
  }
}

PathCalls::PathCalls(const ChatSettings& settings, const std::vector<MessageRecord>& path)
    : m_tools(std::make_shared<const ToolSet>(toolsOf(settings))), m_read(path.size()) {
  const MessageRecord* answer = nullptr;
  std::vector<ToolCall> calls;
  std::size_t results = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const MessageRecord& message = path[i];
    Read& read = m_read[i];
    if (message.role == MessageRole::kTool) {
      if (answer != nullptr && results < calls.size()) read.answered = calls[results++];
      continue;
    }
    answer = nullptr;
    if (message.role != MessageRole::kAssistant) continue;
    const bool isFollowed = i + 1 < path.size() && path[i + 1].role == MessageRole::kTool;
    read.isLookedAt = !m_tools->empty() || isFollowed;
    if (!read.isLookedAt || message.state == MessageState::kFailed) continue;
    read.calls = toolCalls(message.text.toStdString(), *m_tools, message.state != MessageState::kStreaming);
    answer = &message;
    calls = wholeCalls(read.calls);
    results = 0;
  }
  if (answer == nullptr || answer->state == MessageState::kStreaming) return;
  for (; results < calls.size(); ++results) m_awaited.push_back(calls[results]);
}

const ToolCall* PathCalls::answeredBy(std::size_t place) const {
  const std::optional<ToolCall>& answered = m_read.at(place).answered;
  return answered ? &*answered : nullptr;
}

}  // namespace vitrine
