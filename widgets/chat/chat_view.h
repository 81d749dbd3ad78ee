// ChatView: the conversation and the input box. Enter sends, Shift+Enter starts a new line, Esc stops the
// answer. Thread: the window's. Read next: transcript_view.h.
#pragma once

#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <QWidget>

#include "widgets/conversation/chat_model.h"

class QLabel;
class QPushButton;

namespace vitrine {

class AnswerText;
class ContextMeter;
class FindBar;
class TranscriptView;

// The text that is being written. Files that are pasted are no text: the host hears of them. What is dropped
// with files goes to the window around it, which knows what they are.
class MessageInput : public QPlainTextEdit {
  Q_OBJECT
 public:
  using QPlainTextEdit::QPlainTextEdit;

 signals:
  void filesPasted(const QStringList& files);

 protected:
  bool canInsertFromMimeData(const QMimeData* source) const override;
  void insertFromMimeData(const QMimeData* source) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
};

class ChatView : public QWidget {
  Q_OBJECT
 public:
  ChatView(ChatModel* model, Session* session, QWidget* parent = nullptr);

  QPlainTextEdit* input() const { return m_input; }
  // The message that Send would send: the words of the input; where there are none, a question about the
  // files that go with it; else empty.
  QString message() const;
  void setAttached(int files);  // that go with the message
  TranscriptView* transcript() const { return m_transcript; }
  // Puts a message that could not be sent into the input, before what was written since.
  void giveBack(const QString& text);
  // Parts of the host: one under another over the input, and before it.
  void addOverInput(QWidget* part) { m_over->addWidget(part); }
  void addBeforeInput(QWidget* part);
  void addUnderInput(QWidget* part) { m_meterLine->insertWidget(1, part); }  // beside the meter
  ContextMeter* contextMeter() const { return m_meter; }

  // Whether a message can be sent now; if not, the empty box shows `why` ("The model is loading").
  void setReady(bool ready, const QString& why = {});
  // What was begun to be written in the chat that is shown now.
  void setDraft(const QString& text);
  const ChatEntry* entryOf(qint64 message) const;  // null: it is not shown
  // The answer where it is shown, for what stands beside its words; null: it is not.
  AnswerText* answer(qint64 message) const;
  void addStrip(QWidget* strip);  // above the input
  // Suggestions, shown while the conversation is empty.
  void setSuggestions(const QStringList& suggestions);
  FindBar* findBar() const { return m_find; }
  QPushButton* branchesButton() const { return m_branches; }  // checkable; the host shows it
  // Shows a message and what a search over all chats has found in it: `words`, of the `text` that was typed.
  void findAt(const QString& text, const QStringList& words, qint64 message);

 public slots:
  void edit(qint64 message, const QString& text);  // in the input
  void askAgain(qint64 message);                   // another answer, unless one is being given
  void find();                                     // in the conversation, what the person types
  void focusInput() { m_input->setFocus(Qt::OtherFocusReason); }

 signals:
  // The view has cleared its box; the host adds to the model, or lets the message wait while one is answered.
  void sendRequested(const QString& text);
  void stopRequested();
  void newChatRequested();
  void editSent(qint64 message, const QString& text);  // a message in the place of another one
  void siblingRequested(qint64 message, int by);       // as MessageWidget has them
  void againRequested(qint64 message);
  void goOnRequested(qint64 message);
  void menuRequested(qint64 message, const QPoint& global);
  void answerShown();  // an answer has got its widget
  void wordPointed(qint64 message, qint64 byte, bool clicked);
  void draftChanged(const QString& text);
  void filesPasted(const QStringList& files);  // paths
  void renameRequested();                      // of the chat shown, by its key
  void removeRequested();                      // and this, while nothing is written

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* makeComposer();
  QLayout* makeInputLine(QWidget* composer);
  QLayout* makeMeterLine(QWidget* composer);
  QWidget* makeEditLine(QWidget* composer);
  void makeFindBar();
  void endEdit();
  void send();
  QString ownQuestion() const;
  void updateButtons();
  void updateMeter();
  void fitInput();
  int inputHeight(int lines) const;

  ChatModel* m_model;
  TranscriptView* m_transcript;
  FindBar* m_find;
  QPlainTextEdit* m_input;
  QVBoxLayout* m_over;
  QHBoxLayout *m_line, *m_meterLine;  // the input with its buttons; under it
  QPushButton *m_send, *m_later, *m_stop, *m_branches;
  ContextMeter* m_meter;
  QWidget* m_editLine;
  QLabel* m_editWords;
  bool m_isSaving = false;    // what is edited is an answer, which is kept and not sent
  qint64 m_edited = 0;        // the message that what is written replaces
  QString m_editedFiles;      // of that question; they stay
  int m_attached = 0;         // files of a message that replaces none
  QString m_whyNot, m_aside;  // aside: the draft from before an edit
  bool m_ready = true;
};

}  // namespace vitrine
