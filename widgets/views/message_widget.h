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
  qint64 message() const { return m_message; }
  AnswerText* answer() const { return m_answer; }  // null: a question

 signals:
  // Of a message that the host keeps: another one in its place, one further or one back; another answer to
  // the same question; another question in its place.
  void siblingRequested(qint64 message, int by);
  void againRequested(qint64 message);
  void editRequested(qint64 message, const QString& text);
  // What else can be done with an answer, as a menu at this place.
  void menuRequested(qint64 message, const QPoint& global);
  // A word of an answer, by a byte of its text: clicked, or the mouse rests on it.
  void wordPointed(qint64 message, qint64 byte, bool clicked);

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
  void pointAt(qint64 byte, bool clicked);
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
  QToolButton *m_previous, *m_next, *m_copy, *m_again, *m_edit, *m_more;
  qint64 m_message = 0;
};

}  // namespace vitrine
