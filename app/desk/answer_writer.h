// AnswerWriter: writes answers into the history as the machine computes them, whichever chat is shown.
//
// A question is kept when the engine has taken its request; a turn that the engine refuses leaves nothing.
// Watching the past changes nothing: what is written is the live machine's. Thread: the window's. Read next:
// pending_turns.h, desk.h, widgets/conversation/chat_model.h.
#pragma once

#include <QObject>
#include <map>

#include "desk/pending_turns.h"
#include "widgets/conversation/thought_meter.h"
#include "widgets/session/session.h"

namespace vitrine {

class AnswerWriter : public QObject {
  Q_OBJECT

 public:
  AnswerWriter(Desk& desk, Session& session, QObject* parent = nullptr);

  // Those whose requests are awaited. A turn is added before its request is submitted.
  PendingTurns& pending() { return m_pending; }
  const PendingTurns& pending() const { return m_pending; }
  RequestId requestOf(MessageId answer) const;  // 0: it is not being computed
  bool isAnswering(ChatId chat) const;
  struct Answering {
    ChatId chat = 0;
    RequestId request = 0;

    bool operator==(const Answering&) const = default;
  };
  std::vector<Answering> answering() const;  // the oldest request first

 signals:
  // The question and its answer have places in the history. `question`: or the last result; 0: there was none
  // to write.
  void begun(const vitrine::PendingTurn& turn, vitrine::MessageId question, vitrine::MessageId answer);
  void ended(vitrine::MessageId answer, const vitrine::RequestFinished& finished);
  void answeringChanged();

 private:
  struct Open {
    ChatId chat = 0;
    MessageId answer = 0;
    QString text = {}, thinking = {};   // written so far
    std::size_t tokens = 0, bytes = 0;  // of the sequence and its text, looked at so far
    SequenceId sequence = 0;
    int promptTokens = 0;
    std::vector<AnswerToken> known = {};  // forced ones, then drawn ones, with their probabilities
  };

  void onSubmitted(const RequestSubmitted& submitted);
  void onFinished(const RequestFinished& finished);
  void onRunStarted();
  void readDrawn();
  void giveTitle(const PendingTurn& pending);
  void write();
  void writeOne(RequestId request, Open& open);
  void end(Open& open, AnswerEnd last);

  Desk& m_desk;
  Session& m_session;
  PendingTurns m_pending;
  std::map<RequestId, Open> m_open;
  ThoughtMeter m_thoughts;
  std::int64_t m_read = 0;  // events of the recording that readDrawn() has seen
};

}  // namespace vitrine
