// ChatController: connects the chat view with the desk, where chats are kept, and with the engine's host. A
// message becomes a request, Stop cancels it; an edited question and another answer are branches.
//
// Thread: the window's. Read next: engine_host.h, app/desk/desk.h, widgets/conversation/chat_model.h.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>

#include "desk/answer_writer.h"
#include "desk/prompt_messages.h"
#include "gui/machine/engine_host.h"
#include "gui/questions/model_recommendation.h"
#include "gui/questions/sampling_controller.h"
#include "gui/turns/chat_files.h"
#include "gui/turns/waiting_messages.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_model.h"

namespace vitrine {

class ChatController : public QObject {
  Q_OBJECT

 public:
  using Options = std::function<EngineOptions()>;  // of the machine that is loaded

  ChatController(EngineHost& host, Session& session, ChatView& view, ChatModel& model,
                 const SamplingController& sampling, Desk& desk, Options options, QObject* parent);

  // The requests that wait when the built-in model has been loaded, so that the first Step has work.
  std::vector<ChatOrder> stagedRequests() const;
  void setThinking(bool thinking);
  // The model's next reading of the chat shown. No messages: nothing is asked yet.
  Dialogue dialogueShown() const;
  const AnswerWriter& answers() const { return *m_writer; }
  WaitingMessages& waiting() { return *m_waiting; }
  ChatFiles& files() { return *m_files; }
  void giveBack(const QString& text);  // a message, to where it was written: its files and its question
  bool canAnswer() const { return m_session.engine() && !m_model.isAnswering(); }
  void answerInPlaceOf(MessageId answer, OwnRequest own);  // nothing for one that is not shown
  EngineOptions machineOptions() const { return m_options(); }
  std::optional<SamplingOptions> recommended() { return m_recommendation->get(); }  // by the open model
  int maxTokens() const { return m_sampling.maxTokens(); }
  // The message that the context had no room for, or the template refused, as the person has made it since.
  void sendRefused(ChatId chat);
  bool isRefused(ChatId chat) const { return m_refused.contains(chat) || m_waiting->isHeld(chat); }
  // contextFull(), if the message that is being written, or a short one, would be too long; else roomFound().
  void lookAtRoom(ChatId chat);
  void summarise(ChatId chat);  // in a new chat; this one stays as it is
  // A branch of the chat, as it is shown.
  std::vector<ChatEntry> entries(ChatId chat, const std::vector<ShownMessage>& branch) const;
  // The results of the calls at the end of the chat shown, in their order; the model answers to them, if it
  // can answer now.
  void sendResults(const QStringList& results);
  void addNote(MessageId answer, const QString& note);  // under the answer, until the program ends

 public slots:
  void stop();
  void startAnew();  // a new chat; what is being answered goes on
  void keepDraft();  // now

 signals:
  void thinkingChanged();
  void noticed(const vitrine::Notice& notice);
  void sent();     // a request was submitted; the window decides whether the machine runs
  void notSent();  // its turn could not be, and is where it was written
  // A prompt does not fit, and was not submitted. `ids`: of the messages that `full` means.
  void contextFull(vitrine::ChatId chat, const vitrine::ChatFull& full,
                   const std::vector<vitrine::MessageId>& ids);
  void roomFound(vitrine::ChatId chat);
  void templateRefused(vitrine::ChatId chat, const vitrine::ChatRefused& refused);  // it was not submitted

 private:
  void send(const QString& question);
  void edit(MessageId message, const QString& text);
  void answerAgain(MessageId message);
  void editResult(MessageId message, const QString& text);
  std::optional<ChatTurn> turnInPlaceOf(MessageId answer) const;
  void sendMessage(ChatId chat, const QString& text, bool waited);
  void onFull(const ChatFull& full);
  void onTemplateRefused(const ChatRefused& refused);
  void keepRefused(PendingTurn failed);
  void summariseWhatFits(const ChatFull& full, ChatId chat, ChatTurn turn, const std::vector<MessageId>& ids);
  Dialogue dialogueOf(const ChatSettings& settings, PromptMessages prompt, const QString& question) const;
  ChatOrder orderFor(PendingTurn& pending, const QString& name);
  void submit(const ChatTurn& turn);
  // Each is that of the call at its place.
  void showResults(const QStringList& results, const std::vector<ToolCall>& calls);
  QString place(ChatId chat, const ChatTurn& turn);
  void onBegun(const PendingTurn& taken, MessageId question, MessageId answer);
  void undo(const PendingTurn& failed);
  void showBranch();
  void onOpened();
  Request requestNamed(const QString& name) const;

  EngineHost& m_host;
  Session& m_session;
  ChatView& m_view;
  ChatModel& m_model;
  const SamplingController& m_sampling;
  Desk& m_desk;
  const Options m_options;
  AnswerWriter* m_writer;
  WaitingMessages* m_waiting;
  ChatFiles* m_files;
  ModelRecommendation* m_recommendation;
  Question m_roomAsked;
  QTimer m_drafting;
  QString m_draft, m_newDraft;  // of the chat shown, and of the chat that is not begun
  ChatId m_draftOf = 0;
  std::map<ChatId, ChatId> m_carried;  // a chat that begins with a summary: the old chat, which has its draft
  std::map<ChatId, ChatTurn> m_refused;
  std::map<MessageId, QString> m_notes;
  std::map<MessageId, std::shared_ptr<const PromptReuse>> m_reuses;  // of the answers of this session
  bool m_thinking = false;
  int m_sent = 0;
};

}  // namespace vitrine
