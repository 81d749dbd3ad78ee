// ChatPage: the conversation, and the list of all chats beside it where there is room. Thread: the window's.
#pragma once

#include <QPointer>
#include <QWidget>

class QBoxLayout;

namespace vitrine {

class ChatView;

class ChatPage : public QWidget {
  Q_OBJECT

 public:
  explicit ChatPage(ChatView* chat, QWidget* parent = nullptr);

  void setList(QWidget* list);  // at the left
  // At the right, while it wants to be seen; it calls arrange() when it comes or goes.
  void setSide(QWidget* side);
  // Beside the conversation, or under it where the page is narrow; arrange() as above. Its owner deletes it.
  void setBeside(QWidget* conversation);
  // In the place of the conversation while it is shown.
  void setFront(QWidget* front);
  void showFront(bool shown);
  QWidget* list() const { return m_list; }
  // Whether the page wants the list; in a window too narrow for both it is not in sight all the same.
  void setListWanted(bool wanted);
  bool isListWanted() const { return m_wanted; }
  void arrange();

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool focusNextPrevChild(
      bool next) override;  // messages and chips come and go: the order is made when asked

 private:
  QWidget *m_list = nullptr, *m_side = nullptr, *m_front = nullptr;
  QBoxLayout* m_pair;  // the conversation, and another one
  QPointer<QWidget> m_beside;
  bool m_wanted = false;
};

}  // namespace vitrine
