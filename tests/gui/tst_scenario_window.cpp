// Scenarios in the window, offscreen: each that ships is chosen, stepped to its end, and shows what it
// promised; Reset begins it again, leaving it gives the machine back as it was.
#include <sys/stat.h>

#include <QLabel>
#include <QRegularExpression>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "gui/parts/message_bar.h"
#include "gui/scenario/scenario_line.h"
#include "gui/scenario/scenario_menu.h"
#include "gui/scenario/scenario_words.h"
#include "gui/settings/engine_options_dialog.h"
#include "gui/window/main_window.h"
#include "support/window_bench.h"
#include "widgets/explain/why_list.h"
#include "widgets/explain/why_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ShownWindow {
 public:
  using ShownWindow::ShownWindow;
  bool open(const QString& scenario) {
    window.openScenario(scenario);
    return QTest::qWaitFor([&] { return isPaused() && window.scenario().isVisible(); }, kPatience);
  }
  bool openStaged() {
    window.openModel({});
    return QTest::qWaitFor([&] { return isPaused() && live().requests.size() == 3; }, kPatience);
  }
  bool isDone() { return isIdle() && isPaused(); }
  bool stepToTheEnd() {
    const auto step = [&] {
      for (int i = 0; i < 12; ++i) window.step();
      QTest::qWait(20);
      return isDone();
    };
    return QTest::qWaitFor(step, kPatience);
  }
};

}  // namespace

