// Engine time in the engine: a host that holds the machine for an hour, at each gate and between all steps,
// changes no event, down to its time: no admission, no missed deadline, no aging, no statistics.
#include "support/event_log.h"
#include "support/tiny_engine.h"
#include "vitrine/statistics.h"
#include "vitrine/trace.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <map>

using namespace vitrine;

namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kHourNs = 3'600'000 * kMs;

// Each reading of the source is a little later than the one before, so that steps take engine time.
struct Held {
  Held(const EngineOptions& options, bool holds) : m_holds(holds) {
    EngineParts parts = tinyModel().parts();
    parts.clock = [this] { return m_now += kMs / 100; };
    engine = assembleEngine(std::move(parts), options, log);
    engine->stopClock();
    engine->setGate([this](Phase) { hold(); });
  }
  void step() {
    hold();
    engine->step();
    hold();
  }
  // Requests by the step after which they arrive.
  void play(std::multimap<int, Request> arrivals) {
    for (int step = 0; !arrivals.empty() || engine->hasWork(); ++step) {
      for (; !arrivals.empty() && arrivals.begin()->first <= step; arrivals.erase(arrivals.begin()))
        engine->submit(arrivals.begin()->second);
      this->step();
      if (engine->hasWork() && arrivals.empty()) engine->passTime(engine->idleNs());
    }
  }
  // All events after EngineLoaded, which says how long the load took.
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (Event event : log.events) {
      event.run = 0;
      if (!isA<EngineLoaded>(event)) lines.push_back(eventToJson(event));
    }
    return lines;
  }
  Statistics statistics() const {
    Statistics statistics;
    for (const Event& event : log.events) statistics.add(event);
    return statistics;
  }

  EventLog log;
  std::unique_ptr<Engine> engine;

 private:
  void hold() { m_now += m_holds ? kHourNs : 0; }

  const bool m_holds;
  std::int64_t m_now = 0;
};

Request due(double deadlineMs, int maxTokens) {
  Request request = tinyRequest({10, 11, 12}, maxTokens);
  request.deadlineMs = deadlineMs;
  return request;
}

EngineOptions window(double ms) {
  EngineOptions options = tinyOptions();
  options.batching = Batching::kWindow;
  options.windowMs = ms;
  options.maxSequences = 3;
  return options;
}

EngineOptions deadlines(int agingSteps) {
  EngineOptions options = tinyOptions();
  options.policy = Policy::kDeadline;
  options.agingSteps = agingSteps;
  options.maxSequences = 1;
  return options;
}

}  // namespace

class TestEngineTime : public QObject {
  Q_OBJECT

 private slots:
  void aBatchWaitsForCompanyHoweverLongTheHostHolds() {
    const std::multimap<int, Request> arrivals = {{0, tinyRequest({10, 11, 12}, 4)},
                                                  {2, tinyRequest({20, 21}, 4)},
                                                  {4, tinyRequest({30}, 4)},
                                                  {6, tinyRequest({40}, 2)}};
    Held quick(window(2000), false), held(window(2000), true);
    quick.play(arrivals);
    held.play(arrivals);
    QCOMPARE(held.lines(), quick.lines());
    // The third fills the batch; the fourth waits for its end.
    std::map<SequenceId, int> admittedIn;
    for (const Event& event : held.log.events)
      if (const auto* admitted = bodyOf<SequenceAdmitted>(event))
        admittedIn.emplace(admitted->sequence, event.step);
    QCOMPARE(admittedIn.size(), std::size_t{4});
    QVERIFY(admittedIn[1] == 5 && admittedIn[2] == 5 && admittedIn[3] == 5 && admittedIn[4] > 5);
  }

  void aReaderMakesNoRequestMissItsDeadlineNorAge() {
    const std::multimap<int, Request> arrivals = {
        {0, due(60'000, 12)}, {0, due(0, 4)}, {1, due(30'000, 4)}, {3, due(0.001, 4)}, {5, due(90'000, 4)}};
    Held quick(deadlines(6), false), held(deadlines(6), true);
    quick.play(arrivals);
    held.play(arrivals);
    QCOMPARE(held.lines(), quick.lines());
    QCOMPARE(held.statistics().totals().missedDeadlines, 1);  // the one with a microsecond
    QVERIFY(held.statistics().totals().aged > 0);
    QVERIFY(held.log.of<SequencePreempted>().size() > 0);
  }

  void timesAndStatisticsAreWithoutTheReading() {
    Held held(tinyOptions(), true);
    held.play({{0, tinyRequest({10, 11, 12}, 8)}, {3, tinyRequest({20}, 8)}});
    const Statistics statistics = held.statistics();
    for (const Durations* durations :
         {&statistics.queue(), &statistics.ttft(), &statistics.itl(), &statistics.endToEnd()})
      QVERIFY(durations->largestNs() > 0 && durations->largestNs() < kHourNs);
    const RequestResult result = held.engine->takeResult(1);
    QVERIFY(result.totalNs > 0 && result.totalNs < kHourNs);
  }

  void aStoppedClockLeavesAWindowByPassedTimeAlone() {
    Held held(window(8), true);
    held.engine->submit(tinyRequest({10, 11, 12}, 4));
    QCOMPARE(held.engine->idleNs(), 8 * kMs);
    held.step();
    const std::int64_t left = held.engine->idleNs();
    QVERIFY(left > 7 * kMs && left < 8 * kMs);  // the step itself took some
    QVERIFY(held.log.of<TokenSampled>().empty());
    held.engine->passTime(left - 1);
    QCOMPARE(held.engine->idleNs(), 1);
    held.engine->passTime(1);
    held.step();
    QCOMPARE(held.log.of<TokenSampled>().size(), std::size_t{1});
  }

  void aRunningClockCountsTheTimeBetweenSteps() {
    Held held(window(8), true);
    held.engine->submit(tinyRequest({10, 11, 12}, 4));
    held.engine->startClock();
    held.step();
    QCOMPARE(held.engine->idleNs(), 0);
    QCOMPARE(held.log.of<TokenSampled>().size(), std::size_t{1});
  }

  // The engine goes on, and its clock as well.
  void aGateThatThrowsLeavesTheClockAsItWas() {
    Held held(tinyOptions(), false);
    held.engine->submit(tinyRequest({10, 11, 12}, 4));
    held.engine->setGate([](Phase next) {
      if (next == Phase::kForward) throw EngineError(ErrorCode::kCancelled, "no more");
    });
    held.engine->step();
    QCOMPARE(held.log.of<EngineFailed>().size(), std::size_t{1});
    const std::int64_t failedNs = held.log.events.back().timeNs;
    held.engine->submit(tinyRequest({20}, 2));
    const std::int64_t nextNs = held.log.events.back().timeNs;
    held.engine->submit(tinyRequest({21}, 2));
    QCOMPARE(held.log.events.back().timeNs, nextNs);  // stopped again
    QVERIFY(nextNs >= failedNs);
    held.engine->setGate({});
    held.engine->step();
    QVERIFY(held.log.events.back().timeNs > nextNs);
  }
};

QTEST_APPLESS_MAIN(TestEngineTime)
#include "tst_engine_time.moc"
