// A chat as values: its description, its settings, and its tree of messages.
//
// A tree and not a list: an edited question or another answer is a sibling of the first one. The path from a
// root to the shown leaf is what a person reads. Strings hold any text; JSON fields hold one compact JSON
// text, or nothing. Thread: values. Read next: chat_history.h.
#pragma once

#include <QString>
#include <QStringList>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "vitrine/names.h"

namespace vitrine {

// Unique in all history files, 0: none. Ids grow with the time of creation, and a child's is above its
// parent's.
using ChatId = std::int64_t;
using MessageId = std::int64_t;

// kTool: what a tool gave back to a call of the answer above (chat_calls.h); in imported chats also what it
// was asked for.
enum class MessageRole : std::uint8_t { kSystem, kUser, kAssistant, kTool };
VITRINE_NAMES(MessageRole, "system", "user", "assistant", "tool");

// kStopped: by the person, or because the program ended while the answer streamed.
enum class MessageState : std::uint8_t { kComplete, kStreaming, kStopped, kFailed };
VITRINE_NAMES(MessageState, "complete", "streaming", "stopped", "failed");

// What ended an answer before the model did: the most tokens that its request allowed, or the end of the
// context.
enum class AnswerLimit : std::uint8_t { kNone, kTokens, kContext };
VITRINE_NAMES(AnswerLimit, "none", "tokens", "context");

// What an answer was computed with: the same again gives the same tokens.
struct Provenance {
  QString model;           // as shown: a file's or folder's name
  QString fingerprint;     // of the model's weights
  QString engineOptions;   // JSON
  QString computeMode;     // the arithmetic of products: "f32", "bf16" or "int8"
  QString instructionSet;  // for example "AVX2"
  std::uint64_t seed = 0;
  QString sampling;  // JSON
  // JSON: places of its path, 0 is a root, that the prompt left out; or promptOfAnotherPath().
  QString leftOut = {};

  bool operator==(const Provenance&) const = default;
};

// In the place of Provenance::leftOut: the prompt was not made of the path that the answer stands on, as that
// of a summary, or of an answer above which a message was removed since.
QString promptOfAnotherPath();

struct AnswerTimings {
  std::int64_t queuedNs = 0, prefillNs = 0, firstTokenNs = 0, decodeNs = 0;  // firstTokenNs: since submission
  // The beginning that an answer was given counts as prompt.
  int promptTokens = 0, cachedTokens = 0, outputTokens = 0;
  // Of the thinking at its beginning, counted in decodeNs and outputTokens as well; 0: none, or not known.
  std::int64_t thinkingNs = 0;
  int thinkingTokens = 0;

  bool operator==(const AnswerTimings&) const = default;
};

// A token of an answer. The probability is kept as a float; NaN: not known.
struct AnswerToken {
  std::int32_t id = 0;
  float logprob = std::numeric_limits<float>::quiet_NaN();

  bool operator==(const AnswerToken& other) const {
    return id == other.id && (logprob == other.logprob || (std::isnan(logprob) && std::isnan(other.logprob)));
  }
};

struct MessageRecord {
  MessageId id = 0;
  MessageId parent = 0;  // 0: a root
  MessageRole role = MessageRole::kUser;
  MessageState state = MessageState::kComplete;
  std::int64_t createdMs = 0;  // since 1970, UTC, as all times here
  QString text;
  QString thinking;  // what stood between the marks of thinking; not searched
  QString failure;   // why the answer failed
  AnswerLimit limit = AnswerLimit::kNone;
  Provenance provenance;
  AnswerTimings timings;
  bool leftOut = false;             // prompts that are made from now on do not have it
  std::vector<AnswerToken> tokens;  // only where a function says that it reads them

  bool operator==(const MessageRecord&) const = default;
};

// What a list of chats shows.
struct ChatSummary {
  ChatId id = 0;
  QString title;            // empty: nothing was written yet
  bool titleGiven = false;  // by the person; otherwise it is the beginning of the first question
  std::int64_t createdMs = 0;
  std::int64_t changedMs = 0;  // the last message
  bool pinned = false, archived = false;
  std::int64_t removedMs = 0;  // 0: not removed

  bool operator==(const ChatSummary&) const = default;
};

// What the whole answer has to be, as it was written. What the kinds are says gui/turns/answer_form.h; one of
// a later version is kept, and asks for nothing.
struct AnswerForm {
  QString kind = {};    // empty: free text
  QString source = {};  // a schema, a pattern, a grammar, or the texts that the answer may be

  bool operator==(const AnswerForm&) const = default;
};

struct ChatSettings {
  QString instructions;     // the system prompt
  QStringList stops;        // strings that end an answer
  QString preset;           // name of the sampling preset; empty: the window's
  QStringList asking = {};  // how the chat is told to the model's template, in words of desk/asking.h
  QString tools = {};       // JSON, as vitrine/tool_call.h reads it: what the model may call; empty: nothing
  AnswerForm form = {};

  bool operator==(const ChatSettings&) const = default;
};

struct ChatRecord {
  ChatSummary summary;
  ChatSettings settings;
  QString draft;
  QStringList waiting;      // messages that are not sent yet, with their files, the first one first
  MessageId shownLeaf = 0;  // 0: no message yet
  std::vector<MessageRecord> messages;  // parents before children, siblings in their order

  const MessageRecord* find(MessageId id) const;  // nullptr: not of this chat
  // From the root to `leaf`, both included. Empty for an unknown one.
  std::vector<MessageId> pathTo(MessageId leaf) const;
  std::vector<MessageId> shownPath() const { return pathTo(shownLeaf); }
  std::vector<MessageId> children(MessageId parent) const;  // 0: the roots
  std::vector<MessageId> siblings(MessageId id) const;      // itself included
  // The leaf that choosing `id` shows: the newest message below each message on the way.
  MessageId leafBelow(MessageId id) const;

  bool operator==(const ChatRecord&) const = default;
};

// The beginning of a question as a title: its first line with words, 60 characters at most.
QString titleFrom(const QString& text);

}  // namespace vitrine
