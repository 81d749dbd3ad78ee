// The thread boundary: commands in any order and at any moment are carried out, and nothing blocks the
// window's thread.
#include "gui/machine/engine_host.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <semaphore>

#include "gui/questions/roof_measurer.h"
#include "widgets/session/session.h"

using namespace vitrine;

namespace {

ChatOrder question(const char* text, int maxTokens, const char* name) {
  ChatOrder order;
  order.dialogue.messages = {{ChatRole::kUser, text}};
  order.request.name = name;
  order.request.maxTokens = maxTokens;
  order.request.ignoreEos = true;
  return order;
}

LoadOrder builtin(int answers = 1, int maxTokens = 12) {
  LoadOrder order;
  order.model = builtinModelDirectory();
  order.options.numBlocks = 64;
  order.options.tokenBudget = 32;
  for (int i = 0; i < answers; ++i)
    order.staged.push_back(question("Hello! Who are you?", maxTokens, qPrintable(QString("r%1").arg(i + 1))));
  return order;
}

// The worker in the test's own thread, so that what comes before what is no matter of luck.
struct LoadBench {
  RunControl control;
  EventQueue queue;
  EngineWorker worker{control, queue};
  QSignalSpy loaded{&worker, &EngineWorker::loaded}, failed{&worker, &EngineWorker::noticed},
      modes{&worker, &EngineWorker::modeChanged};

  int enginesLoaded() {
    std::vector<Event> events;
    queue.drain(events);
    return static_cast<int>(
        std::ranges::count_if(events, [](const Event& e) { return isA<EngineLoaded>(e); }));
  }
  bool endedCancelled() const {
    return failed.count() == 1 &&
           failed.first().at(0).value<Notice>().code == QLatin1String(errorCodeName(ErrorCode::kCancelled));
  }
};

// The host and the session that hears it, as the window wires them.
struct Bench {
  Session session;
  EngineHost host;

  Bench() {
    host.deliverTo([this](std::vector<Event> events) { session.append(std::move(events)); });
  }
  bool waitFor(MachineMode mode, int milliseconds = 20000) {
    return QTest::qWaitFor([&] { return host.mode() == mode; }, milliseconds);
  }
  int steps() const { return session.recording().lastFinishedStep(); }
  bool allFinished() const {
    for (const auto& [id, request] : session.recording().live().requests)
      if (!request.finished) return false;
    return !session.recording().live().requests.empty();
  }
  bool waitForSteps(int count) {
    return QTest::qWaitFor([&] { return steps() >= count; }, 20000);
  }
};

}  // namespace

class TestEngineHost : public QObject {
  Q_OBJECT

 private slots:
  // The engine's thread may be busy when the window orders a machine to go on. A pause that the window orders
  // behind that takes precedence, although both wait for the thread.
  void aPauseOverrulesWhatWasAskedForBefore() {
    Bench bench;
    bench.host.load(builtin(0));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    std::binary_semaphore isFree(0);
    int answers = 0;
    const auto answered = [&](std::optional<int>) { ++answers; };
    const auto busy = [&](const AskedMachine&) {
      isFree.acquire();
      return 0;
    };
    const Question held = bench.host.ask(busy, &bench.host, answered);
    bench.host.letGoOn();
    bench.host.pause();
    isFree.release();
    QTRY_COMPARE(answers, 1);
    const Question after = bench.host.ask([](const AskedMachine&) { return 0; }, &bench.host, answered);
    QTRY_COMPARE(answers, 2);  // so the machine has heard what was asked before
    QVERIFY(!bench.host.goesOn());
    bench.host.letGoOn();
    QTRY_VERIFY(bench.host.goesOn());
  }

