// DeletedChatsDialog: the chats that were deleted and are still in the file, by their titles.
//
// Thread: the window's. Read next: app/desk/desk.h.
#pragma once

#include "gui/chat/deleted_dialog.h"

namespace vitrine {

class DeletedChatsDialog : public DeletedDialog {
  Q_OBJECT

 public:
  DeletedChatsDialog(Desk& desk, Session& session, const ChatController& controller, QWidget* parent);

 private:
  void fill();
  ChatId chatSelected() const;
  void look() override;
  void bringBack() override;

  std::vector<ChatId> m_chats;  // of the rows
};

}  // namespace vitrine
