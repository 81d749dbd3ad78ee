// GivenMarks: underlines what an answer was given as its beginning: tokens before a branch, or before the
// place where it went on. The engine's thread says how much text they are; an answer of another model than
// the open one has no mark.
//
// Thread: the window's. Read next: answer_query.h, answer_branches.h.
#pragma once

#include <QObject>
#include <map>
#include <optional>

#include "desk/answer_writer.h"
#include "gui/machine/answer_query.h"
#include "gui/machine/engine_host.h"
#include "widgets/chat/chat_view.h"

namespace vitrine {

class GivenMarks : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  GivenMarks(EngineHost& host, Desk& desk, ChatView& view, const AnswerWriter& writer, QObject* parent);

 private:
  struct Given {
    std::size_t tokens = 0;
    QString text = {};                      // of the whole answer
    std::optional<std::size_t> bytes = {};  // of it, when they are known
    Question question = {};                 // for them
  };

  void read();
  void readLater();
  void markLater();
  void mark();
  void ask(MessageId answer, Given& given);
  void take(MessageId answer, const SeenAnswer& seen);
  void forgetBytes();

  EngineHost& m_host;
  Desk& m_desk;
  ChatView& m_view;
  std::map<MessageId, Given> m_given;  // of the branch that is shown
};

// How many tokens the answer was given. Zero for what no model of this program computed.
std::size_t givenTokens(const Provenance& provenance);

}  // namespace vitrine
