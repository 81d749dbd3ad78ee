// State × action: every command of the window in every state of a group. Nothing hangs, a run that no load
// replaced goes on, what changes only the look changes nothing else, and the window says what is.
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "gui/window_states.h"
#include "gui/window_verbs.h"

namespace vitrine::test {

// A failure is reported to Qt Test, with the verb.
class WindowPairs {
 public:
  explicit WindowPairs(const WindowFiles& files) : m_files(files) {}

  void tryVerbs(const WindowState& state);
  // All of them, there and back, while the state lasts.
  void tryLooks(const WindowState& state);

 private:
  void renew();
  void tryVerb(const WindowState& state, const WindowVerb& verb);
  void tryAll(const WindowState& state, const std::vector<WindowVerb>& verbs);

  const WindowFiles& m_files;
  std::unique_ptr<StateWindow> m_window;
};

// A test of all verbs and looks in a group of states.
class StateActionTest : public QObject {
  Q_OBJECT

 public:
  using States = std::vector<WindowState> (*)();
  explicit StateActionTest(States states) : m_states(states) {}

 protected:
  WindowFiles m_files;

 private slots:
  void initTestCase();
  void init();
  void everyVerbInEveryState_data() { addStates(); }
  void everyVerbInEveryState();
  void looksChangeNothingElse_data() { addStates(); }
  void looksChangeNothingElse();

 private:
  void addStates() const;

  const States m_states;
  WindowSurroundings m_surroundings;
};

}  // namespace vitrine::test
