// A lecture: the real window over the real engine, the built-in model at full speed, and requests without
// end, several at once, with every panel of the Step perspective in sight. Resident memory must stay as it
// is, and every step must still be there to go back to.
//
// In CI it lasts some seconds and asserts what a step costs, what comes back, and that the engine forgets.
// VITRINE_LECTURE_SECONDS=600 makes it ten minutes (with QTEST_FUNCTION_TIMEOUT in ms, since Qt Test gives it
// five), prints a line each minute, and asserts the memory.
#include "gui/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTest>
#include <random>

#include "gui/parts/process_figures.h"
#include "support/window_bench.h"
#include "vitrine/trace.h"
#include "widgets/explain/event_log_model.h"
#include "widgets/explain/event_log_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/requests/lanes_view.h"

using namespace vitrine;

namespace {

constexpr int kAtOnce = 4;
constexpr double kMiB = 1 << 20;
constexpr double kMostGrowthMiB = 100e6 / kMiB;

// 0 under AddressSanitizer too: it keeps freed memory.
double measuredMiB() {
#ifdef __SANITIZE_ADDRESS__
  return 0;
#else
  return residentMiB();
#endif
}

std::string textOf(EventBatch events) {
  std::string text;
  for (const Event& event : events) text += eventToJson(event) + "\n";
  return text;
}

// What a class asks. Each finished request is followed by the next, so that there are always kAtOnce, until
// the lecture ends: a question runs the machine again.
class Audience {
 public:
  Audience(MainWindow& window, int tokens) : m_window(window), m_tokens(tokens) {
    QObject::connect(&window.session(), &Session::requestFinished, &window, [this] {
      ++finished;
      if (!m_ended) ask();
    });
  }
  void ask() {
    static const QStringList kQuestions = {"Tell me a story about a fox and a lighthouse.",
                                           "What is a KV cache, and why does an engine keep one?",
                                           "Why does the scheduler preempt a request?",
                                           "Hello! Who are you?"};
    ChatOrder order;
    order.dialogue.messages = {{ChatRole::kUser, kQuestions[m_asked % kQuestions.size()].toStdString() +
                                                     " (" + std::to_string(m_asked) + ")"}};
    order.request.name = "q" + std::to_string(++m_asked);
    order.request.maxTokens = m_tokens * (1 + m_asked % 5);
    order.request.sampling.temperature = 0.8;
    order.request.sampling.seed = static_cast<std::uint64_t>(m_asked);
    order.request.ignoreEos = true;
    m_window.host().submitChat(std::move(order));
    m_window.host().run();
  }

  void end() {
    m_ended = true;
    m_window.host().pause();
  }

  int finished = 0;

 private:
  MainWindow& m_window;
  const int m_tokens;  // of the shortest answer; the longest has five times as many
  int m_asked = 0;
  bool m_ended = false;
};

std::size_t digestOf(const MachineState& state) {
  Event event;
  event.body = Snapshot{std::make_shared<const MachineState>(state)};
  return std::hash<std::string>()(eventToJson(event));
}

// What the plain stream of events says of some steps, taken down while the run goes on: as digests, since the
// witness lives in the process that is measured.
struct Witness {
  struct Step {
    std::size_t state, events;
  };
  std::map<int, Step> steps;
  std::int64_t forgotten = 0;
  std::size_t mostKept = 0;

  void hear(EventBatch batch) {
    for (const Event& event : batch) {
      m_state.apply(event);
      m_own.push_back(event);
      forgotten += isA<RequestForgotten>(event) ? 1 : 0;
      if (!isA<StepFinished>(event)) continue;
      mostKept = std::max(mostKept, m_state.requests.size());
      if (event.step == 1 || m_random() % (20 + static_cast<unsigned>(event.step) / 8) == 0)
        steps[event.step] = {digestOf(m_state), std::hash<std::string>()(textOf(m_own))};
      m_own.clear();
    }
  }

 private:
  MachineState m_state;
  std::vector<Event> m_own;
  std::mt19937 m_random{1};
};

}  // namespace

