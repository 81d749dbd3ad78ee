// The editor of scenarios: every option of a request has its field, what cannot be played is refused, Cancel
// loses nothing, and what is played is what the copied command plays.
#include "gui/scenario/scenario_editor.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTest>
#include <nlohmann/json.hpp>

#include "cli/cli_runner.h"
#include "common/argument_text.h"
#include "gui/scenario/request_form.h"
#include "gui/scenario/scenario_line.h"
#include "gui/scenario/scenario_menu.h"
#include "scenarios/scenario_text.h"
#include "support/other_options.h"
#include "support/window_bench.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ShownWindow {
 public:
  bool open(const QString& scenario) {
    window.openScenario(scenario);
    return QTest::qWaitFor([&] { return isPaused() && window.scenario().isVisible(); }, kPatience);
  }
  ScenarioEditor* edit() {
    emit window.findChild<ScenarioMenu*>()->editRequested();
    ScenarioEditor* editor = nullptr;
    for (auto* one : window.findChildren<ScenarioEditor*>())
      if (one->isVisible()) editor = one;
    if (editor && QTest::qWaitForWindowExposed(editor)) editor->activateWindow();
    return editor;
  }
  bool stepToTheEnd() {
    const auto step = [&] {
      for (int i = 0; i < 12; ++i) window.step();
      QTest::qWait(20);
      return isIdle() && isPaused();
    };
    return QTest::qWaitFor(step, kPatience);
  }
  Answers answers() {
    Answers answers;
    for (const auto& [id, request] : live().requests)
      for (const SequenceId sequence : request.sequences) {
        const SequenceState& state = live().sequences.at(sequence);
        answers[request.name].emplace_back(state.tokens.begin() + state.promptTokens, state.tokens.end());
      }
    return answers;
  }
};

template <class Box>
Box* field(const ScenarioEditor& editor, const char* key) {
  return editor.findChild<Box*>(QLatin1String(key));
}

void press(const ScenarioEditor& editor, const QString& text) {
  for (QPushButton* button : editor.findChildren<QPushButton*>())
    if (button->text() == text) return QTest::mouseClick(button, Qt::LeftButton);
  qFatal("there is no button %s", qPrintable(text));
}

Scenario two() {
  Scenario scenario;
  scenario.title = "Two";
  for (const char* name : {"a", "b"}) {
    RequestLine& line = scenario.requests.emplace_back();
    line.arguments.request.name = name;
    line.arguments.request.prompt = "Once";
  }
  scenario.commands = {{5, "a"}};
  scenario.expected = {{"w", "", "request_finished", "a", {}}, {"v", "", "request_finished", "b", {}}};
  return scenario;
}

}  // namespace

