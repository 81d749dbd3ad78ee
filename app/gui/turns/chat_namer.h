// ChatNamer: lets the model name a chat, where a person wants it: one short request after the first answer.
//
// It is the least of all work: any other request cancels it, and nothing is asked beside a machine that is
// stepped by hand. A title that a person gave stays. Thread: the window's. Read next: answer_writer.h.
#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <optional>

#include "desk/answer_writer.h"
#include "gui/machine/engine_host.h"

namespace vitrine {

// The first line of what a model wrote for a title, without marks around it, cut as titleFrom() cuts; empty:
// it is no title.
QString titleOf(const QString& written);

class ChatNamer : public QObject {
  Q_OBJECT

 public:
  // `mayAsk`: whether the machine runs by itself.
  ChatNamer(EngineHost& host, Session& session, Desk& desk, const AnswerWriter& answers,
            std::function<bool()> mayAsk, QObject* parent = nullptr);

  void setWanted(bool wanted);

 signals:
  void asked();  // a request was submitted

 private:
  struct Naming {
    ChatId chat = 0;
    std::string name;  // of the request
    RequestId request = 0;
    bool isCancelled = false;
  };

  void onBegun(const PendingTurn& turn, MessageId answer);
  void onEnded(MessageId answer, const RequestFinished& finished);
  void onSubmitted(const RequestSubmitted& submitted);
  void onFinished(const RequestFinished& finished);
  void ask(ChatId chat);
  void cancel();

  EngineHost& m_host;
  Session& m_session;
  Desk& m_desk;
  const std::function<bool()> m_mayAsk;
  bool m_wanted = false;
  int m_asked = 0;
  std::map<MessageId, ChatId> m_first;  // first answers under way
  std::optional<Naming> m_naming;
};

}  // namespace vitrine
