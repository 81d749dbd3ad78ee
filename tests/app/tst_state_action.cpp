// State × action: every verb in every state of the window. Nothing hangs, a run that no load replaced goes
// on, and closing ends at once, also right after a verb. Both tables stand below; all pairs of them are
// tested.
#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QSettings>
#include <QTest>
#include <QTimer>
#include <functional>

#include "engine_options_dialog.h"
#include "message_bar.h"
#include "run_to.h"
#include "scenario_chooser.h"
#include "scenario_editor.h"
#include "scenario_line.h"
#include "scenario_menu.h"
#include "support/window_bench.h"
#include "widgets/views/chat_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr int kClosingMs = 2000;

// A window on a model of a few kilobytes, so that loads and steps take no time.
class Window : public ShownWindow {
 public:
  Window() : ShownWindow(Perspective::kStep, {1024, 700}) {}
  MachineMode mode() { return window.host().mode(); }
  int steps() { return window.session().recording().lastFinishedStep(); }
  bool isLoading() { return mode() == MachineMode::kLoading; }
  bool hasWork() { return !live().waiting.empty() || !live().running.empty(); }

  bool comesTo(MachineMode wanted) { return waitForMode(window, wanted); }
  bool openTiny(const QString& file) {
    window.bar().setStepsPerSecond(30);
    window.host().setStepsPerSecond(30);
    window.openScenario(file);
    return comesTo(MachineMode::kPaused);
  }
  // A machine that hangs never gets there.
  bool comesToRest() {
    return QTest::qWaitFor(
        [&] {
          if (mode() == MachineMode::kRunning) window.host().pause();
          if (mode() == MachineMode::kHeld) window.host().step();
          return isPaused() || mode() == MachineMode::kEmpty;
        },
        kPatience);
  }
};

QString tinyScenario(const QString& folder, int tokens) {
  const QString file = QStringLiteral("%1/tiny-%2.json").arg(folder).arg(tokens);
  QFile out(file);
  if (!out.open(QIODevice::WriteOnly)) return {};
  const QString text = QStringLiteral(R"({"model":"%1/tests/golden/models/llama",
    "options":{"threads":1,"num_blocks":64,"block_size":4},
    "requests":[{"id":"a","token_ids":[1,2,3],"max_tokens":%2,"ignore_eos":true},
                {"id":"b","token_ids":[4,5],"max_tokens":%2,"ignore_eos":true,"arrival_step":1}]})")
                           .arg(QStringLiteral(VITRINE_SOURCE_DIR))
                           .arg(tokens);
  out.write(text.toUtf8());
  return file;
}

struct State {
  const char* name;
  std::function<bool(Window&)> reach;
};

struct Verb {
  const char* name;
  std::function<void(Window&)> act;
  bool loads = false;  // replaces the run
};

// What a dialog that blocks does as soon as it is there.
template <class Dialog>
void inDialog(const std::function<void(Dialog&)>& act) {
  QTimer::singleShot(0, qApp, [act] {
    if (auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget())) act(*dialog);
  });
}

void trigger(MainWindow& window, const QString& begin) {
  for (QAction* action : window.findChildren<QAction*>())
    if (action->text().remove(u'&').startsWith(begin)) return action->trigger();
  qFatal("there is no action %s", qPrintable(begin));
}

Breakpoint stepBreak(int step) {
  Breakpoint one;
  one.kind = BreakKind::kStep;
  one.step = step;
  return one;
}

void sendMessage(Window& w) {
  auto* input = w.window.panels().chat->input();
  input->setPlainText(QStringLiteral("Hello!"));
  QTest::keyClick(input, Qt::Key_Return);
}

std::vector<Verb> verbs() {
  return {
      {"step", [](Window& w) { w.window.step(); }},
      {"back", [](Window& w) { w.window.back(); }},
      {"phase", [](Window& w) { w.window.stepPhase(); }},
      {"run", [](Window& w) { w.window.run(); }},
      {"pause", [](Window& w) { w.window.host().pause(); }},
      {"run or pause", [](Window& w) { w.window.bar().runPause->trigger(); }},
      {"run to a step", [](Window& w) { w.window.runTo().run(stepBreak(w.steps() + 2)); }},
      {"run to what never comes", [](Window& w) { w.window.runTo().run(breakpointFromText("preemption")); }},
      {"reset", [](Window& w) { w.window.reset(); }, true},
      {"open a model", [](Window& w) { w.window.openModel({}); }, true},
      {"open no model", [](Window& w) { w.window.openModel(QStringLiteral("no/such/folder")); }, true},
      {"open a scenario", [](Window& w) { w.window.openScenario(QStringLiteral("one-request")); }, true},
      {"open no scenario", [](Window& w) { w.window.openScenario(QStringLiteral("no-such")); }},
      {"leave the scenario", [](Window& w) { w.window.leaveScenario(); }, true},
      {"options",
       [](Window& w) {
         inDialog<EngineOptionsDialog>([](EngineOptionsDialog& dialog) { dialog.accept(); });
         trigger(w.window, QStringLiteral("Machine options"));
       },
       true},
      {"options, cancelled",
       [](Window& w) {
         inDialog<EngineOptionsDialog>([](EngineOptionsDialog& dialog) { dialog.reject(); });
         trigger(w.window, QStringLiteral("Machine options"));
       }},
      {"edit and play",
       [](Window& w) {
         trigger(w.window, QStringLiteral("Edit and add"));
         w.window.findChild<ScenarioEditor*>()->accept();
       },
       true},
      {"edit, cancelled",
       [](Window& w) {
         trigger(w.window, QStringLiteral("Edit and add"));
         w.window.findChild<ScenarioEditor*>()->reject();
       }},
      {"choose a scenario",
       [](Window& w) {
         trigger(w.window, QStringLiteral("Choose a scenario"));
         w.window.findChild<ScenarioChooser*>()->accept();
       },
       true},
      {"send a message", sendMessage},
      {"stop the answer",
       [](Window& w) { QTest::keyClick(w.window.panels().chat->input(), Qt::Key_Escape); }},
      {"cancel a request", [](Window& w) { emit w.window.panels().cancelRequested(1); }},
      {"scrub", [](Window& w) { w.window.session().goToStep(1); }},
      {"live", [](Window& w) { w.window.session().goLive(); }},
      {"cancel the load", [](Window& w) { w.window.host().cancelLoad(); }},
      {"next to see", [](Window& w) { w.window.scenario().goToNext(); }},
      {"chat and back",
       [](Window& w) {
         w.window.showPerspective(Perspective::kChat);
         w.window.showPerspective(Perspective::kStep);
       }},
  };
}

}  // namespace

