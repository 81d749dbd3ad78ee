// ChatPage: the conversation, and the list of all chats beside it where there is room. Thread: the window's.
#pragma once

#include <QWidget>

namespace vitrine {

class ChatView;

class ChatPage : public QWidget {
  Q_OBJECT

 public:
  explicit ChatPage(ChatView* chat, QWidget* parent = nullptr);

  void setList(QWidget* list);  // at the left
  QWidget* list() const { return m_list; }
  // Whether the page wants the list; in a window too narrow for both it is not in sight all the same.
  void setListWanted(bool wanted);
  bool isListWanted() const { return m_wanted; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void arrange();

  QWidget* m_list = nullptr;
  bool m_wanted = false;
};

}  // namespace vitrine
