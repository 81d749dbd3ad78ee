// ChatHistory: answers, written as they stream.
#include <QDateTime>
#include <utility>

#include "chat_history.h"

namespace vitrine {

namespace {

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
