// MessageBar: what went wrong and how to correct it, above the panels, so that nothing is covered. Of each
// cause it has one message. Several stand in line: problems before notices, the newest first. The first one
// is shown, with a button that shows the next. Esc closes the message shown when the bar has the focus.
//
// Thread: the window's.
#pragma once

#include <QFrame>
#include <QStringList>
#include <cstdint>
#include <vector>

#include "widgets/support/notice.h"

class QLabel;
class QToolButton;

namespace vitrine {

class LinesArea;
class Session;

// What a message is about. It stays for as long as its cause does: until the part of the program that said it
// says that the cause has ended, a newer message of the same cause comes, or a person closes it. No other
// message and no other event takes it away.
enum class MessageCause : std::uint8_t {
  kChatsFile,       // chats are not kept; until their file works
  kMachine,         // a request or a step failed; until another machine or recording is there
  kRecording,       // it goes on in memory; until another one begins
  kPast,            // a part of the recording is lost; until another one begins
  kOpening,         // the last thing that was to be opened; until another is
  kOpened,          // what is open is not whole; until something else is open
  kBuiltinInstead,  // the built-in model is open in the place of another; until something else is open
  kTemplate,        // the open model's chat template is not known; until something else is open
  kUnused,          // tensors of its files that are not used; until something else is open
  kSaving,          // a trace that could not be saved; until one is
  kDraft,           // a draft model, offered or in use; until another model is open
  kModels,          // what the window of models did out of sight
  kChat,            // what was asked of a chat
  kAttached,        // a file that cannot go with a message; until another file is taken
  kBranch,          // a branch that cannot be computed
  kDownload,        // in the window of models; until something new is downloaded
  kChoice,          // there: a model that cannot be loaded; until one can
  kLetters,         // no font has those of the window's language; until the end
  kTensor,  // in the window that looks inside: one that cannot be read; until something else is looked at
};

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
