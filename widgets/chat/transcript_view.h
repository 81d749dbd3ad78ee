// TranscriptView: the messages of a chat in one column, streaming; suggestions while there are none. Follows
// the end until the user scrolls away from it. Of a long chat the newest messages have widgets at first,
// others when they are scrolled to. All text is shown as plain text. Thread: the window's. Read next:
// message_widget.h.
#pragma once

#include <QScrollArea>
#include <QTimer>
#include <limits>
#include <vector>

#include "widgets/conversation/chat_model.h"

class QPushButton;
class QVBoxLayout;

namespace vitrine {

class AnswerText;
class ConversationSearch;
class MessageWidget;

class TranscriptView : public QScrollArea {
  Q_OBJECT
 public:
  explicit TranscriptView(ChatModel* model, QWidget* parent = nullptr);

  // What can be asked with one click, shown while the conversation is empty.
  void setSuggestions(const QStringList& suggestions);
  void setSuggestionsEnabled(bool enabled);
  // Shows the newest text, and goes on showing it as it grows.
  void followEnd();
  AnswerText* answer(qint64 message) const;  // null: it has no widget
  // Lights what the search has found, and goes to its present hit. The search must outlive the view.
  void setSearch(ConversationSearch* search);
  // Brings a message into sight, the hit in it if there is one.
  void reveal(int row);
  // Words over a message, the first that this conversation has not in common with another; -1: over none.
  void setMark(int row, const QString& words);
  int markedRow() const { return m_marked; }
  int rowInSight() const;  // the first message of which the text is in sight

 signals:
  void suggestionClicked(const QString& text);
  void siblingRequested(qint64 message, int by);  // as MessageWidget has them
  void againRequested(qint64 message);
  void goOnRequested(qint64 message);
  void editRequested(qint64 message, const QString& text);
  void menuRequested(qint64 message, const QPoint& global);
  void answerShown();
  void wordPointed(qint64 message, qint64 byte, bool clicked);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  static constexpr int kAllRows = std::numeric_limits<int>::max();
  QWidget* makePage();
  void fillEmptyPage();
  void makeEndButton();
  void sync();  // update the messages from the model, when visible
  MessageWidget* makeMessage(int row);
  bool needsEarlier() const;
  void showEarlier();
  void showLater();
  void showRows(int first, int end);
  void lightAll();
  void light(MessageWidget& message, int row);
  void settle();
  void onScrolled(int value);
  void onRange();
  void scrollToEnd();

  ChatModel* m_model;
  QVBoxLayout* m_messages;
  QWidget* m_empty;
  QVBoxLayout* m_suggestions;
  QPushButton* m_toEnd;
  std::vector<MessageWidget*> m_widgets;  // of the rows from m_first on
  int m_first = 0;
  int m_end = kAllRows;  // rows from here on have no widgets: what is in sight is far from them
  int m_fromEnd = -1;    // what is to stay below the upper edge while messages come above it; -1: nothing
  QTimer m_earlier;      // until the next messages come above the others
  ConversationSearch* m_search = nullptr;
  int m_revealed = -1;  // the row that is kept in sight until the next scrolling; -1: none
  int m_marked = -1;
  QString m_mark;
  bool m_suggestionsEnabled = true, m_follow = true, m_scrolling = false;
};

}  // namespace vitrine
