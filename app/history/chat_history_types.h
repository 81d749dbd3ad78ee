// Small values that ChatHistory takes and gives. Thread: values. Read next: chat_history.h.
#pragma once

#include <QString>
#include <vector>

#include "chat_record.h"
#include "search_text.h"

namespace vitrine {

enum class ChatShelf : std::uint8_t { kCurrent, kArchived, kRemoved };

// A part of an answer, as it streams.
struct AnswerPiece {
  QString text = {};
  QString thinking = {};
  std::vector<AnswerToken> tokens = {};

  AnswerPiece& operator+=(const AnswerPiece& next) {
    text += next.text;
    thinking += next.thinking;
    tokens.insert(tokens.end(), next.tokens.begin(), next.tokens.end());
    return *this;
  }
};

struct AnswerEnd {
  MessageState state = MessageState::kComplete;  // kStreaming counts as kStopped
  QString failure = {};                          // for kFailed
  AnswerTimings timings = {};
  AnswerLimit limit = AnswerLimit::kNone;
};

struct SearchHit {
  ChatId chat = 0;
  MessageId message = 0;  // 0: the hit is in the chat's title
  QString title = {};     // of the chat
  bool archived = false;
  MessageRole role = MessageRole::kUser;  // of the message
  std::int64_t createdMs = 0;             // of the message; for a title, when the chat changed
  QString snippet = {};                   // one line of text around the first hit
  std::vector<HitRange> ranges = {};      // of the hits in the snippet
};

}  // namespace vitrine
