// DeletedMessagesDialog: what was deleted in the chat that is shown and is still in the file. A row is what
// went together: how it begins, how many messages, and when. Several rows come back at once.
//
// Thread: the window's. Read next: app/desk/desk.h.
#pragma once

#include "gui/chat/deleted_dialog.h"

namespace vitrine {

class DeletedMessagesDialog : public DeletedDialog {
  Q_OBJECT

 public:
  DeletedMessagesDialog(Desk& desk, Session& session, const ChatController& controller, QWidget* parent);

 private:
  void fill();
  void look() override;
  void bringBack() override;

  ChatId m_chat = 0;                       // whose the rows are
  std::vector<RemovedMessages> m_removed;  // the rows
};

}  // namespace vitrine
