// MessageBar: what went wrong and how to correct it, above the panels, so that nothing is covered. Of each
// cause it has one message. Several stand in line: problems before notices, the newest first. The first one
// is shown, with a button that shows the next. Esc closes the message shown when the bar has the focus.
//
// Thread: the window's. Read next: message_cause.h.
#pragma once

#include <QFrame>
#include <QStringList>
#include <vector>

#include "gui/parts/message_cause.h"
#include "widgets/support/notice.h"

class QLabel;
class QToolButton;

namespace vitrine {

class LinesArea;
class Session;

class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);
  // Options in the words of an engine's error get their labels. Nothing for the code of a cancelled load: the
  // user has cancelled it.
  void say(MessageCause cause, Notice notice);
  void end(MessageCause cause);  // it is over: its message goes
  void closeAll();

  // Slots.
  auto saying(MessageCause cause) {
    return [this, cause](const Notice& notice) { say(cause, notice); };
  }
  auto ending(MessageCause cause) {
    return [this, cause] { end(cause); };
  }
  void follow(Session& session);  // says what goes wrong in it

  QString text() const;                      // of the message shown
  QString textOf(MessageCause cause) const;  // empty: it has none
  int count() const { return static_cast<int>(m_line.size()); }
  const QStringList& codes() const { return m_codes; }  // of the last failures, the oldest first

 public slots:
  void closeShown();
  void showNext();  // behind the last one, the first

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Waiting {
    MessageCause cause = MessageCause::kMachine;
    Notice notice = {};
    int number = 0;  // of all that were said
  };

  void remove(std::size_t place);
  void takeShown();
  void showPlace(std::size_t place);
  void updateLine();
  void announce(QObject* part);
  void applyColours();

  QLabel* m_sign;
  QLabel* m_text;
  LinesArea* m_lines;
  QToolButton *m_action, *m_next;
  std::vector<Waiting> m_line;  // the most urgent first
  std::size_t m_shown = 0;      // of m_line
  int m_said = 0;
  QStringList m_codes;
};

}  // namespace vitrine
