#include "desk/desk.h"

#include <algorithm>

namespace vitrine {

std::vector<MessageRecord> recordsOf(const std::vector<ShownMessage>& branch) {
  std::vector<MessageRecord> records;
  for (const ShownMessage& shown : branch) records.push_back(shown.message);
  return records;
}

Desk::Desk(QObject* parent) : QObject(parent), m_history(this) {
  // A chat that could not be read before may be there now, and the other way round.
  connect(&m_history, &ChatHistory::statusChanged, this, &Desk::listChanged);
}

HistoryStatus Desk::keepIn(const QString& file) {
  HistoryStatus status = m_history.open(file);
  m_removed.clear();
  // After a crash a person looks for the chat that was cut.
  const auto [chat, answer] = m_history.cutAnswer();
  const auto summary = chat == 0 ? std::nullopt : m_history.summary(chat);
  if (!summary || summary->removedMs != 0 || !openAt(chat, answer)) begin();
  emit listChanged();
  emit removedChanged();
  return status;
}

QString Desk::title() {
  const auto summary = m_shown == 0 ? std::nullopt : m_history.summary(m_shown);
  return summary ? summary->title : QString();
}

namespace {

std::vector<ShownMessage> branchOn(const ChatRecord& record, MessageId last) {
  std::vector<ShownMessage> shown;
  for (const MessageId id : record.pathTo(last)) {
    const std::vector<MessageId> siblings = record.siblings(id);
    const auto place = std::ranges::find(siblings, id) - siblings.begin();
    shown.push_back({*record.find(id), static_cast<int>(place), static_cast<int>(siblings.size())});
  }
  return shown;
}

}  // namespace

std::vector<ShownMessage> Desk::branchOf(ChatId chat) {
  const auto record = chat == 0 ? std::nullopt : m_history.chat(chat);
  return record ? branchOn(*record, record->shownLeaf) : std::vector<ShownMessage>();
}

std::vector<ShownMessage> Desk::branchTo(ChatId chat, MessageId last) {
  const auto record = chat == 0 ? std::nullopt : m_history.chat(chat);
  return record ? branchOn(*record, last) : std::vector<ShownMessage>();
}

void Desk::setLeftOut(ChatId chat, const std::vector<MessageId>& messages, bool leftOut) {
  if (m_history.setLeftOut(chat, messages, leftOut) && chat == m_shown) emit opened();
}

void Desk::begin() {
  m_shown = 0;
  emit opened();
}

bool Desk::open(ChatId chat) {
  if (!m_history.summary(chat)) return false;
  m_shown = chat;
  emit opened();
  return true;
}

std::optional<MessageRecord> Desk::shownMessage(MessageId message) {
  for (ShownMessage& shown : branch())
    if (shown.message.id == message) return std::move(shown.message);
  return std::nullopt;
}

bool Desk::openAt(ChatId chat, MessageId message) {
  if (message != 0) m_history.show(message);
  return open(chat);
}

void Desk::setPinned(const std::vector<ChatId>& chats, bool pinned) {
  for (const ChatId chat : chats) m_history.setPinned(chat, pinned);
  emit listChanged();
}

void Desk::setArchived(const std::vector<ChatId>& chats, bool archived) {
  for (const ChatId chat : chats) m_history.setArchived(chat, archived);
  emit listChanged();
}

void Desk::duplicate(const std::vector<ChatId>& chats) {
  ChatId last = 0;
  for (const ChatId chat : chats)
    if (const ChatId copy = m_history.duplicate(chat); copy != 0) last = copy;
  if (last != 0) open(last);
  emit listChanged();
}

void Desk::remove(const std::vector<ChatId>& chats) {
  std::vector<ChatId> gone;
  for (const ChatId chat : chats) {
    if (!m_history.remove(chat)) continue;
    forgetRemoved(chat);
    gone.push_back(chat);
  }
  if (gone.empty()) return;
  m_removed.push_back({.chats = gone});
  if (std::ranges::find(gone, m_shown) != gone.end()) begin();
  for (const ChatId chat : gone) emit removed(chat);
  emit listChanged();
  emit removedChanged();
}

bool Desk::removeMessages(ChatId chat, const std::vector<MessageId>& messages) {
  const auto before = m_history.chat(chat);
  if (!before || !m_history.removeMessages(chat, messages)) return false;
  const std::vector<MessageId> path = before->shownPath();
  const MessageId first = messages.front();
  const bool shown = std::ranges::find(path, first) != path.end();
  m_removed.push_back({.chat = chat, .messages = messages, .leaf = shown ? before->shownLeaf : first});
  emit messagesChanged(chat);
  if (chat == m_shown) emit opened();
  emit listChanged();
  emit removedChanged();
  return true;
}

// What is back is no more to be undone as a removal.
bool Desk::bringBackMessages(ChatId chat, const std::vector<std::vector<MessageId>>& removals) {
  const auto summary = m_history.summary(chat);
  if (!summary || summary->removedMs != 0) return false;
  std::vector<MessageId> back;
  for (const std::vector<MessageId>& messages : removals)
    if (m_history.undoRemoveMessages(chat, messages))
      back.insert(back.end(), messages.begin(), messages.end());
  if (back.empty()) return false;
  for (Removed& removed : m_removed)
    if (!removed.isBack)
      std::erase_if(removed.messages,
                    [&](MessageId one) { return std::ranges::find(back, one) != back.end(); });
  forgetRemoved(0);
  m_removed.push_back({.chat = chat, .messages = back, .isBack = true});
  emit messagesChanged(chat);
  emit listChanged();
  emit removedChanged();
  return open(chat);
}

// Another program may have brought some of them back.
bool Desk::undoRemove() {
  if (!m_removed.empty() && m_removed.back().isBack && m_isAnswered(m_removed.back().chat)) {
    emit undoRefused();
    return false;
  }
  ChatId back = 0;
  while (back == 0 && !m_removed.empty()) {
    const Removed last = std::move(m_removed.back());
    m_removed.pop_back();
    back = last.isBack          ? removeAgain(last)
           : last.chats.empty() ? takeBackMessages(last)
                                : takeBackChats(last);
  }
  emit removedChanged();
  if (back == 0) return false;
  emit listChanged();
  return open(back);
}

ChatId Desk::takeBackChats(const Removed& removed) {
  ChatId back = 0;
  for (const ChatId chat : removed.chats)
    if (takeBack(chat)) back = chat;
  return back;
}

ChatId Desk::takeBackMessages(const Removed& removed) {
  const auto summary = m_history.summary(removed.chat);
  if (!summary || summary->removedMs != 0 || !m_history.undoRemoveMessages(removed.chat, removed.messages))
    return 0;
  m_history.show(removed.leaf);
  emit messagesChanged(removed.chat);
  return removed.chat;
}

ChatId Desk::removeAgain(const Removed& back) {
  const auto summary = m_history.summary(back.chat);
  if (!summary || summary->removedMs != 0 || !m_history.removeMessages(back.chat, back.messages)) return 0;
  emit messagesChanged(back.chat);
  return back.chat;
}

QString Desk::undoWords() const {
  if (m_removed.empty()) return tr("Undo delete");
  const Removed& last = m_removed.back();
  if (last.isBack)
    return tr("Undo bringing back: %n message(s)", nullptr, static_cast<int>(last.messages.size()));
  return last.chats.empty()
             ? tr("Undo delete: %n message(s)", nullptr, static_cast<int>(last.messages.size()))
             : tr("Undo delete: %n chat(s)", nullptr, static_cast<int>(last.chats.size()));
}

bool Desk::bringBack(ChatId chat) {
  if (!takeBack(chat)) return false;
  emit removedChanged();
  emit listChanged();
  return open(chat);
}

bool Desk::takeBack(ChatId chat) {
  const auto summary = m_history.summary(chat);
  if (!summary || summary->removedMs == 0 || !m_history.undoRemove(chat)) return false;
  forgetRemoved(chat);
  return true;
}

void Desk::forgetRemoved(ChatId chat) {
  for (Removed& removed : m_removed) std::erase(removed.chats, chat);
  std::erase_if(m_removed,
                [](const Removed& removed) { return removed.chats.empty() && removed.messages.empty(); });
}

void Desk::showSibling(MessageId message, int by) {
  const auto record = m_shown == 0 ? std::nullopt : m_history.chat(m_shown);
  if (!record || record->find(message) == nullptr) return;
  const std::vector<MessageId> siblings = record->siblings(message);
  const auto place = std::ranges::find(siblings, message) - siblings.begin() + by;
  if (place < 0 || place >= std::ssize(siblings)) return;
  m_history.show(siblings[static_cast<std::size_t>(place)]);
  emit opened();
}

void Desk::rewrite(MessageId message, const QString& text) {
  if (m_history.edit(message, text) == 0) return;
  emit opened();
  emit listChanged();
}

ChatSettings Desk::settings(ChatId chat) {
  return chat == 0 ? m_newSettings.value_or(m_defaults) : m_history.settings(chat);
}

void Desk::setSettings(ChatId chat, const ChatSettings& settings) {
  if (chat != 0)
    m_history.setSettings(chat, settings);
  else if (settings == m_defaults)
    m_newSettings.reset();
  else
    m_newSettings = settings;
  emit settingsChanged();
}

void Desk::setDefaults(const ChatSettings& defaults) {
  if (m_defaults == defaults) return;
  m_defaults = defaults;
  emit settingsChanged();
}

ChatId Desk::ensureChat() {
  if (m_shown == 0) {
    m_shown = m_history.createChat(settings(0));
    m_newSettings.reset();
    emit listChanged();
  }
  return m_shown;
}

}  // namespace vitrine

#include "moc_desk.cpp"
