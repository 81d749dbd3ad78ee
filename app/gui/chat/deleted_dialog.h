// DeletedDialog: what was deleted and is still in the file, in rows; what the selected rows have, to read;
// and the way back. It stays open beside the window.
//
// Thread: the window's. Read next: deleted_chats_dialog.h, deleted_messages_dialog.h.
#pragma once

#include <QDialog>

#include "desk/desk.h"
#include "widgets/conversation/chat_model.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace vitrine {

class ChatController;
class TranscriptView;

class DeletedDialog : public QDialog {
  Q_OBJECT

 public:
  void open() override;  // modeless; it ends when it is closed

  QListWidget* list() const { return m_list; }
  QPushButton* back() const { return m_back; }
  const ChatModel& messages() const { return m_model; }  // of the rows that are selected

 protected:
  struct Names {
    QString title, messages;  // of the window and its list; the accessible name of what is read
  };
  // All of them must outlive it.
  DeletedDialog(Desk& desk, Session& session, const ChatController& controller, const Names& names,
                QWidget* parent);

  // The row that is current stays so, by its place. bringBack() and look() take the selected ones.
  void setRows(const QStringList& rows, const QString& about);
  std::vector<std::size_t> selected() const;  // rows, in their order
  void showMessages(ChatId chat, const std::vector<ShownMessage>& messages);
  static QString whenWords(std::int64_t removedMs);  // when, and how long it is kept
  Desk& desk() { return m_desk; }

 private:
  QWidget* makeMiddle(const Names& names);
  void lookAtSelected();
  virtual void look() = 0;  // calls showMessages()
  virtual void bringBack() = 0;

  Desk& m_desk;
  const ChatController& m_controller;
  ChatModel m_model;
  QListWidget* m_list;
  QLabel* m_about;
  TranscriptView* m_messages;
  QPushButton* m_back;
  QWidget* m_middle;
};

}  // namespace vitrine
