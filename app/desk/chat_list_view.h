// ChatListView: all chats beside the one that is open: a line to search in, the list, and what can be done
// with a chat or with several, in a menu and by keys: Enter opens, F2 renames, Delete deletes (with a way
// back). Ctrl and Shift with a click select several.
//
// Thread: the window's. Read next: chat_list_model.h.
#pragma once

#include <QTimer>
#include <QWidget>

#include "desk/desk.h"

class QLabel;
class QLineEdit;
class QListView;
class QMenu;
class QModelIndex;
class QPushButton;

namespace vitrine {

class ChatListDelegate;
class ChatListModel;

class ChatListView : public QWidget {
  Q_OBJECT

 public:
  ChatListView(Desk& desk, ChatListModel& model, QWidget* parent = nullptr);

  QLineEdit* searchLine() const { return m_search; }
  QListView* list() const { return m_list; }
  void rename(ChatId chat);  // in its row, which is brought into sight

 public slots:
  void focusSearch();

 signals:
  void newChatRequested();
  void exportRequested(const std::vector<vitrine::ChatId>& chats);
  // Of a chat, and of a message in it that was found, for the offers of others.
  void menuMade(QMenu& menu, vitrine::ChatId chat, vitrine::MessageId message);
  void importRequested();
  void chosen();  // a chat was opened: the input wants the keys
  // It was opened at a message of which the search for `text` has found these words.
  void foundIn(qint64 message, const QString& text, const QStringList& words);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QWidget* makeTop();
  QWidget* makeFoot();
  void open(const QModelIndex& index);
  void showMenu(const QPoint& place);
  ChatId chatAt(const QModelIndex& index) const;
  std::vector<ChatId> selected() const;                          // from top to bottom
  std::vector<ChatId> chatsFor(const QModelIndex& index) const;  // the selected ones, if it is one of them
  void select();                                                 // the chat that is open
  void mark(const QModelIndex& index);
  void onOpened();
  void selectAgain();
  void showNone();
  void updateFoot();
  void applyFont();

  Desk& m_desk;
  ChatListModel& m_model;
  QLineEdit* m_search;
  QListView* m_list;
  ChatListDelegate* m_rows;
  QLabel* m_none;
  QPushButton *m_undo, *m_archive;
  QTimer m_typing;
  ChatId m_marked = 0;         // the chat that was open at the last selection
  std::vector<ChatId> m_kept;  // selected, while the rows are read anew
};

}  // namespace vitrine
