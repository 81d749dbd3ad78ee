#include "gui/turns/waiting_messages.h"

#include <algorithm>

namespace vitrine {

// Sending comes later than the signal, since others that hear it have not yet taken the end of the answer in.
WaitingMessages::WaitingMessages(Desk& desk, const AnswerWriter& writer, QObject* parent)
    : QObject(parent), m_desk(desk), m_writer(writer) {
  connect(&writer, &AnswerWriter::answeringChanged, this, &WaitingMessages::holdInterrupted);
  connect(&writer, &AnswerWriter::begun, this, [this](const PendingTurn& taken) {
    if (taken.turn.waited) keep(taken.chat);
  });
  connect(&writer, &AnswerWriter::answeringChanged, this, &WaitingMessages::sendDue, Qt::QueuedConnection);
}

// Messages of an earlier run are read when their chat is first asked for; they wait for a person.
WaitingMessages::Queue* WaitingMessages::queueOf(ChatId chat) {
  if (chat != 0 && m_read.insert(chat).second) {
    for (const QString& text : m_desk.history().waiting(chat)) {
      Queue& queue = m_queues[chat];
      queue.messages.push_back({++m_ids, text});
      queue.held = true;
    }
  }
  const auto found = m_queues.find(chat);
  return found == m_queues.end() ? nullptr : &found->second;
}

// Also what was sent, until the engine has taken it.
void WaitingMessages::keep(ChatId chat) {
  QStringList texts;
  for (const PendingTurn* pending : m_writer.pending().of(chat))
    if (pending->turn.waited) texts += pending->turn.question;
  if (const Queue* const queue = queueOf(chat))
    for (const WaitingMessage& message : queue->messages) texts += message.text;
  m_desk.history().setWaiting(chat, texts);
}

void WaitingMessages::add(ChatId chat, const QString& text) {
  queueOf(chat);
  m_queues[chat].messages.push_back({++m_ids, text});
  keep(chat);
  emit changed();
}

void WaitingMessages::putBack(ChatId chat, const QString& text) {
  queueOf(chat);
  Queue& queue = m_queues[chat];
  queue.messages.insert(queue.messages.begin(), {++m_ids, text});
  queue.held = true;
  keep(chat);
  emit changed();
}

std::vector<WaitingMessage> WaitingMessages::of(ChatId chat) {
  const Queue* const queue = queueOf(chat);
  return queue == nullptr ? std::vector<WaitingMessage>() : queue->messages;
}

bool WaitingMessages::areDue(ChatId chat) {
  const Queue* const queue = queueOf(chat);
  return queue != nullptr && !queue->held;
}

bool WaitingMessages::isHeld(ChatId chat) {
  const Queue* const queue = queueOf(chat);
  return queue != nullptr && queue->held;
}

void WaitingMessages::hold(ChatId chat) {
  Queue* const queue = queueOf(chat);
  if (queue == nullptr || queue->held) return;
  queue->held = true;
  emit changed();
}

void WaitingMessages::sendNow(ChatId chat) {
  Queue* const queue = queueOf(chat);
  if (queue == nullptr) return;
  queue->held = false;
  if (isBusy(chat))
    emit changed();
  else
    sendFirst(chat);
}

std::vector<WaitingMessage> WaitingMessages::extract(ChatId chat, qint64 id) {
  Queue* const queue = queueOf(chat);
  if (queue == nullptr) return {};
  const auto wanted = std::ranges::find(queue->messages, id, &WaitingMessage::id);
  if (wanted == queue->messages.end()) return {};
  std::vector<WaitingMessage> taken = {std::move(*wanted)};
  queue->messages.erase(wanted);
  if (queue->messages.empty()) m_queues.erase(chat);
  return taken;
}

QString WaitingMessages::take(ChatId chat, qint64 id) {
  const std::vector<WaitingMessage> taken = extract(chat, id);
  if (taken.empty()) return {};
  keep(chat);
  emit changed();
  return taken.front().text;
}

bool WaitingMessages::isBusy(ChatId chat) const {
  return m_writer.isAnswering(chat) || m_writer.pending().has(chat);
}

// Whether the chat is there, and its last answer came to its own end.
bool WaitingMessages::isAnswered(ChatId chat) const {
  const auto record = m_desk.history().chat(chat);
  const MessageRecord* const last = record ? record->find(record->shownLeaf) : nullptr;
  return last != nullptr && record->summary.removedMs == 0 && last->role == MessageRole::kAssistant &&
         last->state == MessageState::kComplete;
}

std::vector<ChatId> WaitingMessages::ended() const {
  std::vector<ChatId> chats;
  for (const auto& [chat, queue] : m_queues)
    if (!queue.held && !isBusy(chat)) chats.push_back(chat);
  return chats;
}

void WaitingMessages::holdInterrupted() {
  for (const ChatId chat : ended())
    if (!isAnswered(chat)) hold(chat);
}

void WaitingMessages::sendDue() {
  holdInterrupted();  // a chat may have been removed
  for (const ChatId chat : ended()) sendFirst(chat);
}

void WaitingMessages::sendFirst(ChatId chat) {
  const QString text = extract(chat, m_queues.at(chat).messages.front().id).front().text;
  emit changed();
  emit due(chat, text);
}

}  // namespace vitrine

#include "moc_waiting_messages.cpp"
