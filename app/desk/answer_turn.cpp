#include "desk/answer_turn.h"

#include <algorithm>

#include "desk/provenance.h"

namespace vitrine {
namespace {

// The chat's system prompt, then messages as ChatModel::messagesOf() has them: what was thought is left out,
// and answers that failed or are empty.
std::vector<ChatMessage> messagesOn(const ChatRecord& chat, const std::vector<MessageId>& path) {
  std::vector<ChatMessage> messages;
  if (const QString& instructions = chat.settings.instructions; !instructions.trimmed().isEmpty())
    messages.push_back({ChatRole::kSystem, instructions.toStdString()});
  for (const MessageId id : path) {
    const MessageRecord& message = *chat.find(id);
    if (message.role == MessageRole::kUser)
      messages.push_back({ChatRole::kUser, message.text.toStdString()});
    else if (message.role == MessageRole::kAssistant && !message.text.isEmpty() &&
             message.state != MessageState::kFailed)
      messages.push_back({ChatRole::kAssistant, message.text.toStdString()});
  }
  return messages;
}

}  // namespace

bool AnswerTurn::canGoOn() const {
  if (answer.tokens.empty()) return false;
  return answer.state == MessageState::kStopped || std::ssize(answer.tokens) >= request.maxTokens;
}

// The tokens of one answer are enough: those of a long chat are many.
std::optional<AnswerTurn> answerTurn(Desk& desk, MessageId answer) {
  auto chat = desk.shown() == 0 ? std::nullopt : desk.history().chat(desk.shown());
  if (!chat) return std::nullopt;
  const auto found = std::ranges::find(chat->messages, answer, &MessageRecord::id);
  if (found == chat->messages.end()) return std::nullopt;
  found->tokens = desk.history().tokens(answer);
  return answerTurn(*chat, answer);
}

std::optional<AnswerTurn> answerTurn(const ChatRecord& chat, MessageId answer) {
  const MessageRecord* const found = chat.find(answer);
  if (found == nullptr || found->role != MessageRole::kAssistant || found->tokens.empty() ||
      found->state == MessageState::kStreaming)
    return std::nullopt;
  const std::optional<Request> request = requestOf(found->provenance);
  if (!request) return std::nullopt;
  return AnswerTurn{*found, messagesOn(chat, chat.pathTo(found->parent)), *request,
                    !found->thinking.isEmpty()};
}

}  // namespace vitrine
