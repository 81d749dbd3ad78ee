// ChatMenu: what concerns chats as a whole: a new one, search, import and export.
//
// Thread: the window's. Read next: chat_importing.h, app/history/chat_export.h.
#pragma once

#include <QMenu>

#include "desk/desk.h"
#include "widgets/conversation/chat_copy.h"
#include "widgets/support/notice.h"

namespace vitrine {

class ChatMenu : public QMenu {
  Q_OBJECT

 public:
  ChatMenu(Desk& desk, QWidget* window);

  // As Markdown, HTML or JSON by the file's ending; traceRequested() for a trace. Throws EngineError as
  // OutputFile does.
  void exportChat(ChatId chat, const QString& file);
  // Asks for a file or, for several chats, for a folder; each has a file of its own.
  void chooseExport(const std::vector<ChatId>& chats);
  void chooseImport();  // importRequested() follows, unless the person cancels

  QAction* listShown;  // checkable
  QAction* attach;     // asks for files
  QAction* prompt;     // checkable: the prompt in the place of the conversation
  QAction* settings;   // asks for the settings of the chat shown; the window connects it
  QAction* naming;     // checkable: the model names new chats
  QMenu* lastAnswer;   // the window fills it as it opens

 signals:
  void newChatRequested();
  void renameRequested();  // of the chat shown
  void searchRequested();
  void findRequested();
  void copyRequested(vitrine::CopyForm form);  // of the messages that are shown
  void filesChosen(const QStringList& files);  // to go with the message that is being written
  void importRequested(const QStringList& files);
  void deletedRequested();                                // chats
  void deletedMessagesRequested();                        // of the chat shown
  void traceRequested(qint64 chat, const QString& file);  // computing it takes its time
  void noticed(const vitrine::Notice& notice);

 private:
  Desk& m_desk;
  void chooseFile(ChatId chat);
  void chooseFolder(const std::vector<ChatId>& chats);
  void fillListed();

  QMenu* m_listed;
  QAction *m_export, *m_copyMarkdown, *m_copyText, *m_undo, *m_messages;
};

}  // namespace vitrine
