// PendingTurns: turns of chats that were sent to the engine, until it has taken or refused them. All that one
// has meanwhile lies in one place, so that a failing one is gone with one call.
//
// Thread: the window's. Read next: answer_writer.h, which takes them.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "desk/desk.h"
#include "vitrine/options.h"
#include "vitrine/request.h"

namespace vitrine {

// An answer that is not asked for with the sampling controls, in the place of one that is shown.
struct OwnRequest {
  Request request = {};
  std::vector<AnswerToken> forced = {};  // of request.outputIds, with the probabilities that are known
  bool thinking = false;
  QString leftOut = {};          // of its prompt, as Provenance has it
  MessageId repeats = 0;         // the answer that it is to equal; 0: none
  QStringList differences = {};  // of the machine from the one that computed that answer
};

// A question, or results of tools, and the answer that is asked for.
struct ChatTurn {
  MessageId parent = 0;                   // that the question, or without one the answer, follows
  QString question = {};                  // empty: another answer to `parent`, or one to these results
  QStringList results = {};               // of the calls in `parent`, in their order
  std::vector<ShownMessage> before = {};  // the messages that stay in sight above
  std::uint64_t seedShift = 0;            // so that another answer is another one
  std::optional<OwnRequest> own = {};
  std::vector<ShownMessage> reads = {};  // the model reads these, and not what stands above
  bool waited = false;                   // the question is one of WaitingMessages
};

struct PendingTurn {
  ChatId chat = 0;
  ChatTurn turn = {};
  Request request = {};  // its name is new
  EngineOptions options = {};
  std::vector<MessageId> ids = {};  // of the prompt's messages
  QString leftOut = {};             // of the prompt, as Provenance has it

  QString name() const { return QString::fromStdString(request.name); }
};

class PendingTurns {
 public:
  void add(PendingTurn turn) {
    QString name = turn.name();
    m_turns.insert_or_assign(std::move(name), std::move(turn));
  }
  // The engine has taken the request, or it failed. Empty: no turn waits for a request of this name.
  std::optional<PendingTurn> take(const QString& request) {
    auto node = m_turns.extract(request);
    if (!node) return std::nullopt;
    return std::move(node.mapped());
  }
  bool has(ChatId chat) const { return !of(chat).empty(); }
  std::vector<const PendingTurn*> of(ChatId chat) const {
    std::vector<const PendingTurn*> turns;
    for (const auto& [name, turn] : m_turns)
      if (turn.chat == chat) turns.push_back(&turn);
    return turns;
  }

 private:
  std::map<QString, PendingTurn> m_turns;  // by the request's name
};

}  // namespace vitrine
