// AnswerWriter: writes answers into the history as the machine computes them, whichever chat is shown.
//
// A question is kept when the engine has taken its request; an order that the engine refuses leaves nothing.
// Watching the past changes nothing: what is written is the live machine's. Thread: the window's. Read next:
// desk.h, widgets/conversation/chat_model.h.
#pragma once

#include <QObject>
#include <map>

#include "desk/desk.h"
#include "vitrine/options.h"
#include "widgets/conversation/thought_meter.h"
#include "widgets/session/session.h"

namespace vitrine {

// A request that will be submitted under a name that is new.
struct AnswerOrder {
  ChatId chat = 0;
  MessageId parent = 0;      // of the question, or of the answer where there is no question to write
  QString question = {};     // empty: another answer to `parent`, or one to these results
  QStringList results = {};  // of the calls in `parent`, in their order
  Request request = {};
  EngineOptions options = {};
  std::vector<AnswerToken> forced = {};  // of request.outputIds, with the probabilities that are known
  QString leftOut = {};                  // of the prompt, as Provenance has it
};

class AnswerWriter : public QObject {
  Q_OBJECT

 public:
  AnswerWriter(Desk& desk, Session& session, QObject* parent = nullptr);

  void expect(const QString& requestName, AnswerOrder order);
  // It could not be submitted. Returns what was expected; its chat is 0 where nothing was.
  AnswerOrder forget(const QString& requestName);
  bool isExpecting(ChatId chat) const;          // an order of the chat has not yet come to the engine
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
  void begun(const QString& requestName, vitrine::MessageId question, vitrine::MessageId answer);
  void ended(vitrine::MessageId answer, const vitrine::RequestFinished& finished);
  void answeringChanged();
  void forgotten();  // an order could not be submitted

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
  void giveTitle(const AnswerOrder& order);
  void write();
  void writeOne(RequestId request, Open& open);
  void end(Open& open, AnswerEnd last);

  Desk& m_desk;
  Session& m_session;
  std::map<QString, AnswerOrder> m_expected;
  std::map<RequestId, Open> m_open;
  ThoughtMeter m_thoughts;
  std::int64_t m_read = 0;  // events of the recording that readDrawn() has seen
};

}  // namespace vitrine
