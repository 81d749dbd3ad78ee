// MessageWidget: one message of a conversation: its author, the text, a dim line under it, and what can be
// done with it. An answer is Markdown, a question plain text, and what a tool gave back is folded below its
// title. Thread: the window's. Read next: answer_text.h.
#pragma once

#include <QFrame>

#include "widgets/conversation/conversation_search.h"

class QLabel;
class QToolButton;

namespace vitrine {

class AnswerProgress;
class AnswerText;
class CallCards;
class LitLabel;
class PromptReuseLine;
class FoldButton;
class FoldedFiles;
class ForkMark;

class MessageWidget : public QFrame {
  Q_OBJECT
 public:
  explicit MessageWidget(const ChatEntry& entry, QWidget* parent = nullptr);

  void display(const ChatEntry& entry);
  qint64 message() const { return m_message; }
  AnswerText* answer() const { return m_answer; }  // null: a question or a result
  void setMark(const QString& words);  // over the message: two conversations part here; empty: none
  // Lights what is sought. The present hit, if it is in this message, unfolds what it is in.
  void light(const SoughtText& sought, const std::optional<FoundPlace>& present);
  QRect hitRect(const FoundPlace& hit) const;  // of a hit that is lit, in the message's coordinates

 signals:
  // Of a message that the host keeps: another one in its place, one further or one back; another answer to
  // the same question; another question in its place.
  void siblingRequested(qint64 message, int by);
  void againRequested(qint64 message);
  void editRequested(qint64 message, const QString& text);
  void goOnRequested(qint64 message);  // with an answer that a limit ended
  // What else can be done with the message, as a menu at this place.
  void menuRequested(qint64 message, const QPoint& global);
  // A word of an answer, by a byte of its text: clicked, or the mouse rests on it.
  void wordPointed(qint64 message, qint64 byte, bool clicked);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  LitLabel* addLabel(bool selectable);
  void addHead();
  void addNote();
  void addLimit();
  void addThinking();
  void addText(bool markdown);
  void addFold();
  void addCalls();
  void showAnswer(const ChatEntry& entry);
  void showFold(const ChatEntry& entry, bool isOther);  // isOther: its text is new
  void showThinking(const ChatEntry& entry);
  QToolButton* addTool(const QString& text, const QString& tip);
  void updateTools(const ChatEntry& entry);
  void pointAt(qint64 byte, bool clicked);
  void applyTheme();

  ChatRole m_role;
  AnswerStatus m_status = AnswerStatus::kNone;
  void askToOpen(const QString& address);

  QLabel *m_who, *m_note, *m_limit, *m_place;
  ForkMark* m_mark = nullptr;
  LitLabel* m_thinking;
  FoldedFiles* m_files = nullptr;  // over the question
  LitLabel* m_question = nullptr;  // one of the two
  AnswerText* m_answer = nullptr;
  CallCards* m_calls = nullptr;  // below the answer; made when there are calls
  AnswerProgress* m_progress;
  PromptReuseLine* m_reuse;
  QString m_source;
  QWidget* m_tools;
  FoldButton* m_thought;         // folds and unfolds what was thought
  FoldButton* m_fold = nullptr;  // and what a tool gave back
  QToolButton *m_previous, *m_next, *m_copy, *m_again, *m_edit, *m_more, *m_goOn;
  qint64 m_message = 0;
};

}  // namespace vitrine