  // Messages that do not fit are left out and counted. A message that can never fit is rejected.
  void aLongConversationIsCutToTheContext() {
    Bench bench;
    bench.host.load(builtin(0));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QSignalSpy trimmed(&bench.host, &EngineHost::chatTrimmed), failed(&bench.host, &EngineHost::chatFailed);
    ChatOrder order = question("And now?", 4, "long");
    for (int i = 0; i < 200; ++i)
      order.dialogue.messages.insert(
          order.dialogue.messages.begin(),
          {i % 2 == 0 ? ChatRole::kAssistant : ChatRole::kUser, "a message with a few words in it"});
    bench.host.submitChat(order);
    QVERIFY(trimmed.wait(20000));
    const int forgotten = trimmed.at(0).at(0).toInt();
    QVERIFY2(forgotten > 0 && forgotten < 200 && forgotten % 2 == 0, QByteArray::number(forgotten));
    order.dialogue.messages.back().text.append(20000, '1');
    bench.host.submitChat(order);
    QVERIFY(failed.wait(20000));
    QCOMPARE(trimmed.count(), 1);
  }

  // The machine's limits are those that an engine of so many threads with this model meets: the next engine
  // gets the same ones only when it needs the same.
  void anotherEngineMeasuresItsOwnRoof() {
    Bench bench;
    OperationsModel model(&bench.session);
    RoofMeasurer measurer(bench.host, model, nullptr);
    QSignalSpy loaded(&bench.host, &EngineHost::loaded);
    std::vector<MachineRoof> roofs;
    for (const int threads : {1, 1, 2}) {
      LoadOrder order = builtin(0);
      order.options.threads = threads;
      const auto before = loaded.count();
      bench.host.load(order);
      QVERIFY(QTest::qWaitFor([&] { return loaded.count() > before; }, 20000));
      measurer.want();  // tells at once what it knows already
      QSignalSpy known(&measurer, &RoofMeasurer::known);
      QVERIFY(known.wait(60000));
      roofs.push_back(known.back().front().value<MachineRoof>());
      QCOMPARE(roofs.back().threads, threads);
    }
    QCOMPARE(roofs[1].gflops, roofs[0].gflops);  // the same measurement: two would differ
    QCOMPARE(roofs[1].memoryGbps(), roofs[0].memoryGbps());
  }

  void anAnswerComesToWhatStillWaitsForIt() {
    Bench bench;
    bench.host.load(builtin(0));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QThread* asked = nullptr;
    QThread* answered = nullptr;
    const auto work = [&](const AskedMachine& machine) {
      asked = QThread::currentThread();
      return machine.engine.description().model.layers;
    };
    std::vector<int> answers;
    const auto note = [&](int number) {
      return [&answers, number](const std::optional<int>& layers) {
        answers.push_back(layers ? number : -number);
      };
    };
    auto gone = std::make_unique<QObject>();
    const Question orphan = bench.host.ask(work, gone.get(), note(1));
    gone.reset();
    Question question = bench.host.ask(work, &bench.host, note(2));
    question = bench.host.ask(work, &bench.host, note(3));
    Question dropped = bench.host.ask(work, &bench.host, note(4));
    dropped.drop();
    const Question last = bench.host.ask(work, &bench.host, [&](const std::optional<int>& layers) {
      answered = QThread::currentThread();
      note(5)(layers);
    });
    QVERIFY(question.isOpen() && !dropped.isOpen() && last.isOpen());
    QVERIFY(QTest::qWaitFor([&] { return !last.isOpen(); }, 20000));
    QCOMPARE(answers, std::vector({3, 5}));
    QVERIFY(!question.isOpen() && asked != answered && answered == QThread::currentThread());
  }

  void aQuestionWithoutAResultIsAnsweredToo() {
    Bench bench;
    QSignalSpy failed(&bench.host, &EngineHost::noticed);
    int answers = 0;
    const auto ask = [&] {
      return bench.host.ask(
          [](const AskedMachine& machine) { return machine.engine.nextLogits({}, 1).logits.size(); },
          &bench.host, [&](const std::optional<std::size_t>& size) { answers += size ? 100 : 1; });
    };
    const Question withoutEngine = ask();
    QVERIFY(QTest::qWaitFor([&] { return answers == 1; }, 20000));
    QCOMPARE(failed.count(), 0);
    bench.host.load(builtin(0));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    const Question refused = ask();
    QVERIFY(QTest::qWaitFor([&] { return answers == 2; }, 20000));
    QCOMPARE(failed.count(), 1);
    const Question closed = bench.host.ask([](const AskedMachine&) { return 1; }, &bench.host,
                                           [&](const std::optional<int>& one) { answers += one ? 100 : 1; });
    bench.host.close();
    QVERIFY(QTest::qWaitFor([&] { return answers == 3; }, 20000));
  }

