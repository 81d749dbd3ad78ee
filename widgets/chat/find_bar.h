// FindBar: a line for what is sought in the conversation, "3 of 17", and the ways to the next hit and the one
// before: Enter, Shift+Enter. Esc closes it. Thread: the window's. Read next: conversation_search.h.
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace vitrine {

class ConversationSearch;

class FindBar : public QWidget {
  Q_OBJECT
 public:
  FindBar(ConversationSearch* search, QWidget* parent);

  QLineEdit* line() const { return m_line; }
  // Opens with what was sought before, ready to be written over; `row`: where the search begins.
  void open(int row);
  // The same with a text, of which `words` are sought, for they are what a search over all chats has found.
  void openWith(const QString& text, const QStringList& words, int row);
  // Goes to a hit in the conversation; opens the bar if it is closed.
  void step(int by);

 public slots:
  void close();

 signals:
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QToolButton* addButton(const QString& text, const QString& tip);
  void find();
  void showCount();

  ConversationSearch* m_search;
  QLineEdit* m_line;
  QLabel* m_count;
  QToolButton *m_previous, *m_next;
  QCheckBox* m_case;
  int m_row = 0;
};

}  // namespace vitrine
