// The states of the window, for tests of what can be done in each: how to get there, and what is true in all
// of them.
//
// A state is reached from wherever the window stands at rest. The tiny model's run is loaded anew only when
// another one has taken its place, so that hundreds of pairs take seconds.
#pragma once

#include <functional>
#include <vector>

#include "gui/window_files.h"
#include "support/window_bench.h"

class QDialog;

namespace vitrine::test {

// Answers each dialog as soon as it is shown: it is left, or what an answer says; hushed: it stays open.
class DialogAnswers : public QObject {
 public:
  using Answer = std::function<void(QDialog&)>;

  DialogAnswers();
  void answerNext(Answer answer) { m_next = std::move(answer); }
  void hush(bool on) { m_hushed = on; }
  int shown() const { return m_shown; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Answer m_next;
  bool m_hushed = false;
  int m_shown = 0;
};

class StateWindow : public ShownWindow {
 public:
  explicit StateWindow(const WindowFiles& files);

  const WindowFiles& files;
  DialogAnswers dialogs;

  MachineMode mode() { return window.host().mode(); }
  Session& session() { return window.session(); }
  int steps() { return session().recording().lastFinishedStep(); }
  int run();  // its number; 0: nothing is recorded
  bool isFresh() { return mode() == MachineMode::kEmpty && session().recording().size() == 0; }
  bool isUnderWay();  // a load, or a work of the archive
  bool hasWork() { return !live().waiting.empty() || !live().running.empty(); }

  bool settles();  // the machine has done what was ordered so far
  bool comesTo(MachineMode wanted) { return waitForMode(window, wanted); }
  // Dialogs are closed, a run pauses, a held step ends, and what is under way comes to its end. A machine
  // that hangs never gets there.
  bool comesToRest();
  // At rest: LIVE, it computes a step, if there is work.
  bool goesOn();
  // What the window says at rest, against what is; empty: it is the same.
  QString falsehood();

  // A run of the tiny model with some steps and hundreds to come, LIVE, paused.
  bool hasRun(bool orBranch = false);
  bool isBranch();
  void tidy();  // messages and breakpoints that verbs left
  bool openScenario(const QString& file);

 private:
  bool isAtRest();
  void closeDialogs();
};

// What verbs that change only the look must leave as it is.
struct Unmoved {
  MachineMode mode;
  int run, step;
  bool live;
  bool operator==(const Unmoved&) const = default;
  static Unmoved of(StateWindow& window, bool running);
};

struct WindowState {
  const char* name;
  std::function<bool(StateWindow&)> reach;  // requires a window at rest
  bool fresh = false;                       // and that nothing was opened in it
};
std::vector<WindowState> machineStates();
std::vector<WindowState> recordingStates();  // saved, opened and resumed runs

}  // namespace vitrine::test