  // At a pace of one step in minutes, neither waits for the next step.
  void pausesAndLoadsEndASlowRunAtOnce() {
    Bench bench;
    bench.host.load(builtin());
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.setStepsPerSecond(0.005);
    bench.host.run();
    QVERIFY(bench.waitForSteps(1));
    bench.host.pause();
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QCOMPARE(bench.steps(), 1);
    bench.host.run();
    QVERIFY(bench.waitForSteps(2));
    bench.host.load(builtin());
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.run();
    QVERIFY(bench.waitFor(MachineMode::kRunning));
    QVERIFY(bench.waitForSteps(1));
  }

  // The window is busy while one machine is closed and the next one begins.
  void aMachineBehindAClosedOneIsHeardFromItsFirstEvent() {
    Bench bench;
    bench.host.load(builtin());
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.run();
    QVERIFY(bench.waitForSteps(1));
    bench.host.close();
    bench.session.clear();
    bench.host.load(builtin(3));
    QThread::msleep(1000);
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QVERIFY(isA<EngineLoaded>(bench.session.recording().event(0)));
    QCOMPARE(int(bench.session.state().requests.size()), 3);
    QCOMPARE(bench.steps(), 0);
  }

  void stagedRequestsStandPausedAtIterationZero() {
    Bench bench;
    bench.host.load(builtin(3));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QTRY_COMPARE(int(bench.session.state().requests.size()), 3);
    QCOMPARE(bench.steps(), 0);
    QCOMPARE(int(bench.session.state().waiting.size()), 3);
  }

  void aFolderThatCannotBeSwappedToIsSaidAndTheModelRuns() {
    Bench bench;
    QSignalSpy failed(&bench.host, &EngineHost::noticed);
    LoadOrder order = builtin();
    order.options.preemption = Preemption::kSwap;
    order.options.diskSwapBytes = std::int64_t{1} << 26;
    order.options.swapFolder = "/dev/null/x";
    bench.host.load(order);
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QTRY_COMPARE(failed.count(), 1);
    const QString said = failed[0][0].value<Notice>().message;
    QVERIFY2(said.contains("/dev/null/x"), qPrintable(said));
    bench.host.run();
    QTRY_VERIFY_WITH_TIMEOUT(bench.allFinished(), 20000);
  }

  void oneStepAPress() {
    Bench bench;
    bench.host.load(builtin());
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    for (int press = 1; press <= 3; ++press) {
      bench.host.step();
      QVERIFY(bench.waitForSteps(press));
      QTest::qWait(30);
      QCOMPARE(bench.steps(), press);
      QCOMPARE(bench.host.mode(), MachineMode::kPaused);
    }
  }