class TestStateAction : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;
  QString m_long, m_short;

  std::vector<State> states() const {
    const auto tiny = [this](Window& w) { return w.openTiny(m_long); };
    const auto stepped = [tiny](Window& w) { return tiny(w) && w.stepTimes(3); };
    const auto held = [stepped](Window& w) {
      return stepped(w) && (w.window.stepPhase(), w.comesTo(MachineMode::kHeld));
    };
    const auto running = [stepped](Window& w) {
      return stepped(w) && (w.window.run(), w.comesTo(MachineMode::kRunning));
    };
    const auto past = [](Window& w) { return w.window.session().goToStep(1), !w.window.session().isLive(); };
    return {
        {"no model", [](Window& w) { return w.comesToRest(); }},
        {"loading", [](Window& w) { return w.window.openModel({}), w.isLoading(); }},
        {"loading over a run", [=](Window& w) { return stepped(w) && (w.window.reset(), w.isLoading()); }},
        {"staged", tiny},
        {"paused", stepped},
        {"inside a step", held},
        {"running", running},
        {"replaying", [=](Window& w) { return stepped(w) && past(w); }},
        {"replaying, held", [=](Window& w) { return held(w) && past(w); }},
        {"replaying, running", [=](Window& w) { return running(w) && past(w); }},
        {"finished",
         [this](Window& w) {
           return w.openTiny(m_short) && w.stepTimes(3) && QTest::qWaitFor([&] { return !w.hasWork(); });
         }},
        {"failed",
         [=](Window& w) {
           if (!stepped(w)) return false;
           w.window.openModel(QStringLiteral("no/such/folder"));
           return w.comesTo(MachineMode::kPaused) && w.window.messages().isVisible();
         }},
    };
  }
  void addStates() const {
    QTest::addColumn<int>("state");
    const std::vector<State> all = states();
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << int(i);
  }

  // Takes the window away, as leaving the program does; in how many milliseconds.
  static qint64 close(std::unique_ptr<Window> w) {
    QElapsedTimer time;
    time.start();
    w->window.close();
    w.reset();
    return time.elapsed();
  }

 private slots:
  void initTestCase() {
    QVERIFY(m_surroundings.prepare());
    m_long = tinyScenario(m_folder.path(), 40);
    m_short = tinyScenario(m_folder.path(), 2);
    QVERIFY(!m_long.isEmpty() && !m_short.isEmpty());
  }
  void init() { QSettings().clear(); }

  void everyVerbInEveryState_data() { addStates(); }
  void everyVerbInEveryState() {
    QFETCH(int, state);
    const State reached = states().at(std::size_t(state));
    auto w = std::make_unique<Window>();
    for (const Verb& verb : verbs()) {
      if (state == 0 && w->mode() != MachineMode::kEmpty) w = std::make_unique<Window>();
      QVERIFY2(reached.reach(*w), verb.name);
      const bool loaded = verb.loads || w->isLoading() || state == 0;
      const auto runNumber = [&] { return loaded ? 0 : w->window.session().recording().event(0).run; };
      const int run = runNumber(), steps = w->steps();
      verb.act(*w);
      QVERIFY2(w->comesToRest(), verb.name);
      QVERIFY2(loaded || (runNumber() == run && w->steps() >= steps), verb.name);
      w->window.session().goLive();
      const bool works = !w->hasWork() || w->stepTimes(1);
      QVERIFY2(works, verb.name);
    }
  }

  void closingEndsInEveryState_data() { addStates(); }
  void closingEndsInEveryState() {
    QFETCH(int, state);
    auto w = std::make_unique<Window>();
    QVERIFY(states().at(std::size_t(state)).reach(*w));
    const qint64 ms = close(std::move(w));
    QVERIFY2(ms < kClosingMs, QByteArray::number(ms));
  }

  void closingEndsRightAfterEveryVerb_data() {
    QTest::addColumn<int>("verb");
    const std::vector<Verb> all = verbs();
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << int(i);
  }
  void closingEndsRightAfterEveryVerb() {
    QFETCH(int, verb);
    auto w = std::make_unique<Window>();
    QVERIFY(w->openTiny(m_long) && w->stepTimes(2));
    verbs().at(std::size_t(verb)).act(*w);
    const qint64 ms = close(std::move(w));
    QVERIFY2(ms < kClosingMs, QByteArray::number(ms));
  }
};

QTEST_MAIN(TestStateAction)
#include "tst_state_action.moc"
