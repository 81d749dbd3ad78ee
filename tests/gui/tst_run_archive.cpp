// Recorded runs in the window: saved and opened as traces, kept, and resumed from a step as a branch; and
// what happens to files that are damaged.
#include "gui/runs/run_archive.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "gui/bars/machine_buttons.h"
#include "gui/bars/status_strip.h"
#include "gui/parts/message_bar.h"
#include "gui/scenario/scenario_line.h"
#include "gui/scenario/scenario_menu.h"
#include "gui/settings/engine_options_dialog.h"
#include "page/page_writer.h"
#include "support/window_bench.h"
#include "vitrine/files.h"
#include "vitrine/perfetto.h"
#include "vitrine/trace.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/time_axis_model.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// What the engine decided and computed in each step, without times.
std::vector<std::string> decisions(const Recording& recording) {
  std::vector<std::string> lines;
  recording.forEach([&](const Event& event) {
    const bool told = isA<TokenSampled>(event) || isA<SequenceScheduled>(event) ||
                      isA<BlockAllocated>(event) || isA<BlockHit>(event) || isA<SequencePreempted>(event) ||
                      isA<SequenceFinished>(event);
    if (!told) return;
    Event plain = event;
    plain.number = 0, plain.timeNs = 0, plain.run = 0;
    lines.push_back(eventToJson(plain));
  });
  return lines;
}

// All that the recording has of the steps up to this one, whichever run it is.
std::vector<std::string> past(const Recording& recording, int step) {
  std::vector<std::string> lines;
  const std::int64_t end = recording.endOf(step);
  std::int64_t place = 0;
  recording.forEach([&](const Event& event) {
    if (place++ >= end || isA<EngineLoaded>(event)) return;
    Event plain = event;
    plain.run = 0;
    lines.push_back(eventToJson(plain));
  });
  return lines;
}

// The first event that does not follow the one before it: by its run, number and time; empty without one.
std::string firstBreak(const Recording& recording) {
  std::optional<Event> before;
  std::string found;
  recording.forEach([&](const Event& event) {
    const bool follows = !before || (event.run == before->run && event.number == before->number + 1 &&
                                     event.timeNs >= before->timeNs);
    if (!follows && found.empty()) found = eventToJson(event);
    before = event;
  });
  return found;
}

class Window : public ShownWindow {
 public:
  using ShownWindow::ShownWindow;

  RunArchive& archive() { return window.archive(); }
  Session& session() { return window.session(); }
  int last() { return session().recording().lastFinishedStep(); }
  bool openSixBlocks() {
    window.openScenario(QStringLiteral("six-blocks"));
    if (!QTest::qWaitForWindowExposed(&window)) return false;
    if (!QTest::qWaitFor([this] { return !live().waiting.empty(); }, kPatience)) return false;
    window.bar().setStepsPerSecond(0);
    window.host().setStepsPerSecond(0);
    return waitForMode(window, MachineMode::kPaused);
  }
  bool runToTheEnd() {
    window.run();
    return QTest::qWaitFor([this] { return last() > 0 && isIdle() && isPaused(); }, kPatience);
  }
  bool waitForWork() {
    return QTest::qWaitFor([this] { return !archive().isUnderWay(); }, kPatience);
  }
  // Resumes from the step shown, until the machine is paused there.
  bool resume(RunArchive::Ask ask = {}) {
    QSignalSpy loaded(&window.host(), &EngineHost::loaded);
    archive().resume(std::move(ask));
    return QTest::qWaitFor([&] { return loaded.count() == 1 && isPaused(); }, kPatience) && waitForWork();
  }
  // What the toolbar's button of the scenario says.
  QString scenarioChosen() {
    for (const MenuButton* button : window.bar().findChildren<MenuButton*>())
      if (button->accessibleName() == QLatin1String("Scenario")) return button->choice();
    return {};
  }
  bool save(const QString& file) {
    QSignalSpy saved(&archive(), &RunArchive::saved);
    archive().save(file);
    return QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience);
  }
  bool openTrace(const QString& file) {
    QSignalSpy shown(&archive(), &RunArchive::shown);
    window.open(file);
    return QTest::qWaitFor([&] { return shown.count() == 1 && !archive().isUnderWay(); }, kPatience);
  }
};

}  // namespace

