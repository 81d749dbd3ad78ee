// The window as a new user meets it, driven with real keys and clicks, offscreen.
#include "gui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMetaMethod>
#include <QPlainTextEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "gui/bars/status_strip.h"
#include "gui/library/models_opening.h"
#include "gui/parts/message_bar.h"
#include "gui/scenario/scenario_line.h"
#include "gui/settings/settings.h"
#include "support/extended_model.h"
#include "support/window_bench.h"
#include "vitrine/convert.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/explain/why_view.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/plots/plot_view.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/requests/requests_view.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/support/formats.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ShownWindow {
 public:
  using ShownWindow::ShownWindow;
  bool open(const QString& directory = {}) { return openModel(directory); }
  int steps() { return window.session().recording().lastFinishedStep(); }
  bool waitForSteps(int count) {
    return QTest::qWaitFor([&] { return steps() >= count; }, kPatience);
  }
  bool waitUntilDone() {
    return QTest::qWaitFor([&] { return isIdle(); }, 60000);
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&window, key, modifiers);
  }
  // As the user sets them, for the messages that come.
  void setSampling(const SamplingOptions& sampling, int maxTokens) {
    SamplerControls* const controls = window.panels().controls;
    controls->setSampling(sampling);
    controls->setMaxTokens(maxTokens);
    emit controls->samplingChanged(sampling);
    emit controls->maxTokensChanged(maxTokens);
  }
  void type(const QString& text) { QTest::keyClicks(window.panels().chat->input(), text); }
};

}  // namespace

