// State × action, while a machine is there or comes: every verb in every state. tst_recording_action has the
// others.
#include <set>

#include "gui/window_pairs.h"

using namespace vitrine;
using namespace vitrine::test;

class TestStateAction : public StateActionTest {
  Q_OBJECT

 public:
  TestStateAction() : StateActionTest(machineStates) {}

 private slots:
  // The walk finds the commands: a name that is left out is the beginning of one, and those of the machine
  // are there.
  void theWalkFindsTheCommands() {
    StateWindow w(m_files);
    QVERIFY(w.hasRun());
    std::set<QString> names;
    for (const WindowVerb& verb : commandVerbs(w.window)) {
      QVERIFY2(!names.contains(verb.name), qPrintable(verb.name));
      names.insert(verb.name);
    }
    for (const char* name :
         {"Machine/Step", "Machine/Back", "Machine/Phase", "Machine/Run", "Machine/Reset",
          "Machine/Machine options", "Model/Built-in model", "Run to/preemption", "Run to/step",
          "Run to/Breakpoints", "Recording/Resume from step", "Scenario/First steps/first"})
      QVERIFY2(names.contains(QLatin1String(name)), name);
    for (const auto& one : leftOut()) {
      const auto begins = [&](const QAction* action) {
        return nameOf(*action).startsWith(QLatin1String(one.name));
      };
      QVERIFY2(std::ranges::any_of(w.window.findChildren<QAction*>(), begins), one.name);
    }
  }
};

QTEST_MAIN(TestStateAction)
#include "tst_state_action.moc"
