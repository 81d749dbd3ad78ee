// ChatController: a turn as an order, and what happens when the context has no room for it.
#include <QPlainTextEdit>
#include <algorithm>

#include "desk/prompt_messages.h"
#include "gui/turns/chat_controller.h"
#include "gui/turns/chat_settings.h"
#include "widgets/conversation/question_files.h"

namespace vitrine {
namespace {
const QString kLook = QStringLiteral("room");  // the name of an order that is not submitted
}  // namespace

// Notes what the order has until the engine takes it.
ChatOrder ChatController::orderFor(ChatId chat, const ChatTurn& turn, const QString& name) {
  std::vector<MessageRecord> path = recordsOf(turn.reads.empty() ? turn.before : turn.reads);
  const Places leftOut = turn.own ? placesFrom(turn.own->leftOut) : placesLeftOut(path);
  const ChatSettings settings = m_desk.settings(chat);
  for (const QString& result : turn.results) {
    MessageRecord message;
    message.role = MessageRole::kTool;
    message.text = result;
    path.push_back(std::move(message));
  }
  PromptMessages prompt = promptMessages(settings, path, leftOut);
  m_placed[name] = {chat, turn, std::move(prompt.ids),
                    turn.reads.empty() ? toText(leftOut) : promptOfAnotherPath()};
  ChatOrder order;
  order.dialogue = dialogueOf(settings, std::move(prompt), turn.question);
  if (turn.own) order.dialogue.thinking = turn.own->thinking;
  order.request = requestNamed(name);
  order.request.sampling.seed += turn.seedShift;
  applySettings(settings, order.request, settings.preset == kModelPreset ? recommended() : std::nullopt);
  if (turn.own) order.request = turn.own->request;  // it has had its settings
  order.request.name = name.toStdString();
  // An answer of before is made again from what the engine cut then.
  if (!turn.own) order.whenFull = ChatOrder::WhenFull::kAsk;
  return order;
}

Dialogue ChatController::dialogueOf(const ChatSettings& settings, PromptMessages prompt,
                                    const QString& question) const {
  if (!question.isEmpty()) prompt.messages.push_back({ChatRole::kUser, question.toStdString()});
  return vitrine::dialogueOf(settings, std::move(prompt.messages), m_thinking);
}

// What is written is the next question.
Dialogue ChatController::dialogueShown() const {
  const std::vector<MessageRecord> path = recordsOf(m_desk.branch());
  const ChatSettings settings = m_desk.settings(m_desk.shown());
  const QString written = m_view.input()->toPlainText().trimmed();
  const QString question = written.isEmpty() ? written : m_files->with(m_desk.shown(), written);
  return dialogueOf(settings, promptMessages(settings, path, placesLeftOut(path)), question);
}

// As a request that failed, and the turn is kept until it is sent again.
void ChatController::keepRefused(const QString& request, const PlacedTurn& placed) {
  onFailed(request);
  if (placed.chat == m_desk.shown()) m_refused.insert_or_assign(placed.chat, placed.turn);
}

void ChatController::onTemplateRefused(const ChatRefused& refused) {
  const auto found = m_placed.extract(refused.request);
  if (!found || refused.request == kLook) return;
  keepRefused(refused.request, found.mapped());
  emit templateRefused(found.mapped().chat, refused);
}

void ChatController::onFull(const ChatFull& full) {
  const auto found = m_placed.extract(full.request);
  if (!found) return;
  const PlacedTurn& placed = found.mapped();
  if (!placed.turn.reads.empty()) return summariseWhatFits(full, placed.chat, placed.turn, placed.ids);
  if (full.request != kLook) keepRefused(full.request, placed);
  emit contextFull(placed.chat, full, placed.ids);
}

void ChatController::sendRefused(ChatId chat) {
  auto refused = m_refused.extract(chat);
  if (!refused) return m_waiting->sendNow(chat);
  ChatTurn& turn = refused.mapped();
  if (chat != m_desk.shown() || m_model.isAnswering() || m_files->isReading()) return;
  turn.before = m_desk.branchTo(chat, turn.parent);
  if (!turn.question.isEmpty()) {
    turn.question = m_files->takeInto(chat, m_view.input()->toPlainText().trimmed());
    if (turn.question.isEmpty()) return;
    m_view.input()->clear();
  }
  submit(turn);
}

void ChatController::lookAtRoom(ChatId chat) {
  ChatOrder order = orderFor(chat, {.question = tr("And then?"), .before = m_desk.branchOf(chat)}, kLook);
  order.whenFull = ChatOrder::WhenFull::kLook;
  m_host.submitChat(std::move(order));
}

// Of a chat that is too long the newest messages, and the question says from which one on: it stays with the
// summary, for the model and for the person.
void ChatController::summariseWhatFits(const ChatFull& full, ChatId chat, ChatTurn turn,
                                       const std::vector<MessageId>& ids) {
  m_writer->forget(full.request);
  m_model.takeBack(full.request);
  const auto from = ids.begin() + std::min<std::ptrdiff_t>(full.oldest.from, std::ssize(ids));
  const auto to = from + std::min<std::ptrdiff_t>(full.oldest.count, ids.end() - from);
  std::erase_if(turn.reads,
                [&](const ShownMessage& shown) { return std::find(from, to, shown.message.id) != to; });
  const auto first = std::ranges::find(turn.reads, MessageRole::kUser,
                                       [](const ShownMessage& shown) { return shown.message.role; });
  if (first == turn.reads.end() || full.oldest.count == 0)
    return emit refused(tr("Not even the newest messages of the chat fit in the context beside a summary."),
                        tr("Shorten the answers in the sampling panel, or give the machine more blocks."));
  turn.question = tr("Summarise our conversation, from the question %1 on, so that we can go on from it in a "
                     "new chat. What was before it does not fit in the context.")
                      .arg(questionName(first->message.text));
  if (chat == m_desk.shown()) {
    submit(turn);
    return;
  }
  place(chat, turn);
  emit sent();
}

// What was left out of the old chat is summarised, too. What is written stays, in both chats.
void ChatController::summarise(ChatId chat) {
  ChatTurn turn{
      .question = tr("Summarise our conversation so far, so that we can go on from it in a new chat."),
      .reads = m_desk.branchOf(chat)};
  for (ShownMessage& shown : turn.reads) shown.message.leftOut = false;
  if (turn.reads.empty()) return;
  const ChatSettings settings = m_desk.settings(chat);
  const QString written = m_view.input()->toPlainText();
  m_refused.erase(chat);
  m_desk.begin();
  m_desk.setSettings(0, settings);
  submit(turn);
  m_view.setDraft(written);
}

}  // namespace vitrine