class TestMainWindow : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  // A model in one file: it opens, computes the step, and is found again among the recent ones.
  void aGgufFileOpens() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("tiny.gguf"));
    convertModel(builtinModelDirectory(), file.toStdString(), ConvertType::kQ80);
    Window w(Perspective::kStep);
    w.window.open(file);
    QTRY_VERIFY_WITH_TIMEOUT(w.window.host().mode() == MachineMode::kPaused, 20000);
    QCOMPARE(Settings().recentModels().value(0), file);
    Request request;
    request.prompt = "The little boat";
    w.window.host().submit(request);
    w.window.host().step();
    QTRY_COMPARE(w.steps(), 1);
    QCOMPARE(int(w.window.session().state().running.size()), 1);
    const SequenceState& sequence = w.window.session().state().sequences.begin()->second;
    QVERIFY(!sequence.text.empty());
  }

  // What the decoder leaves aside is said.
  void tensorsThatAreNotUsedAreSaid() {
    const QTemporaryDir folder;
    const QString model = folder.filePath(QStringLiteral("drafting"));
    QVERIFY(
        writeExtendedModel(QString::fromStdString(builtinModelDirectory().string()), model, "mtp.fc.weight"));
    Window w(Perspective::kStep);
    w.window.openModel(model);
    QTRY_VERIFY_WITH_TIMEOUT(w.window.messages().isVisible(), kPatience);
    const QString said = w.window.messages().text();
    QVERIFY2(said.contains("The decoder of drafting does not use 1 tensor of its files: mtp.fc.weight."),
             qPrintable(said));
  }

  // What a part says by noticed() is shown: each of them is made to say its name.
  void everyNoticeReachesABar() {
    Window w(Perspective::kStep);
    w.window.models().setPlaces({[](const QStringList&) { return ModelRoots(); }, {}, {}, {}});
    w.window.models().open();
    QList<QObject*> parts = w.window.findChildren<QObject*>();
    parts << &w.window.host();
    QStringList speakers;
    for (QObject* part : parts) {
      const int noticed = part->metaObject()->indexOfSignal("noticed(vitrine::Notice)");
      if (noticed < 0) continue;
      const QString name = part->metaObject()->className();
      speakers << name.section(':', -1);
      part->metaObject()->method(noticed).invoke(part, Q_ARG(vitrine::Notice, Notice::problem(name, {})));
      const auto bars = w.window.findChildren<MessageBar*>();
      const bool shown = std::ranges::any_of(bars, [&](MessageBar* bar) { return bar->text() == name; });
      QVERIFY2(shown, qPrintable(name));
    }
    speakers.sort();
    QCOMPARE(speakers, QStringList({"BenchOpening",    "BranchController", "BranchPast",     "ChatController",
                                    "ChatFiles",       "ChatImporting",    "ChatMenu",       "ChatTrace",
                                    "Chats",           "DraftChoice",      "EngineHost",     "LessonGuide",
                                    "MessageDeletion", "ModelLoading",     "ModelsDownload", "ModelsOpening",
                                    "ModelsWindow",    "RemoteRun",        "RemoteSteering", "RunArchive",
                                    "RunOpening"}));
  }

  void theFirstHalfMinute() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    QTRY_COMPARE(int(w.window.session().state().waiting.size()), 3);
    QCOMPARE(w.steps(), 0);
    QVERIFY(w.window.status().modeText().contains("PAUSED"));
    QVERIFY(w.window.bar().step->isEnabled());
    QVERIFY(!w.window.bar().back->isEnabled());

    w.press(Qt::Key_F10);
    QVERIFY(w.waitForSteps(1));
    const MachineState& state = w.window.session().state();
    QVERIFY(!state.running.empty());
    QVERIFY(state.freeQueue.size() < state.blocks.size());
    QTRY_VERIFY(w.window.panels().why->plainText().contains("block"));
    QTRY_VERIFY(w.window.bar().back->isEnabled());
  }

  void backAndForthAndLive() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    for (int i = 1; i <= 4; ++i) {
      w.press(Qt::Key_F10);
      QVERIFY(w.waitForSteps(i));
      QTRY_COMPARE(w.window.host().mode(), MachineMode::kPaused);
    }
    const MachineState live = w.window.session().state();
    w.press(Qt::Key_F10, Qt::ShiftModifier);
    w.press(Qt::Key_F10, Qt::ShiftModifier);
    QCOMPARE(w.window.session().step(), 2);
    QVERIFY(w.window.status().modeText().contains("REPLAY 2 of 4"));
    w.press(Qt::Key_F10);
    QCOMPARE(w.window.session().step(), 3);
    QCOMPARE(w.steps(), 4);  // the machine has not moved
    w.press(Qt::Key_F10);
    QVERIFY(w.window.session().isLive());  // the last step is the machine itself
    QVERIFY(w.window.session().state() == live);
    QCOMPARE(w.steps(), 4);
    w.press(Qt::Key_F10);
    QVERIFY(w.waitForSteps(5));
    QTRY_COMPARE(w.window.host().mode(), MachineMode::kPaused);
    w.window.session().goToStep(5);  // as a click into the last column does
    QVERIFY(!w.window.session().isLive());
    w.press(Qt::Key_F10);  // no press is lost
    QVERIFY(w.waitForSteps(6));
    QVERIFY(w.window.session().isLive());
  }

  void runAndPauseWithOneKey() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    w.window.bar().setStepsPerSecond(30);
    w.press(Qt::Key_F5);
    QVERIFY(w.waitForSteps(3));
    QCOMPARE(w.window.host().mode(), MachineMode::kRunning);
    w.press(Qt::Key_F5);
    QTRY_COMPARE(w.window.host().mode(), MachineMode::kPaused);
    const int steps = w.steps();
    QTest::qWait(150);
    QCOMPARE(w.steps(), steps);
  }

  void phaseByPhase() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    w.press(Qt::Key_F7);
    QTRY_VERIFY(w.window.status().modeText().contains("PAUSED in step 1"));
    QTRY_VERIFY(w.window.status().modeText().contains(phaseName(Phase::kPlan)));
    w.press(Qt::Key_F7);
    QTRY_VERIFY(w.window.status().modeText().contains(phaseName(Phase::kAllocate)));
    w.press(Qt::Key_F10);
    QVERIFY(w.waitForSteps(1));
    QTRY_COMPARE(w.window.host().mode(), MachineMode::kPaused);
  }

  void chattingStreamsAndEscapeStops() {
    Window w(Perspective::kChat);
    QVERIFY(w.open());
    w.window.bar().setStepsPerSecond(0);
    ChatModel* chat = w.window.panels().chatModel;
    w.type("Hello!");
    QTest::keyClick(w.window.panels().chat->input(), Qt::Key_Return);
    QTRY_COMPARE(chat->rowCount(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(!chat->at(1).text.isEmpty(), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(chat->at(1).status, AnswerStatus::kDone, 60000);

    w.setSampling(w.window.panels().controls->sampling(), 900);
    w.window.bar().setStepsPerSecond(15);
    w.type("Tell me a story about a fox.");
    QTest::keyClick(w.window.panels().chat->input(), Qt::Key_Return);
    QTRY_COMPARE(chat->rowCount(), 4);
    QTRY_VERIFY_WITH_TIMEOUT(!chat->at(3).text.isEmpty(), kPatience);
    QTest::keyClick(w.window.panels().chat->input(), Qt::Key_Escape);
    QTRY_COMPARE_WITH_TIMEOUT(chat->at(3).status, AnswerStatus::kStopped, kPatience);
    const QString stopped = chat->at(3).text;
    QTest::qWait(200);
    QCOMPARE(chat->at(3).text, stopped);
  }

  void theTextOfARequestIsCopied() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    for (int step = 1; step <= 3; ++step) {
      w.press(Qt::Key_F10);
      QVERIFY(w.waitForSteps(step));
    }
    const auto& [id, request] = *w.live().requests.begin();
    const QString text = QString::fromStdString(w.live().sequences.at(request.sequences.front()).text);
    QVERIFY(!text.isEmpty());
    emit w.window.panels().requests->copyRequested(id);
    QCOMPARE(QGuiApplication::clipboard()->text(), text);
  }

  // What cannot be sent stays with the user, and the conversation is as it was before.
  void aMessageThatIsTooLongGoesBackIntoTheInput() {
    Window w(Perspective::kChat);
    QVERIFY(w.open());
    ChatModel* chat = w.window.panels().chatModel;
    QPlainTextEdit* const input = w.window.panels().chat->input();
    const QString message = QStringLiteral("1").repeated(20000);
    input->setPlainText(message);
    QTest::keyClick(input, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(w.window.messages().isVisible(), kPatience);
    QVERIFY(w.window.messages().text().contains(QLatin1String("tokens")));
    QTRY_COMPARE(input->toPlainText(), message);
    QCOMPARE(chat->rowCount(), 0);
    input->setPlainText(QStringLiteral("Hello"));
    QTest::keyClick(input, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(chat->rowCount() == 2 ? chat->at(1).status : AnswerStatus::kNone,
                              AnswerStatus::kDone, 60000);
  }

  // The last of the layered oracles: what the window shows is what the engine says alone.
  void theWindowsAnswerIsTheEnginesAnswer() {
    Window w(Perspective::kChat);
    w.setSampling(SamplingOptions{}, 40);  // greedy
    QVERIFY(w.open());
    w.window.bar().setStepsPerSecond(0);
    ChatModel* chat = w.window.panels().chatModel;
    w.type("What is a token?");
    QTest::keyClick(w.window.panels().chat->input(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(chat->rowCount() == 2 ? chat->at(1).status : AnswerStatus::kNone,
                              AnswerStatus::kDone, 60000);

    EventQueue unheard;
    const auto engine = Engine::load(builtinModelDirectory(), EngineOptions{}, unheard);
    Request request;
    request.prompt = engine->chatFormat().render({{{ChatRole::kUser, "What is a token?"}}}).text;
    request.maxTokens = 40;
    request.addSpecialTokens = engine->chatFormat().addsSpecialTokens();
    request.stop = engine->chatFormat().stopStrings(*engine->tokenizer());
    const RequestId id = engine->submit(request);
    engine->run();
    const QString alone = QString::fromStdString(engine->takeResult(id).sequences.at(0).text);
    QVERIFY(!alone.trimmed().isEmpty());
    QCOMPARE(chat->at(1).text.trimmed(), alone.trimmed());
  }

  void theSamplersControlsReachWhatIsBeingAnswered() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    w.press(Qt::Key_F10);
    QVERIFY(w.waitForSteps(1));
    SamplingOptions changed = w.window.panels().controls->sampling();
    changed.temperature = 1.5;
    emit w.window.panels().controls->samplingChanged(changed);
    const auto heard = [&] {
      bool found = false;
      w.window.session().recording().forEach([&](const Event& event) {
        const auto* body = std::get_if<SamplingChanged>(&event.body);
        found = found || (body && body->sampling.temperature == 1.5);
      });
      return found;
    };
    QTRY_VERIFY_WITH_TIMEOUT(heard(), kPatience);
  }

  // Reset opens again what is open: not an order that was abandoned for a later one, nor one that failed.
  void resetLoadsWhatIsOpen() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    QTRY_COMPARE(int(w.window.session().state().waiting.size()), 3);
    w.window.openScenario("one-request");
    w.window.openModel("no/such/folder");
    const auto isReported = [&] {
      return w.window.messages().isVisible() && w.window.messages().text().contains("no/such/folder");
    };
    QTRY_VERIFY_WITH_TIMEOUT(isReported() && w.window.host().mode() == MachineMode::kPaused, kPatience);
    QSignalSpy runs(&w.window.session(), &Session::runStarted);
    w.window.reset();
    QTRY_COMPARE_WITH_TIMEOUT(int(runs.count()), 1, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.host().mode(), MachineMode::kPaused, kPatience);
    QTRY_COMPARE(int(w.window.session().state().waiting.size()), 3);  // those staged with the built-in model
    QVERIFY(!w.window.scenario().isVisible());
    QVERIFY(!w.window.messages().isVisible());
  }

  void aFolderThatIsNoModelSaysSoAndLosesNothing() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    w.press(Qt::Key_F10);
    QVERIFY(w.waitForSteps(1));
    QTemporaryDir empty;
    w.window.openModel(empty.path());
    QTRY_VERIFY_WITH_TIMEOUT(w.window.messages().isVisible(), kPatience);
    QVERIFY(w.window.messages().text().contains("config.json"));
    QTRY_COMPARE(w.window.host().mode(), MachineMode::kPaused);
    w.press(Qt::Key_F10);
    QVERIFY(w.waitForSteps(2));
    w.window.reset();  // back to the model that was there, not to the folder that failed
    QTRY_COMPARE_WITH_TIMEOUT(w.steps(), 0, kPatience);
    QTRY_COMPARE(int(w.window.session().state().waiting.size()), 3);
  }

  void resetStartsAgainAtZero() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    for (int i = 1; i <= 3; ++i) {
      w.press(Qt::Key_F10);
      QVERIFY(w.waitForSteps(i));
      QTRY_COMPARE(w.window.host().mode(), MachineMode::kPaused);
    }
    w.press(Qt::Key_F5, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(w.steps(), 0, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.host().mode(), MachineMode::kPaused, kPatience);
    QTRY_COMPARE(int(w.window.session().state().waiting.size()), 3);
  }

  void perspectivesKeepTheirLayoutAndTheDefaultComesBack() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    auto* requests = w.window.findChild<QDockWidget*>("requests");
    QVERIFY(requests && requests->isVisible());
    requests->hide();
    w.press(Qt::Key_1, Qt::ControlModifier);
    QVERIFY(!w.window.findChild<QDockWidget*>("blocks")->isVisible());
    QVERIFY(w.window.panels().chat->isVisible());
    w.press(Qt::Key_2, Qt::ControlModifier);
    QVERIFY(w.window.findChild<QDockWidget*>("blocks")->isVisible());
    QVERIFY(!requests->isVisible());
    for (QAction* action : w.window.findChildren<QAction*>())
      if (action->text().contains("Restore default")) action->trigger();
    QVERIFY(requests->isVisible());
  }

  void clickingTheTimelineGoesThere() {
    Window w(Perspective::kStep);
    QVERIFY(w.open());
    for (int i = 1; i <= 6; ++i) {
      w.press(Qt::Key_F10);
      QVERIFY(w.waitForSteps(i));
      QTRY_COMPARE(w.window.host().mode(), MachineMode::kPaused);
    }
    TimeAxisView* timeline = w.window.panels().timeline;
    QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {},
                      QPoint(qRound(timeline->xOf(2)), timeline->height() / 2));
    QCOMPARE(w.window.session().step(), 2);
    QTest::keyClick(timeline, Qt::Key_PageDown);
    QCOMPARE(w.window.session().step(), 3);
    QTest::keyClick(timeline, Qt::Key_PageUp);
    QCOMPARE(w.window.session().step(), 2);
  }

  void nothingIsCutAtTheSmallestScreen_data() {
    QTest::addColumn<int>("perspective");
    QTest::newRow("chat") << int(Perspective::kChat);
    QTest::newRow("step") << int(Perspective::kStep);
    QTest::newRow("present") << int(Perspective::kPresent);
  }
  void nothingIsCutAtTheSmallestScreen() {
    QFETCH(int, perspective);
    Window w(static_cast<Perspective>(perspective), {1366, 768});
    QVERIFY(w.open());
    QTest::qWait(50);
    QVERIFY2(w.window.width() <= 1366 && w.window.height() <= 768,
             qPrintable(QString("needs %1×%2").arg(w.window.width()).arg(w.window.height())));
    const QSize least = w.window.minimumSizeHint();
    QVERIFY2(least.width() <= 1366 && least.height() <= 768,
             qPrintable(QString("wants %1×%2 at least").arg(least.width()).arg(least.height())));
  }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
