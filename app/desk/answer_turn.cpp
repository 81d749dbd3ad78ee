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

std::optional<AnswerTurn> answerTurn(Desk& desk, MessageId answer) {
  const auto chat = desk.shown() == 0 ? std::nullopt : desk.history().chat(desk.shown());
  const MessageRecord* const found = chat ? chat->find(answer) : nullptr;
  if (found == nullptr || found->role != MessageRole::kAssistant || found->state == MessageState::kStreaming)
    return std::nullopt;
  const std::optional<Request> request = requestOf(found->provenance);
  if (!request) return std::nullopt;
  AnswerTurn turn{*found, messagesOn(*chat, chat->pathTo(found->parent)), *request,
                  !found->thinking.isEmpty()};
  turn.answer.tokens = desk.history().tokens(answer);
  if (turn.answer.tokens.empty()) return std::nullopt;
  return turn;
}

}  // namespace vitrine