class TestLecture : public QObject {
  Q_OBJECT

 private:
  test::WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }

  void aLectureFits() {
    const int seconds = std::max(qEnvironmentVariableIntValue("VITRINE_LECTURE_SECONDS"), 8);
    const bool whole = seconds > 60;
    test::ShownWindow shown;
    MainWindow& window = shown.window;
    QVERIFY(shown.openModel());
    QTRY_COMPARE_WITH_TIMEOUT(window.session().lastStep(), 0, 5000);
    Witness witness;
    window.session().recording().forEach([&](const Event& event) { witness.hear({&event, 1}); });
    connect(&window.session(), &Session::appended, this, [&](EventBatch events) { witness.hear(events); });
    window.host().setStepsPerSecond(0);
    Audience audience(window, whole ? 40 : 6);
    for (int i = 0; i < kAtOnce; ++i) audience.ask();
    const Recording& recording = window.session().recording();
    QTRY_VERIFY_WITH_TIMEOUT(recording.lastFinishedStep() > 300 && audience.finished > 4, 50000);

    const double before = measuredMiB();
    double most = before;
    const auto report = [&](int minute) {
      QElapsedTimer clock;
      clock.start();
      const MachineState first = recording.stateAt(1);
      const double ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
      QCOMPARE(digestOf(first), witness.steps.at(1).state);
      const Recording::Size size = recording.bytes();
      most = std::max(most, measuredMiB());
      qInfo(
          "%3d min | %7.1f MiB resident | %8d steps | %9lld events | %7.1f MiB in memory | %8.1f MiB on file "
          "| "
          "step 1 after %5.1f ms",
          minute, measuredMiB(), recording.lastFinishedStep(), static_cast<long long>(recording.size()),
          static_cast<double>(size.memoryBytes + size.openEvents * static_cast<std::int64_t>(sizeof(Event))) /
              kMiB,
          static_cast<double>(size.fileBytes) / kMiB, ms);
    };
    QElapsedTimer clock;
    clock.start();
    report(0);
    for (int minute = 1; clock.elapsed() < seconds * 1000LL; ++minute) {
      QTest::qWait(static_cast<int>(std::min<qint64>(60000, seconds * 1000LL - clock.elapsed())));
      if (whole) report(minute);
    }
    QTRY_VERIFY_WITH_TIMEOUT(witness.forgotten > 2 || whole, 40000);
    audience.end();
    QTRY_COMPARE_WITH_TIMEOUT(window.host().mode(), MachineMode::kPaused, 120000);
    if (QTest::currentTestFailed()) return;
    if (whole && before > 0)
      QVERIFY2(most - before < kMostGrowthMiB, qPrintable(QString("grown by %1 MiB").arg(most - before)));

    QVERIFY(witness.forgotten > 0);
    QVERIFY2(witness.mostKept <= EngineWorker::kFinishedKept + 2 * kAtOnce + 4,
             qPrintable(QString::number(witness.mostKept)));
    QVERIFY(witness.steps.size() > 10);
    for (const auto& [step, seen] : witness.steps) {
      window.session().goToStep(step);
      QCOMPARE(window.session().step(), step);
      QVERIFY2(digestOf(window.session().state()) == seen.state, qPrintable(QString::number(step)));
      QVERIFY2(std::hash<std::string>()(textOf(recording.eventsOf(step))) == seen.events,
               qPrintable(QString::number(step)));
    }
    // What lies as it came is one chunk; the rest is away, at so many bytes a step.
    const Recording::Size size = recording.bytes();
    QVERIFY2(recording.complaint().empty(), recording.complaint().c_str());
    QCOMPARE(size.memoryBytes, std::int64_t{0});
    QVERIFY(size.openEvents <= 64 * 64 * kAtOnce);
    const double perStep = static_cast<double>(size.fileBytes) / recording.lastFinishedStep();
    qInfo("%.0f bytes a step on file", perStep);
    QVERIFY2(perStep < 6000, qPrintable(QString::number(perStep)));
  }
};

QTEST_MAIN(TestLecture)
#include "tst_lecture.moc"
