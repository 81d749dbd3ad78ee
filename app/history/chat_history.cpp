#include "chat_history.h"

#include <QDateTime>
#include <QThread>
#include <algorithm>
#include <functional>
#include <utility>

#include "history_schema.h"

namespace vitrine {
namespace {

constexpr int kRetryMs = 2000;
constexpr qint64 kDayMs = 24LL * 60 * 60 * 1000;

std::int64_t nowMs() { return QDateTime::currentMSecsSinceEpoch(); }

// The first half of a character outside the basic plane waits for its second half.
QString takeWhole(QString& pending) {
  const bool split = !pending.isEmpty() && pending.back().isHighSurrogate();
  const QString whole = split ? pending.chopped(1) : pending;
  pending = split ? pending.right(1) : QString();
  return whole;
}

bool isEmpty(const AnswerPiece& piece) {
  return piece.text.isEmpty() && piece.thinking.isEmpty() && piece.tokens.empty();
}

}  // namespace

ChatHistory::ChatHistory(QObject* parent) : QObject(parent), m_flushing(this), m_retrying(this) {
  m_told = status();
  m_flushing.setSingleShot(true);
  m_flushing.setInterval(kFlushMs);
  connect(&m_flushing, &QTimer::timeout, this, &ChatHistory::flush);
  m_retrying.setInterval(kRetryMs);
  connect(&m_retrying, &QTimer::timeout, this, &ChatHistory::retryByItself);
}

ChatHistory::~ChatHistory() {
  blockSignals(true);
  flush();
  retryByItself();
}

HistoryStatus ChatHistory::open(const QString& file) {
  flush();
  retryByItself();
  m_streams.clear();
  m_place.open(file);
  writing([](HistoryStore& store, std::set<ChatId>& changed) {
    const std::int64_t last = nowMs() - kRemovedDays * kDayMs;
    for (const ChatId chat : store.removedBefore(last)) {
      store.purge(chat);
      changed.insert(chat);
    }
    for (const ChatId chat : store.purgeMessages(last)) changed.insert(chat);
  });
  tellStatus();
  return status();
}

bool ChatHistory::retry() {
  const bool taken = m_place.retry();
  tellStatus();
  return taken;
}

// A file that is damaged or not ours is left alone until a person says that there is another one.
void ChatHistory::retryByItself() {
  if (status().retried) retry();
}

void ChatHistory::tellStatus() {
  if (status().retried != m_retrying.isActive()) status().retried ? m_retrying.start() : m_retrying.stop();
  if (m_told == status()) return;
  m_told = status();
  emit statusChanged(m_told);
}

// What memory cannot do either is left: there is nothing below it.
template <typename Work, typename... Values>
auto ChatHistory::reading(const Work& work, const Values&... values) {
  Q_ASSERT(QThread::currentThread() == thread());
  std::invoke_result_t<Work, HistoryStore&, const Values&...> value{};
  try {
    m_place.read([&](HistoryStore& store) { value = std::invoke(work, store, values...); });
  } catch (const SqlFailure&) {
    value = {};
  }
  tellStatus();
  return value;
}

bool ChatHistory::writing(const HistoryPlace::Write& work) {
  Q_ASSERT(QThread::currentThread() == thread());
  bool done = true;
  try {
    m_place.write(work);
  } catch (const SqlFailure&) {
    done = false;
  }
  tellStatus();
  return done;
}

bool ChatHistory::changing(ChatId chat, const HistoryPlace::Read& work) {
  bool there = false;
  const bool done = writing([&](HistoryStore& store, std::set<ChatId>& changed) {
    there = store.summary(chat).has_value();
    if (!there) return;
    changed.insert(chat);
    work(store);
  });
  return done && there;
}

template <typename Set, typename... Values>
bool ChatHistory::set(ChatId chat, const Set& work, const Values&... values) {
  return changing(chat, [&](HistoryStore& store) { std::invoke(work, store, chat, values...); });
}

// Chats.

ChatId ChatHistory::createChat(const ChatSettings& settings) {
  ChatSummary summary;
  summary.createdMs = summary.changedMs = nowMs();
  ChatId chat = 0;
  const bool done = writing([&](HistoryStore& store, std::set<ChatId>& changed) {
    chat = store.addChat(summary, settings);
    changed.insert(chat);
  });
  return done ? chat : 0;
}

std::vector<ChatSummary> ChatHistory::chats(ChatShelf shelf) { return reading(&HistoryStore::chats, shelf); }
std::optional<ChatSummary> ChatHistory::summary(ChatId chat) { return reading(&HistoryStore::summary, chat); }
bool ChatHistory::rename(ChatId chat, const QString& title, bool givenByPerson) {
  return set(chat, &HistoryStore::rename, title, givenByPerson);
}
bool ChatHistory::setPinned(ChatId chat, bool pinned) { return set(chat, &HistoryStore::setPinned, pinned); }
bool ChatHistory::setArchived(ChatId chat, bool archived) {
  return set(chat, &HistoryStore::setArchived, archived);
}

ChatId ChatHistory::duplicate(ChatId id) {
  std::optional<ChatRecord> copy = chat(id, Tokens::kRead);
  if (!copy) return 0;
  copy->summary.title = tr("%1 (copy)").arg(copy->summary.title);
  copy->summary.changedMs = nowMs();
  copy->summary.removedMs = 0;
  copy->summary.pinned = false;
  const std::vector<ChatId> ids = insert({*copy});
  return ids.empty() ? 0 : ids.front();
}

bool ChatHistory::remove(ChatId chat) { return set(chat, &HistoryStore::setRemoved, nowMs()); }
bool ChatHistory::undoRemove(ChatId chat) { return set(chat, &HistoryStore::setRemoved, 0); }

bool ChatHistory::purge(ChatId chat) {
  std::erase_if(m_streams, [&](const auto& stream) { return stream.second.chat == chat; });
  return set(chat, &HistoryStore::purge);
}

ChatSettings ChatHistory::settings(ChatId chat) { return reading(&HistoryStore::settings, chat); }
bool ChatHistory::setSettings(ChatId chat, const ChatSettings& settings) {
  return set(chat, &HistoryStore::setSettings, settings);
}
QString ChatHistory::draft(ChatId chat) { return reading(&HistoryStore::draft, chat); }
std::vector<ChatId> ChatHistory::withDrafts() { return reading(&HistoryStore::withDrafts); }
QString ChatHistory::firstQuestion(ChatId chat) { return reading(&HistoryStore::firstQuestion, chat); }
bool ChatHistory::setDraft(ChatId chat, const QString& draft) {
  return set(chat, &HistoryStore::setDraft, draft);
}
QStringList ChatHistory::waiting(ChatId chat) { return reading(&HistoryStore::waiting, chat); }
bool ChatHistory::setWaiting(ChatId chat, const QStringList& messages) {
  return set(chat, &HistoryStore::setWaiting, messages);
}

std::vector<ChatId> ChatHistory::insert(const std::vector<ChatRecord>& chats) {
  std::vector<ChatId> ids;
  const bool done = writing([&](HistoryStore& store, std::set<ChatId>& changed) {
    ids.clear();
    for (const ChatRecord& chat : chats) ids.push_back(store.insert(chat));
    changed.insert(ids.begin(), ids.end());
  });
  return done ? ids : std::vector<ChatId>();
}

// Messages.

std::optional<ChatRecord> ChatHistory::chat(ChatId chat, Tokens tokens) {
  flush();
  if (tokens == Tokens::kRead) return reading(&HistoryStore::chat, chat, HistoryStore::Tokens::kRead);
  return reading([&](HistoryStore& store) {
    // The version first: what another program writes in between is found the next time.
    const std::pair version{m_place.writes(), store.writesOfOthers()};
    if (m_lastRead.chat != chat || m_lastRead.version != version)
      m_lastRead = {chat, version, store.chat(chat, HistoryStore::Tokens::kLeft)};
    return m_lastRead.record;
  });
}

std::vector<AnswerToken> ChatHistory::tokens(MessageId answer) {
  flush();
  const auto message = reading(&HistoryStore::message, answer, HistoryStore::Tokens::kRead);
  return message ? message->tokens : std::vector<AnswerToken>();
}

MessageId ChatHistory::add(ChatId chat, MessageRecord message) {
  message.createdMs = nowMs();
  MessageId id = 0;
  const bool done = changing(chat, [&](HistoryStore& store) {
    id = 0;
    if (message.parent != 0 && store.chatOf(message.parent) != chat) return;
    id = store.addMessage(chat, message);
    store.setShownLeaf(chat, id);
    store.touch(chat, message.createdMs);
    const QString title = message.role == MessageRole::kUser ? titleFrom(message.text) : QString();
    if (!title.isEmpty() && store.summary(chat)->title.isEmpty()) store.rename(chat, title, false);
  });
  return done ? id : 0;
}

MessageId ChatHistory::addMessage(ChatId chat, MessageId parent, MessageRole role, const QString& text) {
  MessageRecord message;
  message.parent = parent;
  message.role = role;
  message.text = text;
  return add(chat, std::move(message));
}

MessageId ChatHistory::edit(MessageId message, const QString& text) {
  const auto old = reading(&HistoryStore::message, message, HistoryStore::Tokens::kLeft);
  if (!old) return 0;
  const auto chat = reading(&HistoryStore::chatOf, message);
  return addMessage(chat, old->parent, old->role, text);
}

bool ChatHistory::setLeftOut(ChatId chat, const std::vector<MessageId>& messages, bool leftOut) {
  return changing(chat, [&](HistoryStore& store) {
    for (const MessageId message : messages)
      if (store.chatOf(message) == chat) store.setLeftOut(message, leftOut);
  });
}

bool ChatHistory::removeMessages(ChatId chat, const std::vector<MessageId>& messages) {
  bool removed = false;
  const bool done =
      changing(chat, [&](HistoryStore& store) { removed = store.removeMessages(chat, messages, nowMs()); });
  return done && removed;
}

bool ChatHistory::undoRemoveMessages(ChatId chat, const std::vector<MessageId>& messages) {
  bool back = false;
  const bool done =
      changing(chat, [&](HistoryStore& store) { back = store.bringBackMessages(chat, messages); });
  return done && back;
}

bool ChatHistory::hasRemovedMessages(ChatId chat) { return reading(&HistoryStore::hasRemovedMessages, chat); }
std::vector<RemovedMessages> ChatHistory::removedMessages(ChatId chat) {
  return reading(&HistoryStore::removedMessages, chat);
}

std::pair<ChatId, MessageId> ChatHistory::cutAnswer() {
  const std::vector<MessageId>& cut = m_place.cut();
  if (cut.empty()) return {};
  const MessageId newest = std::ranges::max(cut);
  return {reading(&HistoryStore::chatOf, newest), newest};
}

MessageId ChatHistory::show(MessageId message) {
  const auto chat = reading(&HistoryStore::chatOf, message);
  MessageId leaf = 0;
  const bool done = changing(chat, [&](HistoryStore& store) {
    leaf = store.tree(chat).leafBelow(message);
    store.setShownLeaf(chat, leaf);
  });
  return done ? leaf : 0;
}

std::vector<SearchHit> ChatHistory::search(const QString& query, int most) {
  return reading(&HistoryStore::search, query, most);
}

// Answers, written as they stream.

MessageId ChatHistory::beginAnswer(ChatId chat, MessageId parent, const Provenance& provenance) {
  MessageRecord message;
  message.parent = parent;
  message.role = MessageRole::kAssistant;
  message.state = MessageState::kStreaming;
  message.provenance = provenance;
  const MessageId id = add(chat, std::move(message));
  if (id != 0) m_streams[id] = {.chat = chat};
  return id;
}

bool ChatHistory::append(MessageId answer, const AnswerPiece& piece) {
  const auto stream = m_streams.find(answer);
  if (stream == m_streams.end()) return false;
  stream->second.whole += piece;
  stream->second.pending += piece;
  if (!m_flushing.isActive()) {
    m_flushing.start();
    m_pendingSince.start();
  } else if (m_pendingSince.hasExpired(kFlushMs)) {
    flush();  // for a caller without an event loop
  }
  return true;
}

void ChatHistory::flush() {
  m_flushing.stop();
  for (auto& [answer, stream] : m_streams) {
    AnswerPiece piece{takeWhole(stream.pending.text), takeWhole(stream.pending.thinking),
                      std::exchange(stream.pending.tokens, {})};
    if (isEmpty(piece)) continue;
    const int number = stream.pieces++;
    writing([&, id = answer, chat = stream.chat](HistoryStore& store, std::set<ChatId>& changed) {
      if (store.chatOf(id) != chat) return;  // its chat was purged by another program
      store.addPiece(id, number, piece);
      changed.insert(chat);
    });
  }
}

bool ChatHistory::finish(MessageId answer, const AnswerEnd& end) {
  const auto found = m_streams.find(answer);
  if (found == m_streams.end()) return false;
  const Stream stream = std::move(found->second);
  m_streams.erase(found);
  return changing(stream.chat, [&](HistoryStore& store) {
    store.finish(answer, stream.whole, end);
    store.touch(stream.chat, QDateTime::currentMSecsSinceEpoch());
  });
}

}  // namespace vitrine

#include "moc_chat_history.cpp"
