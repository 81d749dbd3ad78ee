// MessageWidget: one message of a conversation: its author, the text, a dim line under it, and what can be
// done with it. An answer is Markdown, a question plain text. Thread: the window's. Read next:
// answer_text.h.
#pragma once

#include <QFrame>

#include "widgets/models/chat_model.h"

class QLabel;
class QToolButton;

namespace vitrine {

class AnswerText;

class MessageWidget : public QFrame {
  Q_OBJECT
 public:
  explicit MessageWidget(const ChatEntry& entry, QWidget* parent = nullptr);

  void display(const ChatEntry& entry);

 signals:
  // Of a message that the host keeps: another one in its place, one further or one back; another answer to
  // the same question; another question in its place.
  void siblingRequested(qint64 message, int by);
  void againRequested(qint64 message);
  void editRequested(qint64 message, const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QLabel* addLabel(bool selectable);
  void addHead();
  void addThinking();
  void showThinking(const ChatEntry& entry);
  QToolButton* addTool(const QString& text, const QString& tip);
  void updateTools(const ChatEntry& entry);
  void applyTheme();

  ChatRole m_role;
  AnswerStatus m_status = AnswerStatus::kNone;
  void askToOpen(const QString& address);

  QLabel *m_who, *m_thinking, *m_note, *m_place;
  QLabel* m_question = nullptr;  // one of the two
  AnswerText* m_answer = nullptr;
  QString m_source;
  QWidget* m_tools;
  QToolButton* m_thought;  // folds and unfolds what was thought
  QToolButton *m_previous, *m_next, *m_copy, *m_again, *m_edit;
  qint64 m_message = 0;
};

}  // namespace vitrine