  void runEndsWhenTheWorkEndsAndANewQuestionRunsAgain() {
    Bench bench;
    bench.host.setStepsPerSecond(0);
    bench.host.load(builtin());
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.run();
    QTRY_VERIFY_WITH_TIMEOUT(bench.allFinished(), 20000);
    QTRY_COMPARE(bench.host.mode(), MachineMode::kPaused);
    bench.host.submitChat(question("What is a token?", 5, "later"));
    bench.host.run();
    QTRY_COMPARE_WITH_TIMEOUT(int(bench.session.state().requests.size()), 2, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(bench.allFinished(), 20000);
  }

  void phasesHoldOneByOne() {
    Bench bench;
    bench.host.load(builtin());
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    for (const Phase next :
         {Phase::kPlan, Phase::kAllocate, Phase::kForward, Phase::kSample, Phase::kCommit}) {
      bench.host.stepPhase();
      QTRY_VERIFY_WITH_TIMEOUT(bench.host.mode() == MachineMode::kHeld && bench.host.nextPhase() == next,
                               20000);
      QCOMPARE(bench.steps(), 0);
    }
    bench.host.stepPhase();
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QVERIFY(bench.waitForSteps(1));
  }

  void stepRunAndPauseLeaveAHeldStep() {
    Bench bench;
    bench.host.setStepsPerSecond(0);
    bench.host.load(builtin());
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.stepPhase();
    QTRY_COMPARE(bench.host.nextPhase(), Phase::kPlan);
    bench.host.step();
    QVERIFY(bench.waitForSteps(1));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.stepPhase();
    QTRY_VERIFY(bench.host.mode() == MachineMode::kHeld && bench.host.nextPhase() == Phase::kPlan);
    bench.host.run();
    QTRY_VERIFY_WITH_TIMEOUT(bench.allFinished(), 20000);
  }

  // A thread that did not end would hang here, and CTest's limit would say so.
  void closingWhileHeldOrRunningEnds_data() {
    QTest::addColumn<bool>("held");
    QTest::newRow("held inside a step") << true;
    QTest::newRow("running") << false;
  }
  void closingWhileHeldOrRunningEnds() {
    QFETCH(bool, held);
    Bench bench;
    bench.host.load(builtin(2, 200));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    if (held) {
      bench.host.stepPhase();
      QVERIFY(bench.waitFor(MachineMode::kHeld));
    } else {
      bench.host.run();
      QVERIFY(bench.waitForSteps(1));
    }
  }

  void loadingAgainWhileLoadingOrHeldEndsInTheLastModel() {
    Bench bench;
    QSignalSpy loaded(&bench.host, &EngineHost::loaded);
    bench.host.load(builtin(1));
    bench.host.load(builtin(2));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QTRY_COMPARE(int(bench.session.state().requests.size()), 2);
    bench.host.stepPhase();
    QVERIFY(bench.waitFor(MachineMode::kHeld));
    bench.host.load(builtin(3));
    QTRY_COMPARE_WITH_TIMEOUT(int(bench.session.state().requests.size()), 3, 20000);
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QCOMPARE(bench.steps(), 0);
  }

  // Both orders are posted before the worker has begun the first.
  void ofTwoLoadsOnlyTheNewestIsLoaded() {
    LoadBench bench;
    const LoadTicket a = bench.control.orderLoad(), b = bench.control.orderLoad();
    bench.worker.load(a, builtin(1));
    QVERIFY(bench.endedCancelled());
    QCOMPARE(bench.loaded.count() + bench.enginesLoaded(), 0);
    bench.worker.load(b, builtin(2));
    QCOMPARE(bench.loaded.count(), 1);
    QCOMPARE(bench.loaded.first().at(0).value<LoadTicket>(), b);
    QCOMPARE(bench.enginesLoaded(), 1);
  }

  void anOrderThatComesWhileOneLoadsEndsIt() {
    LoadBench bench;
    const LoadTicket a = bench.control.orderLoad();
    connect(&bench.worker, &EngineWorker::loadProgress, this, [&] { bench.control.orderLoad(); });
    bench.worker.load(a, builtin());
    QVERIFY(bench.endedCancelled());
    QCOMPARE(bench.loaded.count() + bench.enginesLoaded(), 0);
  }

  void aLoadCanBeCancelledBeforeItBeginsAndWhileItLoads_data() {
    QTest::addColumn<bool>("begun");
    QTest::newRow("before it begins") << false;
    QTest::newRow("while it loads") << true;
  }
  void aLoadCanBeCancelledBeforeItBeginsAndWhileItLoads() {
    QFETCH(bool, begun);
    LoadBench bench;
    const LoadTicket ticket = bench.control.orderLoad();
    if (begun)
      connect(&bench.worker, &EngineWorker::loadProgress, this, [&] { bench.control.cancelLoad(); });
    else
      bench.control.cancelLoad();
    bench.worker.load(ticket, builtin());
    QVERIFY(bench.endedCancelled());
    QCOMPARE(bench.loaded.count() + bench.enginesLoaded(), 0);
    QCOMPARE(bench.modes.last().at(0).value<MachineMode>(), MachineMode::kEmpty);
  }

  void whatACancelledOrderFollowsStaysAndTheNextOneLoads() {
    Bench bench;
    QSignalSpy loaded(&bench.host, &EngineHost::loaded);
    const LoadTicket first = bench.host.load(builtin(1));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QTRY_COMPARE(loaded.count(), 1);
    QCOMPARE(loaded.first().at(0).value<LoadTicket>(), first);
    bench.host.load(builtin(2));
    bench.host.cancelLoad();
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QCOMPARE(loaded.count(), 1);
    QCOMPARE(int(bench.session.state().requests.size()), 1);
    const LoadTicket third = bench.host.load(builtin(3));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QTRY_COMPARE(loaded.count(), 2);
    QCOMPARE(loaded.last().at(0).value<LoadTicket>(), third);
  }

  // The engine keeps the newest finished requests and no more; the recording keeps all.
  void finishedRequestsAreForgottenOldestFirst() {
    constexpr int kMore = 5, kAll = int(EngineWorker::kFinishedKept) + kMore;
    Bench bench;
    bench.host.setStepsPerSecond(0);
    bench.host.load(builtin(kAll, 1));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.run();
    std::vector<RequestId> forgotten, expected;
    const auto done = [&] {
      const auto& requests = bench.session.recording().live().requests;
      return bench.allFinished() && requests.size() == EngineWorker::kFinishedKept;
    };
    QTRY_VERIFY_WITH_TIMEOUT(done(), 50000);
    bench.session.recording().forEach([&](const Event& event) {
      if (const auto* finished = bodyOf<RequestFinished>(event)) expected.push_back(finished->request);
      if (const auto* gone = bodyOf<RequestForgotten>(event)) forgotten.push_back(gone->request);
    });
    QCOMPARE(int(expected.size()), kAll);
    expected.resize(kMore);
    QVERIFY(forgotten == expected);
    bench.session.goToStep(1);
    QVERIFY(bench.session.state().requests.contains(expected.front()));
  }

  void aBrokenModelSaysWhyAndTheOldOneStays() {
    Bench bench;
    bench.host.load(builtin());
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QSignalSpy failed(&bench.host, &EngineHost::noticed);
    LoadOrder nowhere;
    nowhere.model = "no/such/folder";
    bench.host.load(nowhere);
    QTRY_COMPARE(failed.count(), 1);
    const Notice notice = failed.first().at(0).value<Notice>();
    QVERIFY(notice.message.contains("no/such/folder") && !notice.hint.isEmpty());
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.step();
    QVERIFY(bench.waitForSteps(1));
  }

  void stoppingAnAnswerFreesItsBlocks() {
    Bench bench;
    bench.host.setStepsPerSecond(0);
    bench.host.load(builtin(1, 400));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.run();
    QVERIFY(bench.waitForSteps(3));
    bench.host.cancel(bench.session.state().requests.begin()->first);
    QTRY_VERIFY_WITH_TIMEOUT(bench.allFinished(), 20000);
    QTRY_COMPARE(bench.session.state().freeQueue.size(), bench.session.state().blocks.size());
  }

  // No call blocks the window. While the engine's thread stands still inside a step, every command returns
  // and the window's thread goes on ticking. Then all commands are carried out.
  void fault12_theWindowsThreadNeverWaits() {
    Bench bench;
    bench.host.setStepsPerSecond(0);
    bench.host.load(builtin(4, 40));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.stepPhase();
    QVERIFY(bench.waitFor(MachineMode::kHeld));

    bench.host.cancel(1);
    bench.host.setSampling(2, SamplingOptions{});
    bench.host.setDetail(Detail{4, {}});
    bench.host.setStepsPerSecond(30);
    bench.host.submitChat(question("What is a token?", 5, "while held"));
    bench.host.setStepsPerSecond(0);
    int ticks = 0;
    QTimer tick;
    connect(&tick, &QTimer::timeout, this, [&] { ++ticks; });
    tick.start(1);
    QTRY_VERIFY_WITH_TIMEOUT(ticks >= 50, 20000);
    QCOMPARE(bench.host.mode(), MachineMode::kHeld);
    QCOMPARE(bench.steps(), 0);

    bench.host.run();
    QTRY_COMPARE_WITH_TIMEOUT(int(bench.session.recording().live().requests.size()), 5, 30000);
    QTRY_VERIFY_WITH_TIMEOUT(bench.allFinished(), 30000);
    QVERIFY(bench.session.recording().live().requests.at(1).cancelled);
  }
};

QTEST_MAIN(TestEngineHost)
#include "tst_engine_host.moc"