class TestRunArchive : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;
  QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void aSavedRunOpensWithoutAMachine() {
    std::vector<std::string> wanted;
    int steps = 0;
    {
      Window w;
      QVERIFY(w.openSixBlocks());
      QVERIFY(w.runToTheEnd());
      wanted = decisions(w.session().recording());
      steps = w.last();
      QVERIFY(w.save(path("six.vitrine")));
      QCOMPARE(verifyTrace(path("six.vitrine").toStdString()).lastStep, steps);
    }
    Window w;
    QVERIFY(w.openTrace(path("six.vitrine")));
    QCOMPARE(decisions(w.session().recording()), wanted);
    QCOMPARE(w.window.host().mode(), MachineMode::kEmpty);
    QVERIFY(!w.session().isLive());
    QCOMPARE(w.session().step(), w.session().firstStep());
    QCOMPARE(w.window.status().modeText(), QStringLiteral("REPLAY 0 of %1").arg(steps));
    QVERIFY(!w.session().state().requests.empty());  // those that wait before the first step
    w.window.step();
    QCOMPARE(w.session().step(), 1);
    w.session().goToStep(steps);
    for (int i = 0; i < 3; ++i) w.window.step();  // no machine: it stays at the end
    QCOMPARE(w.session().step(), steps);
    QCOMPARE(w.window.status().modeText(), QStringLiteral("REPLAY %1 of %1").arg(steps));
    QVERIFY(!availableVerbs({w.window.host().mode(), true, true, true}).run);
  }

  // The window's timeline is that of the trace it saves, byte for byte.
  void aRunIsExportedAsATimeline() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    QVERIFY(w.save(path("timeline.vitrine")));
    QSignalSpy saved(&w.archive(), &RunArchive::saved), failed(&w.archive(), &RunArchive::notSaved);
    w.archive().exportTimeline(path("window.json"));
    QVERIFY(!w.archive().canSave());
    QVERIFY(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
    PerfettoWriter writer(path("trace.json").toStdString());
    readTrace(path("timeline.vitrine").toStdString(), [&](const Event& event) { writer.add(event); });
    writer.finish();
    const std::string timeline = readWholeFile(path("window.json").toStdString(), 1 << 24);
    QVERIFY(timeline.size() > 1000);
    QCOMPARE(timeline, readWholeFile(path("trace.json").toStdString(), 1 << 24));
    w.archive().exportTimeline(path("no such folder/t.json"));
    QCOMPARE(failed.count(), 1);
    QVERIFY(w.archive().canSave());
  }

  void aRunIsExportedAsAPage() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    QVERIFY(w.save(path("page.vitrine")));
    QSignalSpy saved(&w.archive(), &RunArchive::saved);
    w.archive().exportPage(path("window.html"));
    QVERIFY(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
    const std::string title = w.archive().runs().name().text().toStdString();
    page::PageWriter writer(path("trace.html").toStdString(), title);
    readTrace(path("page.vitrine").toStdString(), [&](const Event& event) { writer.add(event); });
    writer.finish();
    const std::string page = readWholeFile(path("window.html").toStdString(), 1 << 24);
    QCOMPARE(page, readWholeFile(path("trace.html").toStdString(), 1 << 24));
    // Its last step has the number that the window shows.
    const QString digest = w.window.status().digestText().section(u' ', 1);
    QCOMPARE(digest.size(), 8);
    const auto last = QString::fromStdString(page).lastIndexOf(QStringLiteral("\"digest\":\""));
    QCOMPARE(QString::fromStdString(page).mid(last + 10, 8), digest);
  }

  void aResumedRunEqualsItsRecording() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const std::vector<std::string> wanted = decisions(w.session().recording());
    const int steps = w.last();
    for (const int step : {0, steps / 2, steps - 1}) {
      w.session().goToStep(step);
      QVERIFY(w.resume());
      QVERIFY(w.session().isLive());
      QCOMPARE(w.last(), step);
      QVERIFY(w.runToTheEnd());
      QCOMPARE(decisions(w.session().recording()), wanted);
      QTRY_VERIFY(w.window.status().reason().contains("equal"));
    }
    QCOMPARE(w.archive().runs().runs().size(), 3u);
  }

  // What only a forward measures is there before the branch, too: candidates, entropies, times.
  void theStepsBeforeABranchAreTheRecordings() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const auto original = w.session().sharedRecording();
    const int step = w.last() / 2;
    const float rate = w.window.panels().timelineModel->at(step).tokensPerSecond;
    QVERIFY(rate > 0);
    for (const int branch : {step, step - 1}) {  // the second one is a branch of the first
      w.session().goToStep(branch);
      QVERIFY(w.resume());
      QCOMPARE(past(w.session().recording(), branch), past(*original, branch));
      QVERIFY(w.runToTheEnd());
      QCOMPARE(firstBreak(w.session().recording()), std::string());
      if (branch == step) QCOMPARE(w.window.panels().timelineModel->at(step).tokensPerSecond, rate);
    }
    int entropies = 0;
    SequenceId sampled = 0;
    w.session().recording().forEach([&](const Event& event) {
      const auto* token = bodyOf<TokenSampled>(event);
      if (token == nullptr || event.step != step - 1) return;
      entropies += token->entropy >= 0 ? 1 : 0;
      sampled = token->sequence;
    });
    QVERIFY(entropies > 0);
    w.session().goToStep(step - 1);
    QVERIFY(w.session().candidates(sampled) != nullptr);
    QCOMPARE(w.session().candidatesStep(sampled), step - 1);
    QVERIFY(w.save(path("branch.vitrine")));
    QCOMPARE(verifyTrace(path("branch.vitrine").toStdString()).lastStep, w.last());
  }

  // Without them, the run begins at the branch, and goes on as it would.
  void readingTheStepsBeforeABranchCanBeCancelled() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const int steps = w.last();
    w.session().goToStep(steps - 3);
    QSignalSpy noticed(&w.archive(), &RunArchive::noticed);
    bool cancelled = false;
    connect(&w.archive(), &RunArchive::progressed, &w.window, [&](double, const QString& what) {
      if (what != QLatin1String("Reading the steps before the branch") || std::exchange(cancelled, true))
        return;
      QVERIFY(w.archive().isUnderWay());
      QVERIFY(!w.archive().canSave() && !w.archive().canResume());
      w.archive().cancel();  // before the first events are read
    });
    QVERIFY(w.resume());
    QVERIFY(cancelled);
    QCOMPARE(noticed.count(), 1);
    QCOMPARE(w.session().firstStep(), steps - 3);
    QVERIFY(w.session().isLive());
    QVERIFY(w.runToTheEnd());
    QCOMPARE(w.last(), steps);
    QVERIFY(w.save(path("late.vitrine")));
    QCOMPARE(verifyTrace(path("late.vitrine").toStdString()).lastStep, steps);
  }

  // A step that the machine takes meanwhile comes behind them.
  void theMachineMayGoOnWhileTheStepsBeforeABranchAreRead() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const std::vector<std::string> wanted = decisions(w.session().recording());
    w.session().goToStep(w.last() - 3);
    bool runs = false;
    connect(&w.window.host(), &EngineHost::modeChanged, &w.window, [&](MachineMode mode) {
      if (mode == MachineMode::kPaused && w.session().engine()->branchStep > 0 && !std::exchange(runs, true))
        w.window.run();
    });
    QVERIFY(w.resume());
    QVERIFY(QTest::qWaitFor([&] { return w.isIdle() && w.isPaused() && w.last() > 3; }, kPatience));
    QCOMPARE(decisions(w.session().recording()), wanted);
    QCOMPARE(firstBreak(w.session().recording()), std::string());
  }

  void anotherRunReplacesABranchWhosePastIsRead() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    w.session().goToStep(w.last() - 3);
    QSignalSpy loaded(&w.window.host(), &EngineHost::loaded);
    connect(&w.window.host(), &EngineHost::loaded, &w.window, [&] {
      if (loaded.count() == 1) w.window.openScenario(QStringLiteral("six-blocks"));
    });
    w.archive().resume();
    QVERIFY(QTest::qWaitFor([&] { return loaded.count() == 2 && w.isPaused(); }, kPatience));
    QVERIFY(w.waitForWork());
    QCOMPARE(w.session().engine()->branchStep, -1);
    QCOMPARE(w.last(), 0);
    QVERIFY(w.runToTheEnd());
    QCOMPARE(firstBreak(w.session().recording()), std::string());
  }

  void anOpenedTraceResumes() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const std::vector<std::string> wanted = decisions(w.session().recording());
    QVERIFY(w.save(path("resume.vitrine")));
    QVERIFY(w.openTrace(path("resume.vitrine")));
    w.session().goToStep(10);
    QVERIFY(w.resume());
    QCOMPARE(w.last(), 10);
    QVERIFY(w.runToTheEnd());
    QCOMPARE(decisions(w.session().recording()), wanted);
  }

  void otherOptionsHoldFromTheStepOn() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const std::vector<std::string> before = decisions(w.session().recording());
    const int prefix = [&] {
      int hits = 0;
      w.session().recording().forEach(
          [&](const Event& e) { hits += isA<BlockHit>(e) && e.step > 10 ? 1 : 0; });
      return hits;
    }();
    w.session().goToStep(10);
    QVERIFY(w.resume([](EngineOptions options, int step) -> std::optional<EngineOptions> {
      if (step != 10) return std::nullopt;
      options.prefixCache = !options.prefixCache;
      return options;
    }));
    const auto& now = w.session().recording();
    QCOMPARE(now.lastFinishedStep(), 10);
    QVERIFY(w.runToTheEnd());
    const std::vector<std::string> after = decisions(now);
    const auto part = [](const std::vector<std::string>& lines) {  // of the steps up to 10
      std::vector<std::string> head;
      for (const std::string& line : lines)
        if (eventFromJson(line).step <= 10) head.push_back(line);
      return head;
    };
    QCOMPARE(part(after), part(before));
    int hits = 0, changes = 0;
    now.forEach([&](const Event& e) {
      hits += isA<BlockHit>(e) && e.step > 10 ? 1 : 0;
      changes += isA<OptionsChanged>(e) ? 1 : 0;
    });
    QCOMPARE(changes, 1);
    QVERIFY(hits != prefix || prefix == 0);
  }

  // One name in the toolbar, the status line, the list of runs and the file's name.
  void aResumedRunIsCalledByItsChanges() {
    RunName run{.number = 4, .origin = "lecture.vitrine"};
    QCOMPARE(run.text(), QStringLiteral("lecture.vitrine"));
    EngineOptions first, next;
    next.preemption = Preemption::kSwap;
    const RunName swap = run.resumedAt(46, first, next);
    QCOMPARE(swap.text(), QStringLiteral("lecture, with swap"));
    QCOMPARE(swap.shared(), QStringLiteral("same as run 4 until step 46"));
    QCOMPARE(run.resumedAt(46, first, first).text(), QStringLiteral("lecture, resumed at step 46"));
    QCOMPARE(swap.resumedAt(50, next, next).text(), QStringLiteral("lecture, with swap, resumed at step 50"));
    QCOMPARE(swap.resumedAt(50, next, first).text(), QStringLiteral("lecture, resumed at step 50"));
    QVERIFY(run.resumedAt(0, first, next).shared().isEmpty());
    next.policy = Policy::kShortest;
    QCOMPARE(swap.resumedAt(50, first, next).text(),
             QStringLiteral("lecture, with the shortest first and swap"));
    next.prefixCache = !next.prefixCache;
    QCOMPARE(run.resumedAt(46, first, next).text(),
             QStringLiteral("lecture, with the shortest first, prefix cache off and 1 more"));
  }

  void theBarsCallAResumedRunByItsChanges() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    w.session().goToStep(10);
    QVERIFY(w.resume([](EngineOptions options, int) {
      options.tokenBudget = 48;
      return std::optional(options);
    }));
    const QString name = QStringLiteral("Six blocks, with token budget of a step: 48 tokens");
    QCOMPARE(w.archive().runs().name().text(), name);
    QCOMPARE(w.archive().runs().name().title(), QStringLiteral("Run 2 · ") + name);
    const auto says = [&](const QString& text) {
      const auto labels = w.window.status().findChildren<QLabel*>();
      return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == text; });
    };
    QVERIFY(says(name + QStringLiteral(" · same as run 1 until step 10")));
    const auto buttons = w.window.bar().findChildren<QToolButton*>();
    QVERIFY(std::ranges::any_of(
        buttons, [&](const QToolButton* one) { return one->text().startsWith(name.left(15)); }));
    QVERIFY(w.stepTimes(1));
    // A run that is shown again keeps its number, and its name.
    w.archive().show(0);
    QVERIFY(w.waitForWork());
    QCOMPARE(w.archive().runs().name().title(), QStringLiteral("Run 1 · Six blocks"));
    QMenu menu;
    w.archive().runs().fill(menu);
    QCOMPARE(menu.actions().first()->text(), QStringLiteral("Run 2 · %1, to step 11").arg(name));
    w.archive().show(0);
    QVERIFY(w.waitForWork());
    QVERIFY(says(name + QStringLiteral(" · same as run 1 until step 10")));
  }

  // A trace names no scenario; the toolbar has the run's name, which says what was changed.
  void theToolbarNamesAResumedTrace() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    QVERIFY(w.save(path("Six blocks.vitrine")));
    QVERIFY(w.openTrace(path("Six blocks.vitrine")));
    QCOMPARE(w.scenarioChosen(), QStringLiteral("Six blocks.vitrine"));
    w.session().goToStep(10);
    QVERIFY(w.resume([](EngineOptions options, int) {
      options.preemption = Preemption::kSwap;
      return std::optional(options);
    }));
    QCOMPARE(w.archive().runs().name().text(), QStringLiteral("Six blocks, with swap"));
    QCOMPARE(w.scenarioChosen(), QStringLiteral("Six blocks, with swap"));
    // A model's own run is named by the model alone.
    w.window.openModel({});
    QVERIFY(QTest::qWaitFor([&] { return w.isPaused() && !w.session().engine()->branchOfRun; }, kPatience));
    QTRY_COMPARE(w.scenarioChosen(), QStringLiteral("Scenario"));
  }

  // The same scenario, begun again.
  void aScenarioThatIsStartedAgainIsCalledByItsChanges() {
    Window w;
    QVERIFY(w.openSixBlocks());
    auto& loading = *w.window.findChild<ModelLoading*>();
    const auto startAgain = [&](auto change) {
      EngineOptions options = loading.current().order.options;
      change(options);
      QSignalSpy loaded(&w.window.host(), &EngineHost::loaded);
      loading.reloadWith(options);
      return QTest::qWaitFor([&] { return loaded.count() == 1 && w.isPaused(); }, kPatience);
    };
    QVERIFY(w.stepTimes(2));
    QVERIFY(startAgain([](EngineOptions& options) { options.tokenBudget = 48; }));
    const QString name = QStringLiteral("Six blocks, with token budget of a step: 48 tokens");
    QCOMPARE(w.archive().runs().name().text(), name);
    QVERIFY(w.archive().runs().name().shared().isEmpty());
    QCOMPARE(w.scenarioChosen(), name);
    QVERIFY(w.stepTimes(2));
    QSignalSpy loaded(&w.window.host(), &EngineHost::loaded);
    w.window.reset();  // as it is
    QVERIFY(QTest::qWaitFor([&] { return loaded.count() == 1 && w.isPaused(); }, kPatience));
    QCOMPARE(w.archive().runs().name().text(), name);
    QMenu menu;
    w.archive().runs().fill(menu);
    QCOMPARE(menu.actions().first()->text(), QStringLiteral("Run 2 · %1, to step 2").arg(name));
    // A branch adds to it, and what is taken back is told no longer.
    QVERIFY(w.stepTimes(2));
    QVERIFY(w.resume([](EngineOptions options, int) {
      options.preemption = Preemption::kSwap;
      return std::optional(options);
    }));
    QCOMPARE(w.archive().runs().name().text(),
             QStringLiteral("Six blocks, with token budget of a step: 48 tokens and swap"));
    QVERIFY(startAgain([](EngineOptions& options) {
      options.preemption = Preemption::kRecompute;
      options.tokenBudget = 32;
    }));
    QCOMPARE(w.archive().runs().name().text(), QStringLiteral("Six blocks"));
    QCOMPARE(w.scenarioChosen(), QStringLiteral("Six blocks"));
  }

  void leavingTheDialogChangesNothing() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const int steps = w.last();
    w.session().goToStep(5);
    w.archive().resume([](const EngineOptions&, int) { return std::nullopt; });
    QVERIFY(w.waitForWork());
    QTest::qWait(50);
    QCOMPARE(w.last(), steps);
    QCOMPARE(w.session().step(), 5);
    QVERIFY(w.archive().runs().runs().empty());
  }

  void theDialogOffersWhatMayChange() {
    EngineOptions options;
    EngineOptionsDialog dialog(options);
    dialog.setResuming(10);
    QVERIFY(!dialog.findChild<QWidget*>("block_size")->isEnabled());
    QVERIFY(dialog.findChild<QWidget*>("prefix_cache")->isEnabled());
    dialog.setResuming(0);
    QVERIFY(dialog.findChild<QWidget*>("block_size")->isEnabled());
  }

  void earlierRunsAreShownAgain() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const std::vector<std::string> wanted = decisions(w.session().recording());
    w.session().goToStep(10);
    QVERIFY(w.resume());
    QCOMPARE(w.archive().runs().runs().size(), 1u);
    QMenu menu;
    w.archive().runs().fill(menu);
    QVERIFY2(menu.actions().first()->text().contains("Run 1"), qPrintable(menu.actions().first()->text()));
    QSignalSpy shown(&w.archive(), &RunArchive::shown);
    menu.actions().first()->trigger();
    QVERIFY(QTest::qWaitFor([&] { return shown.count() == 1 && !w.archive().isUnderWay(); }, kPatience));
    QCOMPARE(decisions(w.session().recording()), wanted);
    QCOMPARE(w.archive().runs().runs().size(), 1u);  // the branch has taken its place
    w.session().goToStep(3);
    QVERIFY(w.resume());  // from a run without a machine
    QVERIFY(w.runToTheEnd());
    QCOMPARE(decisions(w.session().recording()), wanted);
  }

  // Those of the steps before a branch are the branch's, too.
  void bookmarksStayWithTheirRun() {
    Window w;
    Bookmarks& bookmarks = *w.window.panels().bookmarks;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    for (const int step : {2, 4, 6}) bookmarks.toggle(step);
    QVERIFY(w.save(path("marked.vitrine")));
    w.session().goToStep(4);
    QVERIFY(w.resume());
    QCOMPARE(bookmarks.steps(), (std::set<int>{2, 4}));
    bookmarks.toggle(1);
    w.archive().show(0);
    QVERIFY(w.waitForWork());
    QCOMPARE(bookmarks.steps(), (std::set<int>{2, 4, 6}));
    w.window.openScenario(QStringLiteral("six-blocks"));
    QTRY_VERIFY_WITH_TIMEOUT(bookmarks.steps().empty(), kPatience);
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QVERIFY(w.openTrace(path("marked.vitrine")));
    QCOMPARE(bookmarks.steps(), (std::set<int>{2, 4, 6}));
  }

  // Requests that had not arrived when another run took the window arrive after the resumption.
  void aKeptScenarioGoesOnWithItsLaterRequests() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const std::vector<std::string> wanted = decisions(w.session().recording());
    const std::size_t requests = w.live().requests.size();
    w.window.reset();
    QVERIFY(QTest::qWaitFor([&] { return w.last() == 0 && w.isPaused(); }, kPatience));
    QVERIFY(w.stepTimes(1));
    w.window.openModel({});
    QVERIFY(
        QTest::qWaitFor([&] { return w.archive().runs().runs().size() == 2 && w.isPaused(); }, kPatience));
    QSignalSpy shown(&w.archive(), &RunArchive::shown);
    w.archive().show(0);
    QVERIFY(QTest::qWaitFor([&] { return shown.count() == 1 && !w.archive().isUnderWay(); }, kPatience));
    w.session().goToStep(1);
    const auto barsSay = [&](const QString& scenario, bool canLeave) {
      const auto labels = w.window.status().findChildren<QLabel*>();
      const auto menu = w.window.findChild<ScenarioMenu*>()->actions();
      return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == scenario; }) &&
             std::ranges::any_of(menu, [&](const QAction* action) {
               return action->text() == "&Leave the scenario" && action->isEnabled() == canLeave;
             });
    };
    QVERIFY(barsSay(w.archive().runs().name().title(), false));
    QVERIFY(w.resume());
    QVERIFY(barsSay(w.archive().runs().name().status(), true) && w.window.scenario().isVisible());
    QVERIFY(w.runToTheEnd());
    QCOMPARE(w.live().requests.size(), requests);
    QCOMPARE(decisions(w.session().recording()), wanted);
  }

  void aCutFileOpensUpToItsLastWholeStep() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const int steps = w.last();
    QVERIFY(w.save(path("whole.vitrine")));
    QFile whole(path("whole.vitrine"));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    for (const double part : {0.9, 0.5, 0.25}) {
      QFile cut(path("cut.vitrine"));
      QVERIFY(cut.open(QIODevice::WriteOnly | QIODevice::Truncate));
      cut.write(bytes.left(static_cast<qsizetype>(part * static_cast<double>(bytes.size()))));
      cut.close();
      QVERIFY(w.openTrace(path("cut.vitrine")));
      QVERIFY(w.window.messages().isVisible());
      const int there = w.last();
      QVERIFY(there < steps);
      QVERIFY2(w.window.messages().text().contains(QStringLiteral("step %1").arg(there)),
               qPrintable(w.window.messages().text()));
      w.session().goToStep(there);
      QCOMPARE(w.session().step(), there);
    }
  }

  void aFileThatIsNoTraceLeavesTheMachine() {
    QFile file(path("no.vitrine"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("no trace\n");
    file.close();
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.stepTimes(1));
    QSignalSpy failed(&w.archive(), &RunArchive::failed);
    for (const char* name : {"no.vitrine", "missing.vitrine"}) {
      failed.clear();
      w.window.open(path(name));
      QVERIFY(QTest::qWaitFor([&] { return failed.count() == 1; }, kPatience));
      QVERIFY(w.window.messages().text().contains(QLatin1String(name)));
      QCOMPARE(w.last(), 1);
      QVERIFY(w.isPaused());
    }
    QVERIFY(w.runToTheEnd());
  }

  void aWindowStartedWithAFileThatCannotBeOpenedGetsTheBuiltInModel_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"missing.vitrine", "missing.json", "what.txt"})
      QTest::newRow(name) << path(name);
  }
  void aWindowStartedWithAFileThatCannotBeOpenedGetsTheBuiltInModel() {
    QFETCH(QString, file);
    Window w;
    w.window.open(file);
    QVERIFY(QTest::qWaitForWindowExposed(&w.window));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QVERIFY(w.window.messages().isVisible());
  }

  void cancellingKeepsWhatWasThere() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    w.archive().save(path("cancelled.vitrine"));
    w.archive().cancel();
    QVERIFY(!QFile::exists(path("cancelled.vitrine")));
    QVERIFY(!w.archive().isUnderWay());
    QVERIFY(w.save(path("again.vitrine")));
    w.archive().openTrace(path("again.vitrine"));
    w.archive().cancel();
    QTest::qWait(50);  // what the reader has posted is not taken
    QVERIFY(w.isPaused());
    QVERIFY(w.last() > 0);
  }

  // The window goes in the midst of each work.
  void closingEndsWhatIsUnderWay() {
    {
      Window w;
      QVERIFY(w.openSixBlocks());
      QVERIFY(w.runToTheEnd());
      QVERIFY(w.save(path("closing.vitrine")));
      w.archive().save(path("never.vitrine"));
    }
    QVERIFY(!QFile::exists(path("never.vitrine")));
    for (const int milliseconds : {0, 1, 5, 20}) {
      Window w;
      w.window.open(path("closing.vitrine"));
      QTest::qWait(milliseconds);
    }
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    w.archive().resume();
  }

  void commandsWithoutAMachineDoNoHarm() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    QVERIFY(w.save(path("still.vitrine")));
    QVERIFY(w.openTrace(path("still.vitrine")));
    const auto before = decisions(w.session().recording());
    for (int i = 0; i < 2; ++i) {
      w.window.run();
      w.window.stepPhase();
      w.window.reset();
      w.window.back();
      w.window.host().cancel(1);
    }
    QVERIFY(w.waitForWork());
  }

  // A save goes on beside what is opened, and a run leaves the list only when it is shown.
  void worksDoNotTakeEachOthersPlace() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    const int steps = w.last();
    QVERIFY(w.save(path("beside.vitrine")));
    QSignalSpy saved(&w.archive(), &RunArchive::saved);
    w.archive().save(path("first.vitrine"));
    QVERIFY(!w.archive().canSave());
    QVERIFY(w.openTrace(path("beside.vitrine")));
    QVERIFY(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
    QCOMPARE(verifyTrace(path("first.vitrine").toStdString()).lastStep, steps);
    QCOMPARE(w.archive().runs().runs().size(), 1u);
    w.archive().show(0);
    w.archive().cancel();
    QCOMPARE(w.archive().runs().runs().size(), 1u);
  }

  // In a window in which nothing else was opened: no built-in model takes the trace's place.
  void aTraceStays() {
    {
      Window w;
      QVERIFY(w.openSixBlocks());
      QVERIFY(w.runToTheEnd());
      QVERIFY(w.save(path("stays.vitrine")));
    }
    Window w;
    QVERIFY(w.openTrace(path("stays.vitrine")));
    const int steps = w.last();
    w.window.openModel(path("no-such-model"));
    QVERIFY(QTest::qWaitFor([&] { return w.window.messages().isVisible(); }, kPatience));
    QVERIFY(waitForMode(w.window, MachineMode::kEmpty));
    QCOMPARE(w.last(), steps);
    QCOMPARE(w.archive().runs().name().text(), QStringLiteral("stays.vitrine"));
    Window other;
    other.window.openModel({});  // the trace comes while the first model loads
    QVERIFY(other.openTrace(path("stays.vitrine")));
    QTest::qWait(50);
    QVERIFY(waitForMode(other.window, MachineMode::kEmpty));
    QCOMPARE(other.last(), steps);
  }

  // The dialog would come when the window has gone.
  void closingEndsTheQuestionOfResuming() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    bool asked = false;
    w.archive().resume([&](const EngineOptions&, int) {
      asked = true;
      return std::nullopt;
    });
    w.window.close();
    QTest::qWait(50);
    QVERIFY(!asked && !w.archive().isUnderWay());
  }

  void aDroppedFileOpens() {
    Window w;
    QVERIFY(w.openSixBlocks());
    QVERIFY(w.runToTheEnd());
    QVERIFY(w.save(path("drop.vitrine")));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path("drop.vitrine"))});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&w.window, &enter);
    QVERIFY(enter.isAccepted());
    QSignalSpy shown(&w.archive(), &RunArchive::shown);
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&w.window, &drop);
    QVERIFY(QTest::qWaitFor([&] { return shown.count() == 1 && !w.archive().isUnderWay(); }, kPatience));
    QCOMPARE(w.window.host().mode(), MachineMode::kEmpty);
  }
};

QTEST_MAIN(TestRunArchive)
#include "tst_run_archive.moc"
