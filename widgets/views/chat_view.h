// ChatView: the conversation, streaming, and the input box. Enter sends, Shift+Enter starts a new line,
// Esc stops the answer. All text is shown as plain text, whatever it contains. Thread: the window's.
#pragma once

#include <QWidget>

#include "widgets/models/chat_model.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace vitrine {

class ContextMeter;
class MessageWidget;

class ChatView : public QWidget {
  Q_OBJECT
 public:
  ChatView(ChatModel* model, Session* session, QWidget* parent = nullptr);

  QPlainTextEdit* input() const { return m_input; }
  ContextMeter* contextMeter() const { return m_meter; }

  // Whether a message can be sent now; if not, the empty box shows `why` ("The model is loading").
  void setReady(bool ready, const QString& why = {});
  // Suggestions, shown while the conversation is empty.
  void setSuggestions(const QStringList& suggestions);

 public slots:
  void focusInput();
  void copyConversation() const;

 signals:
  void sendRequested(const QString& text);  // the view has cleared its box; the host adds to the model
  void stopRequested();
  void newChatRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* makeTranscript();
  QWidget* makeComposer();
  QLayout* makeInputLine(QWidget* composer);
  QLayout* makeMeterLine(QWidget* composer);
  void followScrolling();
  void send();
  void sync();  // update the messages from the model, when visible
  void updateButtons();
  void fitInput();
  int inputHeight(int lines) const;
  void showEmpty();
  void scrollToEnd();

  ChatModel* m_model;
  QScrollArea* m_scroll;
  QVBoxLayout* m_messages;
  QWidget* m_empty;
  QVBoxLayout* m_suggestions;
  QPlainTextEdit* m_input;
  QPushButton *m_send, *m_stop, *m_toEnd;
  ContextMeter* m_meter;
  std::vector<MessageWidget*> m_widgets;
  QString m_whyNot;
  bool m_ready = true, m_stale = false, m_follow = true, m_scrolling = false;
};

}  // namespace vitrine