class TestScenarioWindow : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void eachIsSteppedToItsEnd_data() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : shippedScenarioNames())
      QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
  void eachIsSteppedToItsEnd() {
    QFETCH(QString, name);
    const Scenario scenario = readScenario(name.toStdString());
    Window w;
    QVERIFY(w.open(name));
    QCOMPARE(w.live().step, 0);
    QVERIFY(w.window.scenario().text().contains(QString::fromStdString(scenario.title).toHtmlEscaped()));
    QVERIFY(w.stepToTheEnd());
    QCOMPARE(w.live().requests.size(), scenario.requests.size());
    QVERIFY(!w.window.messages().isVisible());
    const Expectations& expectations = w.window.scenario().expectations();
    QVERIFY(!scenario.expected.empty());
    for (int i = 0; i < int(scenario.expected.size()); ++i) {
      const auto& occurrence = expectations.occurrences().at(std::size_t(i));
      QVERIFY2(occurrence.seen, scenario.expected[std::size_t(i)].words.c_str());
      w.window.scenario().visit(i);
      QCOMPARE(w.window.session().step(), occurrence.step);
      if (occurrence.sequence != 0) QCOMPARE(w.window.session().selectedSequence(), occurrence.sequence);
      if (scenario.expected[std::size_t(i)].panel != "why") continue;
      QVERIFY2(w.window.panels().why->list()->currentIndex().isValid(),  // its sentence is chosen
               scenario.expected[std::size_t(i)].words.c_str());
    }
    const QSize least = w.window.minimumSizeHint();
    QVERIFY2(least.width() <= 1366 && least.height() <= 768, qPrintable(QString::number(least.height())));
  }

  // Also of a file whose order is not that of time.
  void expectedEventsAreOfferedAsTheyHappen() {
    QFile file(m_folder.filePath("order.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"requests":[{"id":"a","prompt":"Once upon a time","max_tokens":6,"ignore_eos":true}],
      "look_at":[{"words":"LAST","event":"request_finished"},
                 {"words":"FIRST","event":"sequence_admitted"},
                 {"words":"SECOND","event":"sequence_scheduled","with":{"kind":"decode"}}]})");
    file.close();
    Window w;
    QVERIFY(w.open(file.fileName()));
    ScenarioLine& line = w.window.scenario();
    QVERIFY(w.stepTimes(1));
    QCOMPARE(line.next(), 0);  // the first that has not happened
    QVERIFY(w.stepTimes(1));
    QCOMPARE(line.next(), 0);  // and no other is offered again
    line.goToNext();
    QTRY_COMPARE_WITH_TIMEOUT(line.nextText(), QString("All seen"), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused(), kPatience);
    const QString text = line.text();
    QVERIFY2(text.indexOf("FIRST") < text.indexOf("SECOND") && text.indexOf("SECOND") < text.indexOf("LAST"),
             qPrintable(text));
    w.window.session().goToStep(1);
    QCOMPARE(line.next(), 2);  // of those that lie ahead the first
    line.visit(1);             // its links still go to their own events
    QCOMPARE(w.window.session().step(), 1);
  }

  // The sentence of *Why this step?* that an expected event is about is chosen, and the keyboard stays where
  // it was.
  void aSightsSentenceIsChosen() {
    Window w(Perspective::kStep);
    w.window.bar().setStepsPerSecond(0);
    QVERIFY(w.open("important-first"));
    ScenarioLine& line = w.window.scenario();
    const WhyView* why = w.window.panels().why;
    const auto sentence = [&] { return why->list()->currentIndex().data().toString(); };
    w.window.activateWindow();
    auto* next = line.findChildren<QToolButton*>().first();
    next->setFocus(Qt::TabFocusReason);
    QTRY_COMPARE(QApplication::focusWidget(), next);
    const std::vector<QRegularExpression> expected = {QRegularExpression("^B is preempted"),
                                                      QRegularExpression("^C .*admitted"),
                                                      QRegularExpression("^B (resumes|.*admitted)")};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      next->click();
      QTRY_VERIFY_WITH_TIMEOUT(line.expectations().occurrences()[i].seen && w.isPaused(), kPatience);
      QTRY_VERIFY2_WITH_TIMEOUT(expected[i].match(sentence()).hasMatch(), qPrintable(sentence()), kPatience);
      QVERIFY2(why->list()->accessibleDescription().contains(sentence()),
               qPrintable(why->list()->accessibleDescription()));
      QCOMPARE(QApplication::focusWidget(), next);
    }
    QVERIFY(line.next() < 0 && next->isEnabled());
    line.visit(0);  // in the past, too
    QVERIFY2(expected[0].match(sentence()).hasMatch(), qPrintable(sentence()));
    QCOMPARE(w.window.session().selectedSequence(), line.expectations().occurrences()[0].sequence);
  }

  // Two runs differ in their clock readings alone.
  static MachineState withoutTimes(MachineState state) {
    for (auto& [id, request] : state.requests) request.submittedNs = request.firstTokenNs = 0;
    return state;
  }

  // The window plays it as the command line does: the same steps, the same tokens.
  void theWindowPlaysAsTheCommandLineDoes() {
    Window w;
    QVERIFY(w.open("cancel-in-the-middle"));
    QVERIFY(w.stepToTheEnd());
    const Scenario scenario = readScenario("cancel-in-the-middle");
    EventFanOut unheard;
    const auto engine = Engine::load(scenario.engine.modelDirectory(), scenario.engine.toOptions(), unheard);
    Timetable timetable(scenario.requests, scenario.commands);
    for (timetable.serve(*engine, {}); engine->hasWork(); timetable.serve(*engine, {})) {
      engine->step();
      timetable.stepped();
    }
    QVERIFY(withoutTimes(w.live()) == withoutTimes(engine->snapshot()));
  }

  void runningPlaysTheArrivalsToo() {
    Window w;
    w.window.bar().setStepsPerSecond(0);
    QVERIFY(w.open("four-together"));
    QCOMPARE(int(w.live().requests.size()), 2);
    w.window.run();
    QTRY_VERIFY_WITH_TIMEOUT(w.live().requests.size() == 4 && w.isDone(), kPatience);
  }

  void resetBeginsItAgainAndLeavingGivesTheMachineBack() {
    Window w;
    QVERIFY(w.openStaged());
    QVERIFY(w.open("six-blocks"));
    QCOMPARE(int(w.live().blocks.size()), 6);
    QVERIFY(w.stepToTheEnd());
    w.window.reset();
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.live().step == 0 && w.live().requests.size() == 3, kPatience);
    QCOMPARE(int(w.live().blocks.size()), 6);
    for (const Expectations::Occurrence& occurrence : w.window.scenario().expectations().occurrences())
      QVERIFY(!occurrence.seen);
    QVERIFY(w.open("one-request"));  // from one scenario to the next, the way back stays the same
    w.window.leaveScenario();
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.live().requests.size() == 3, kPatience);
    QCOMPARE(int(w.live().blocks.size()), kBuiltinBlocks);
    QVERIFY(!w.window.scenario().isVisible());
  }

  // Opens the dialog from the menu, reads its KV blocks and sets them.
  static int chooseBlocks(MainWindow& window, int blocks, QString* title) {
    int shown = -1;
    QTimer::singleShot(0, &window, [&] {
      auto* dialog = qobject_cast<EngineOptionsDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      *title = dialog->windowTitle();
      auto* box = dialog->findChild<QSpinBox*>(QStringLiteral("num_blocks"));
      shown = box->value();
      box->setValue(blocks);
      dialog->accept();
    });
    for (QAction* action : window.findChildren<QAction*>())
      if (action->text().remove(u'&').startsWith(QStringLiteral("Machine options"))) action->trigger();
    return shown;
  }

  void aScenariosMachineOptionsAreItsOwn() {
    Settings settings;
    EngineOptions mine = Settings::defaultEngineOptions();
    mine.numBlocks = 77;
    settings.setEngineOptions(mine);
    Window w;
    QVERIFY(w.openStaged());
    QVERIFY(w.open("six-blocks"));
    QString title;
    QCOMPARE(chooseBlocks(w.window, 9, &title), 6);
    QVERIFY2(title.contains(QStringLiteral("“Six blocks”")), qPrintable(title));
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.live().blocks.size() == 9, kPatience);
    QVERIFY(w.window.scenario().isVisible());
    QCOMPARE(int(w.live().requests.size()), 3);
    QCOMPARE(settings.engineOptions().numBlocks, 77);
    QCOMPARE(chooseBlocks(w.window, 8, &title), 9);  // what was applied is shown again
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.live().blocks.size() == 8, kPatience);
    w.window.leaveScenario();
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.live().blocks.size() == 77, kPatience);
    QCOMPARE(chooseBlocks(w.window, 33, &title), 77);
    QVERIFY2(!title.contains(u'“'), qPrintable(title));
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.live().blocks.size() == 33, kPatience);
    QCOMPARE(settings.engineOptions().numBlocks, 33);
  }

  // README.md, "Learn": with so few KV blocks the staged requests wait and are preempted, and none is
  // refused.
  void theReadmesFirstExperimentDoesWhatItSays() {
    QFile readme(QStringLiteral(VITRINE_SOURCE_DIR "/README.md"));
    QVERIFY(readme.open(QIODevice::ReadOnly));
    static const QRegularExpression experiment(
        QStringLiteral("set the KV blocks to (\\d+), and see which requests wait and which are preempted"));
    const QString text = QString::fromUtf8(readme.readAll()).simplified();
    const int blocks = experiment.match(text).captured(1).toInt();
    QVERIFY(blocks > 0);
    Window w;
    w.window.bar().setStepsPerSecond(0);
    QVERIFY(w.openStaged());
    QString title;
    QCOMPARE(chooseBlocks(w.window, blocks, &title), 0);  // the window's choice
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && int(w.live().blocks.size()) == blocks, kPatience);
    QCOMPARE(int(w.live().requests.size()), 3);
    w.window.run();
    QTRY_VERIFY_WITH_TIMEOUT(w.isDone(), kPatience);
    int waits = 0, preemptions = 0, refusals = 0;
    w.window.session().recording().forEach([&](const Event& event) {
      waits += isA<SequenceWaiting>(event) ? 1 : 0;
      preemptions += isA<SequencePreempted>(event) ? 1 : 0;
      refusals += isA<RequestRejected>(event) ? 1 : 0;
    });
    QVERIFY(waits > 0 && preemptions > 0);
    QCOMPARE(refusals, 0);
    for (const auto& [id, request] : w.live().requests) QVERIFY(!request.cancelled);
  }

  // Reading for longer than the window does not close it: the third request still fills the batch.
  void aBatchWaitsForCompanyHoweverLongAPersonReads() {
    QFile file(m_folder.filePath("company.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"options":{"batching":"window","window_ms":120,"max_sequences":2},"requests":[
      {"id":"first","prompt":"Once upon a time","max_tokens":3},
      {"id":"second","prompt":"In the garden","max_tokens":3,"arrival_step":4}]})");
    file.close();
    Window w;
    QVERIFY(w.open(file.fileName()));
    for (int step = 1; step <= 5; ++step) {
      QTest::qWait(60);
      w.window.stepPhase();
      QTRY_COMPARE_WITH_TIMEOUT(w.window.host().mode(), MachineMode::kHeld, kPatience);
      QTest::qWait(60);
      QVERIFY(w.stepTimes(1));
      QCOMPARE(w.live().step, step);
      QCOMPARE(int(w.live().running.size()), step < 5 ? 0 : 2);
    }
  }

  // Nothing else is to come, so a step by hand skips what is left of the window.
  void anOpenWindowIsSteppedOutOf() {
    QFile file(m_folder.filePath("alone.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"options":{"batching":"window","window_ms":60000,"max_sequences":2},"requests":[
      {"id":"alone","prompt":"Once upon a time","max_tokens":3}]})");
    file.close();
    Window w;
    QVERIFY(w.open(file.fileName()));
    QVERIFY(w.stepTimes(1));
    QCOMPARE(int(w.live().waiting.size()), 1);
    QVERIFY(w.stepTimes(1));
    QCOMPARE(int(w.live().running.size()), 1);
  }

  void aFileThatIsNoScenarioSaysSoAndLosesNothing() {
    QFile file(m_folder.filePath("wrong.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"requests":[{"id":"a","prompt":"x"}],"look_at":[{"words":"w","event":"miracle"}]})");
    file.close();
    Window w;
    QVERIFY(w.openStaged());
    w.window.openScenario(file.fileName());
    QVERIFY(w.window.messages().isVisible());
    QVERIFY2(w.window.messages().text().contains("miracle"), qPrintable(w.window.messages().text()));
    QVERIFY(!w.window.scenario().isVisible());
    QVERIFY(w.isPaused());
    QCOMPARE(int(w.live().requests.size()), 3);
  }

  // Its writer may never come, and the window's thread must not wait.
  void aPipeInAScenariosPlaceIsRefused() {
    const QString pipe = m_folder.filePath("pipe.json");
    QCOMPARE(mkfifo(qPrintable(pipe), 0600), 0);
    Window w;
    w.window.openScenario(pipe);
    QVERIFY(w.window.messages().isVisible());
    QVERIFY2(w.window.messages().text().contains("is a pipe, not a file"),
             qPrintable(w.window.messages().text()));
  }
  void aRejectedRequestIsReportedAndTheRestIsPlayed() {
    QFile file(m_folder.filePath("rejected.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"options":{"num_blocks":4},"requests":[{"id":"huge","prompt":"x","max_tokens":900},
                   {"id":"small","prompt":"Once upon a time","max_tokens":3,"arrival_step":2}]})");
    file.close();
    Window w;
    QVERIFY(w.open(file.fileName()));
    QTRY_VERIFY(w.window.messages().text().contains("4"));
    QVERIFY(w.stepToTheEnd());
    QCOMPARE(int(w.live().requests.size()), 1);
  }

  void everyPanelAScenarioMayNameCanBeShown() {
    Window w;
    auto* perspectives = w.window.findChild<Perspectives*>();
    QVERIFY(perspectives);
    for (const std::string& panel : expectationPanels())
      QVERIFY2(perspectives->bringForward(QString::fromStdString(panel)), panel.c_str());
    QVERIFY(!perspectives->bringForward("cellar"));
  }

  void aScenarioLeavesTheChatPerspective() {
    Window w(Perspective::kChat);
    QVERIFY(w.open("one-request"));
    QVERIFY(w.window.findChild<Perspectives*>()->current() == Perspective::kStep);
  }

  // Group by group, and in each in the order of the course.
  void theMenuListsThemInGroups() {
    Window w;
    QVERIFY(w.openStaged());  // the menu is filled anew when something was opened
    auto* menu = w.window.findChild<ScenarioMenu*>();
    QVERIFY(menu);
    std::vector<Scenario> expected;
    for (const std::string& name : shippedScenarioNames()) expected.push_back(readScenario(name));
    QVERIFY(expected.size() >= 11);
    std::ranges::stable_sort(expected, {}, &Scenario::group);
    std::size_t next = 0;
    QAction* first = nullptr;
    for (const QAction* entry : menu->actions()) {
      if (!entry->menu()) continue;
      QCOMPARE(entry->text(), groupTitle(expected.at(next).group));
      for (QAction* action : entry->menu()->actions()) {
        if (!first) first = action;
        QCOMPARE(action->text(), QString::fromStdString(expected.at(next++).title));
      }
    }
    QCOMPARE(next, expected.size());
    first->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.window.scenario().isVisible(), kPatience);
  }

 private:
  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;
};

QTEST_MAIN(TestScenarioWindow)
#include "tst_scenario_window.moc"
