// Chats: the chat part of the window: the desk, what connects it with the machine, the list of chats and the
// Chat menu, wired together. The window asks for little of it, and learns by signals what is to be shown.
//
// Thread: the window's. Read next: chat_controller.h, app/desk/README.md.
#pragma once

#include <QObject>

#include "desk/desk.h"
#include "gui/turns/chat_controller.h"

class QAction;

namespace vitrine {

class AnswerBranches;
class ChatBranches;
class ChatImporting;
class ChatListModel;
class ChatListView;
class ChatMenu;
class ChatPage;
class ChatSettingsLine;
class ChatTrace;
class MessageDeletion;
class PromptLooker;
class SideBySide;
class SurpriseTints;

class Chats : public QObject {
  Q_OBJECT

 public:
  struct Surroundings {
    EngineHost& host;
    Session& session;
    ChatView& view;
    ChatModel& model;
    ChatPage& page;
    const SamplingController& sampling;
    ChatController::Options options;  // of the machine that is loaded
  };

  Chats(Surroundings surroundings, QWidget* window);

  Desk& desk() { return m_desk; }
  ChatController& controller() { return *m_controller; }
  AnswerBranches& branches() { return *m_branches; }
  ChatMenu& menu() { return *m_menu; }
  ChatImporting& importing() { return *m_importing; }
  ChatListView& list() { return *m_list; }
  ChatBranches& tree() { return *m_tree; }
  ChatTrace& trace() { return *m_trace; }
  PromptLooker& prompt() { return *m_prompt; }
  SideBySide& beside() { return *m_beside; }
  QAction* colours() const;  // of surprising words; checkable

  // Chats are in memory until a file for them is named.
  void keepIn(const QString& file);
  void tryFileAgain();                    // after trouble; keepingChanged() says what came of it
  void keep();                            // what is not yet in the file, now
  void attach(const QStringList& files);  // to the message that is being written
  void beginInFront();                    // a new chat, as its command does
  // In the chat perspective the list is beside the conversation.
  void setAlone(bool alone);
  bool isAlone() const { return m_alone; }

 signals:
  void sent();           // a request was submitted
  void chatRequested();  // the conversation is to be seen
  void noticed(const vitrine::Notice& notice);
  void takingFiles();  // to the message; what was said of those before is over
  void fileNoticed(const vitrine::Notice& notice);
  // The file of chats does not work, or works again.
  void keepingChanged(const vitrine::HistoryStatus& status);

 private:
  void wire();
  void makeInputParts();
  void makeStrips();
  void makeWaitingList();
  void makeFileChips();
  void followDefaults();
  void rename();  // the chat shown
  void fillLastAnswer();
  void stopAnswers(ChatId chat);
  void stopIfRemoved(MessageId answer);
  void showStatus(const HistoryStatus& status);

  EngineHost& m_host;
  Session& m_session;
  ChatView& m_view;
  ChatModel& m_model;
  ChatPage& m_page;
  const SamplingController& m_sampling;
  Desk m_desk;
  ChatController* m_controller;
  AnswerBranches* m_branches;
  MessageDeletion* m_deletion;
  SurpriseTints* m_tints;
  ChatListModel* m_listModel;
  ChatListView* m_list;
  ChatMenu* m_menu;
  ChatImporting* m_importing;
  ChatSettingsLine* m_settings;
  ChatBranches* m_tree;
  ChatTrace* m_trace;
  SideBySide* m_beside;
  PromptLooker* m_prompt;
  ChatId m_soughtIn = 0;  // the chat that the find bar belongs to
  bool m_alone = false;
  bool m_inTrouble = false;  // the file of chats, as last told
};

}  // namespace vitrine
