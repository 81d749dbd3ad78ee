// DeletedChatsDialog: the chats that were deleted and are still in the file: their titles, when they were
// deleted, their messages to read, and the way back. It stays open beside the window.
//
// Thread: the window's. Read next: app/desk/desk.h.
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

class DeletedChatsDialog : public QDialog {
  Q_OBJECT

 public:
  // All of them must outlive it.
  DeletedChatsDialog(Desk& desk, Session& session, const ChatController& controller, QWidget* parent);
  static void open(Desk& desk, Session& session, const ChatController& controller, QWidget* window);

  QListWidget* list() const { return m_list; }
  QPushButton* back() const { return m_back; }
  const ChatModel& messages() const { return m_model; }  // of the chat that is selected

 private:
  QWidget* makeMiddle();
  void fill();
  void look();
  void bringBack();
  ChatId selected() const;

  Desk& m_desk;
  const ChatController& m_controller;
  ChatModel m_model;
  QListWidget* m_list;
  QLabel* m_about;
  QWidget* m_middle = nullptr;
  TranscriptView* m_messages;
  QPushButton* m_back;
};

}  // namespace vitrine
