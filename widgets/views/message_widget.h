// MessageWidget: one message of a conversation: its author, the text, and a dim line under it. Plain text
// only. Thread: the window's.
#pragma once

#include <QFrame>

#include "widgets/models/chat_model.h"

class QLabel;

namespace vitrine {

class MessageWidget : public QFrame {
  Q_OBJECT
 public:
  explicit MessageWidget(const ChatEntry& entry, QWidget* parent = nullptr);

  void display(const ChatEntry& entry);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QLabel* addLabel(bool selectable);
  void applyTheme();

  ChatRole m_role;
  AnswerStatus m_status = AnswerStatus::kNone;
  QLabel *m_who, *m_thinking, *m_text, *m_note;
};

}  // namespace vitrine
