#include "waiting_messages.h"

#include <algorithm>

namespace vitrine {

// Sending comes later than the signal, since others that hear it have not yet taken the end of the answer in.
WaitingMessages::WaitingMessages(Desk& desk, const AnswerWriter& writer, QObject* parent)
    : QObject(parent), m_desk(desk), m_writer(writer) {
  connect(&writer, &AnswerWriter::answeringChanged, this, &WaitingMessages::holdInterrupted);
  connect(&writer, &AnswerWriter::answeringChanged, this, &WaitingMessages::sendDue, Qt::QueuedConnection);
}

void WaitingMessages::add(ChatId chat, const QString& text) {
  m_queues[chat].messages.push_back({++m_ids, text});
  emit changed();
}

void WaitingMessages::putBack(ChatId chat, const QString& text) {
  Queue& queue = m_queues[chat];
  queue.messages.insert(queue.messages.begin(), {++m_ids, text});
  queue.held = true;
  emit changed();
}

std::vector<WaitingMessage> WaitingMessages::of(ChatId chat) const {
  const auto queue = m_queues.find(chat);
  return queue == m_queues.end() ? std::vector<WaitingMessage>() : queue->second.messages;
}

bool WaitingMessages::areDue(ChatId chat) const { return m_queues.contains(chat) && !isHeld(chat); }

bool WaitingMessages::isHeld(ChatId chat) const {
  const auto queue = m_queues.find(chat);
  return queue != m_queues.end() && queue->second.held;
}

void WaitingMessages::hold(ChatId chat) {
  const auto queue = m_queues.find(chat);
  if (queue == m_queues.end() || queue->second.held) return;
  queue->second.held = true;
  emit changed();
}

void WaitingMessages::sendNow(ChatId chat) {
  const auto queue = m_queues.find(chat);
  if (queue == m_queues.end()) return;
  queue->second.held = false;
  if (isBusy(chat))
    emit changed();
  else
    sendFirst(chat);
}

QString WaitingMessages::take(ChatId chat, qint64 id) {
  const auto queue = m_queues.find(chat);
  if (queue == m_queues.end()) return {};
  std::vector<WaitingMessage>& messages = queue->second.messages;
  const auto wanted = std::ranges::find(messages, id, &WaitingMessage::id);
  if (wanted == messages.end()) return {};
  const QString text = wanted->text;
  messages.erase(wanted);
  if (messages.empty()) m_queues.erase(queue);
  emit changed();
  return text;
}

bool WaitingMessages::isBusy(ChatId chat) const {
  return m_writer.isAnswering(chat) || m_writer.isExpecting(chat);
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
  const QString text = take(chat, m_queues.at(chat).messages.front().id);
  emit due(chat, text);
}

}  // namespace vitrine