class TestScenarioEditor : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void everyOptionOfARequestComesBack() {
    int seen = 0;
    forEachRequestArgument([&](const auto& info, const auto& access) {
      RequestLine line;
      line.arguments.request.prompt = "x";
      access(line.arguments) = otherValue(info, access(line.arguments));
      RequestForm form;
      QVERIFY2(form.findChild<QWidget*>(QLatin1String(info.key)), info.key);
      form.edit(line, 4);
      QVERIFY2(oneLine(requestToJson(form.line())) == oneLine(requestToJson(line)), info.key);
      QCOMPARE(form.cancelStep(), std::optional(4));
      ++seen;
    });
    QVERIFY(seen > 15);
  }

  void idsStayUntilThePromptIsChanged() {
    RequestLine line;
    line.arguments.request.prompt = "Once upon";
    line.arguments.request.tokenIds = {1, 2};
    RequestForm form;
    form.edit(line, {});
    QCOMPARE(form.line().arguments.request.tokenIds, line.arguments.request.tokenIds);
    form.findChild<QPlainTextEdit*>(QStringLiteral("prompt"))->setPlainText(QStringLiteral("Twice"));
    QVERIFY(form.line().arguments.request.tokenIds.empty());
    QCOMPARE(form.line().arguments.request.prompt, std::string("Twice"));
  }

  void aRenamedRequestKeepsItsCommandAndItsEvents() {
    ScenarioEditor editor(two(), 0);
    auto* name = field<QLineEdit>(editor, "id");
    name->setText(QStringLiteral("b"));  // taken
    emit name->editingFinished();
    QCOMPARE(name->text(), QStringLiteral("a"));
    name->setText(QStringLiteral("first"));
    emit name->editingFinished();
    QCOMPARE(editor.scenario().commands.at(0).cancel, std::string("first"));
    QCOMPARE(editor.scenario().expected.at(0).request, std::string("first"));
    QVERIFY(editor.findChild<QListWidget*>()->item(0)->text().startsWith(QStringLiteral("first")));
    QVERIFY2(editor.complaint().isEmpty(), qPrintable(editor.complaint()));
    field<QSpinBox>(editor, "cancel_step")->setValue(-1);
    QVERIFY(editor.scenario().commands.empty());
  }

  void aRowSaysPriorityAndCancellation() {
    Scenario scenario = two();
    scenario.requests.at(1).arguments.request.priority = 7;
    ScenarioEditor editor(scenario, 0);
    const auto row = [&](int at) { return editor.findChild<QListWidget*>()->item(at)->text(); };
    QVERIFY2(!row(0).contains(QStringLiteral("priority")), qPrintable(row(0)));
    QVERIFY2(row(1).contains(QStringLiteral("priority 7 · ")), qPrintable(row(1)));
    field<QSpinBox>(editor, "cancel_step")->setValue(12);
    QVERIFY2(row(0).contains(QStringLiteral("cancelled after step 12 · ")), qPrintable(row(0)));
    field<QSpinBox>(editor, "cancel_step")->setValue(-1);
    QVERIFY2(!row(0).contains(QStringLiteral("cancelled")), qPrintable(row(0)));
  }

  void aUnitFollowsItsNumber() {
    ScenarioEditor editor(two(), 0);
    auto* answers = field<QSpinBox>(editor, "n");
    const QString one = answers->suffix();
    answers->setValue(2);
    const QString more = answers->suffix();
    QVERIFY2(one == QStringLiteral(" answer") && more == QStringLiteral(" answers"), qPrintable(one + more));
    editor.addRequest();  // no signal says that its form shows one again
    QCOMPARE(answers->suffix(), one);
  }

  void noTextIsTheCommandLines() {
    ScenarioEditor editor(two(), 0);
    static const QRegularExpression option(QStringLiteral("(?<![\\w-])--?[a-z]"));
    for (const QWidget* part : editor.findChildren<QWidget*>()) {
      QVERIFY2(!part->toolTip().contains(option), qPrintable(part->toolTip()));
      const auto* box = qobject_cast<const QSpinBox*>(part);
      QVERIFY2(box == nullptr || !box->specialValueText().contains(option), qPrintable(part->objectName()));
    }
    const auto* priority = field<QSpinBox>(editor, "priority");
    QVERIFY(!priority->isEnabled());
    QVERIFY2(priority->toolTip().contains(QStringLiteral("it needs “Order of requests: By priority”")),
             qPrintable(priority->toolTip()));
    QCOMPARE(priority->accessibleDescription(), priority->toolTip());
  }

  void requestsAreAddedDuplicatedAndRemoved() {
    ScenarioEditor editor(two(), 17);
    editor.addRequest();
    QCOMPARE(editor.scenario().requests.at(1).arrivalStep, 17);
    QCOMPARE(editor.scenario().requests.at(1).arguments.request.name, std::string("R3"));
    field<QSpinBox>(editor, "n")->setValue(3);
    field<QSpinBox>(editor, "arrival_step")->setValue(9);
    editor.duplicateRequest();
    QCOMPARE(editor.scenario().requests.at(2).arguments.request.sequences, 3);
    QCOMPARE(editor.scenario().requests.at(2).arrivalStep, 9);
    QCOMPARE(editor.scenario().requests.at(2).arguments.request.name, std::string("R4"));
    editor.findChild<QListWidget*>()->setCurrentRow(0);
    editor.removeRequest();
    QVERIFY(editor.scenario().commands.empty());
    QCOMPARE(editor.scenario().expected.size(), std::size_t{1});
    QCOMPARE(field<QLineEdit>(editor, "id")->text(), QStringLiteral("R3"));
    QVERIFY(editor.isChanged());
    press(editor, QStringLiteral("Revert"));
    QVERIFY(!editor.isChanged());
  }

  void whatCannotBePlayedIsRefused() {
    ScenarioEditor editor(two(), 0);
    editor.setVisible(true);
    field<QSpinBox>(editor, "beam_width")->setValue(4);
    field<QSpinBox>(editor, "n")->setValue(9);
    QVERIFY(editor.complaint().startsWith(QStringLiteral("a: ")));
    QVERIFY2(!editor.complaint().contains(QStringLiteral("--")), qPrintable(editor.complaint()));
    editor.accept();
    QVERIFY(editor.isVisible());
    field<QSpinBox>(editor, "n")->setValue(2);
    QVERIFY2(editor.complaint().isEmpty(), qPrintable(editor.complaint()));
    while (!editor.scenario().requests.empty()) editor.removeRequest();
    QVERIFY(!editor.complaint().isEmpty());
    editor.accept();
    QVERIFY(editor.isVisible());
  }

  void whatIsSavedIsReadAgain() {
    QTemporaryDir folder;
    ScenarioEditor editor(readScenario("cancel-in-the-middle"), 0);
    editor.addRequest();
    QVERIFY(editor.saveTo(folder.filePath("mine.json")));
    const Scenario read = readScenario(folder.filePath("mine.json").toStdString());
    QCOMPARE(scenarioToText(read), scenarioToText(editor.scenario()));
    QVERIFY(!editor.saveTo(folder.filePath("no/such/mine.json")));
  }

  void cancelLosesNothing() {
    Window w;
    QVERIFY(w.open("six-blocks") && w.stepTimes(5));
    const MachineState before = w.live();
    ScenarioEditor* editor = w.edit();
    QVERIFY(editor);
    editor->addRequest();
    QTest::keyClick(editor, Qt::Key_Escape);
    QTRY_VERIFY(!w.window.findChild<ScenarioEditor*>());
    QVERIFY(w.live() == before && w.isPaused());
    editor = w.edit();  // the changes are there again
    QVERIFY(editor && editor->isChanged());
    QCOMPARE(editor->scenario().requests.size(), std::size_t{5});
    press(*editor, QStringLiteral("Revert"));
    editor->reject();
    QTRY_VERIFY(!w.window.findChild<ScenarioEditor*>());
    editor = w.edit();
    QVERIFY(editor && !editor->isChanged());
  }

  // By keys, as a user does it: a request more at the present step, with drawn tokens.
  void whatIsPlayedIsWhatTheCommandPlays() {
    Window w;
    w.window.bar().setStepsPerSecond(0);
    QVERIFY(w.open("six-blocks") && w.stepTimes(7));
    ScenarioEditor* editor = w.edit();
    QVERIFY(editor);
    press(*editor, QStringLiteral("Add a request"));
    QTest::keyClicks(editor->focusWidget(), QStringLiteral("It's a \"test\" $x "));
    auto* pages = editor->findChild<RequestForm*>();
    pages->setCurrentIndex(2);
    auto* temperature = field<QDoubleSpinBox>(*editor, "temperature");
    temperature->setFocus();
    temperature->selectAll();
    QTest::keyClicks(temperature, QStringLiteral("0.9"));
    press(*editor, QStringLiteral("Copy as command"));
    const QString command = QGuiApplication::clipboard()->text();
    QVERIFY2(command.startsWith(QStringLiteral("vitrine-cli run --")), qPrintable(command));
    press(*editor, QStringLiteral("Play"));
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.live().step == 7, kPatience);  // it runs on to where it was
    QVERIFY(w.stepToTheEnd());
    const Answers played = w.answers();
    QCOMPARE(played.size(), std::size_t{5});
    QCOMPARE(played.at("R5").at(0).size(), std::size_t{32});
    QVERIFY(answersOf(runInShell(command)) == played);
    QVERIFY(w.window.scenario().text().contains(QStringLiteral("Six blocks")));
  }

  // The requests that stand staged, as messages with their words.
  void aRunWithoutAScenarioIsEditedToo() {
    Window w;
    QVERIFY(w.openModel());
    QTRY_COMPARE_WITH_TIMEOUT(int(w.live().requests.size()), 3, kPatience);
    QVERIFY(w.stepToTheEnd());
    const Answers before = w.answers();
    ScenarioEditor* editor = w.edit();
    QVERIFY(editor);
    QCOMPARE(editor->scenario().requests.size(), std::size_t{3});
    QVERIFY(editor->scenario().requests[2].arguments.chat);
    QCOMPARE(editor->scenario().requests[2].arguments.request.prompt, std::string("Hello! Who are you?"));
    editor->accept();
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.window.scenario().isVisible(), kPatience);
    QVERIFY(w.stepToTheEnd());
    QVERIFY(w.answers() == before);
  }

  void machineOptionsBelongToTheScenario() {
    ScenarioEditor editor(two(), 0);
    QTimer::singleShot(0, &editor, [] {
      auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      dialog->findChild<QSpinBox*>(QStringLiteral("num_blocks"))->setValue(9);
      dialog->accept();
    });
    press(editor, QStringLiteral("Machine options…"));
    QCOMPARE(editor.scenario().engine.options.numBlocks, 9);
    QVERIFY(commandOf(editor.scenario()).find("\"num_blocks\":9") != std::string::npos);
  }

  void pictures() {
    const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
    if (folder.isEmpty()) QSKIP("VITRINE_PICTURES names no folder");
    Window w;
    QVERIFY(w.open("six-blocks"));
    ScenarioEditor* editor = w.edit();
    for (int page = 0; page < 3; ++page) {
      editor->findChild<RequestForm*>()->setCurrentIndex(page);
      QVERIFY(editor->grab().save(QStringLiteral("%1/editor-%2.png").arg(folder).arg(page)));
    }
  }

 private:
  WindowSurroundings m_surroundings;
};

QTEST_MAIN(TestScenarioEditor)
#include "tst_scenario_editor.moc"
