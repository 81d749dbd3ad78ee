#include "desk/answer_turn.h"

#include <QDateTime>
#include <algorithm>
#include <utility>

#include "desk/prompt_messages.h"
#include "desk/provenance.h"

namespace vitrine {
namespace {

// The day on which it was asked for, as the template wrote it then.
TemplateDate dateOf(const MessageRecord& answer) {
  if (answer.createdMs == 0) return TemplateDate::today();
  const QDate day = QDateTime::fromMSecsSinceEpoch(answer.createdMs).date();
  return {day.year(), day.month(), day.day()};
}

std::vector<ChatMessage> messagesBefore(const MessageRecord& answer, const ChatRecord& chat) {
  std::vector<MessageRecord> path;
  for (const MessageId id : chat.pathTo(answer.parent)) path.push_back(*chat.find(id));
  return promptMessages(chat.settings, path, placesFrom(answer.provenance.leftOut)).messages;
}

}  // namespace

bool AnswerTurn::canGoOn() const {
  if (answer.tokens.empty()) return false;
  if (answer.state == MessageState::kStopped) return true;
  if (answer.limit != AnswerLimit::kNone) return answer.limit == AnswerLimit::kTokens;
  // Answers of before limits were kept.
  return request.maxTokens > 0 && std::ssize(answer.tokens) >= request.maxTokens;
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
  if (found->provenance.leftOut == promptOfAnotherPath()) return std::nullopt;
  const std::optional<Request> request = requestOf(found->provenance);
  if (!request) return std::nullopt;
  Dialogue dialogue = dialogueOf(chat.settings, messagesBefore(*found, chat));
  dialogue.thinking = !found->thinking.isEmpty();  // as it was asked then
  dialogue.date = dateOf(*found);
  return AnswerTurn{*found, std::move(dialogue), *request};
}

}  // namespace vitrine
