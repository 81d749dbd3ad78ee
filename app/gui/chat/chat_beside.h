// ChatBeside: a second conversation beside the one that is open, to read: a head that says what it is and
// where the two part, and the messages, which scroll by themselves. Esc closes it. It is made when it is
// wanted (side_by_side.h). Thread: the window's. Read next: widgets/chat/transcript_view.h.
#pragma once

#include <QWidget>

#include "widgets/conversation/chat_model.h"

class QLabel;
class QToolButton;

namespace vitrine {

class ElidingLabel;
class TranscriptView;

class ChatBeside : public QWidget {
  Q_OBJECT

 public:
  struct Words {
    QString title = {};    // of the chat
    QString about = {};    // which branch, how long
    QString parting = {};  // where the two part

    bool operator==(const Words&) const = default;
  };

  ChatBeside(Session& session, QWidget* parent);

  ChatModel& model() { return m_model; }
  TranscriptView& transcript() { return *m_transcript; }
  const Words& words() const { return m_words; }
  void setWords(const Words& words);
  void setCanSwap(bool canSwap);

 signals:
  void swapRequested();
  void closeRequested();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QToolButton* addTool(const QString& text, const QString& tip, QWidget* head);
  QWidget* makeHead();
  void applyTheme();

  ChatModel m_model;
  Words m_words;
  ElidingLabel* m_title;
  QLabel *m_about, *m_parting;
  QToolButton* m_swap;
  TranscriptView* m_transcript;
};

}  // namespace vitrine
