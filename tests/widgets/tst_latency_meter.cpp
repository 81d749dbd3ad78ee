// TTFT and ITL as the live plots show them: percentiles against sorted lists, and durations against those
// that the events say when one looks at each token by itself.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "support/word_machine.h"
#include "widgets/plots/latency_meter.h"

using namespace vitrine;
using test::WordMachine;

namespace {

double exact(std::vector<std::int64_t> values, double p) {
  std::ranges::sort(values);
  const auto rank =
      static_cast<std::size_t>(std::max(1.0, std::ceil(p * static_cast<double>(values.size()))));
  return static_cast<double>(values[rank - 1]);
}

void compareAll(const DurationSketch& sketch, const std::vector<std::int64_t>& values) {
  QCOMPARE(sketch.count(), static_cast<std::int64_t>(values.size()));
  for (const double p : {0.0, 0.05, 0.5, 0.9, 0.95, 1.0}) {
    const double told = DurationSketch::nsOf(sketch.percentile(p)), wanted = exact(values, p);
    QVERIFY2(std::abs(told - wanted) <= std::max(1.0, 0.01 * wanted),
             qPrintable(QStringLiteral("p%1: %2, not %3").arg(100 * p).arg(told).arg(wanted)));
  }
}

struct Durations {
  std::vector<std::int64_t> ttft, itl;
};

// The times between tokens, read from the list of all events.
Durations naive(const std::vector<Event>& events) {
  Durations found;
  std::map<SequenceId, RequestId> requestOf;
  for (const Event& event : events) {
    if (const auto* one = bodyOf<RequestSubmitted>(event)) requestOf[one->firstSequence] = one->request;
    if (const auto* one = bodyOf<SequenceForked>(event)) requestOf[one->child] = one->request;
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto* token = bodyOf<TokenSampled>(events[i]);
    if (!token) continue;
    const auto before = [&](auto matches) -> const Event* {
      for (std::size_t k = i; k-- > 0;)
        if (matches(events[k])) return &events[k];
      return nullptr;
    };
    const RequestId request = requestOf.at(token->sequence);
    const Event* last = before([&](const Event& e) {
      const auto* other = bodyOf<TokenSampled>(e);
      return other && other->sequence == token->sequence;
    });
    if (last) found.itl.push_back(events[i].timeNs - last->timeNs);
    const Event* sibling = before([&](const Event& e) {
      const auto* other = bodyOf<TokenSampled>(e);
      return other && requestOf.at(other->sequence) == request;
    });
    if (sibling) continue;
    const Event* submitted = before([&](const Event& e) {
      const auto* other = bodyOf<RequestSubmitted>(e);
      return other && other->request == request;
    });
    found.ttft.push_back(events[i].timeNs - submitted->timeNs);
  }
  return found;
}

}  // namespace

class TestLatencyMeter : public QObject {
  Q_OBJECT
 private slots:
  void percentilesAreWithinOnePercent() {
    std::mt19937 random(7);
    std::lognormal_distribution<double> durations(12, 4);  // from a nanosecond to hours
    DurationSketch sketch;
    QCOMPARE(sketch.percentile(0.5), DurationSketch::Bucket{0});
    QVERIFY(std::isnan(DurationSketch::nsOf(0)));
    std::vector<std::int64_t> values;
    for (int i = 0; i < 5000; ++i) {
      values.push_back(static_cast<std::int64_t>(durations(random)));
      sketch.add(values.back());
      if (i % 613 == 0) compareAll(sketch, values);
      if (QTest::currentTestFailed()) return;
    }
    compareAll(sketch, values);
  }

  void smallAndHugeDurations() {
    DurationSketch sketch;
    std::vector<std::int64_t> values;
    for (const std::int64_t ns : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{1} << 62}) {
      values.push_back(ns);
      sketch.add(ns);
      compareAll(sketch, values);
    }
  }

  void everyTokenCountsOnce() {
    WordMachine machine = test::storyMachine();
    LatencyMeter meter;
    for (const Event& event : machine.all()) meter.add(event);
    const Durations wanted = naive(machine.all());
    QVERIFY(wanted.itl.size() > 20 && wanted.ttft.size() > 2);
    compareAll(meter.ttft(), wanted.ttft);
    compareAll(meter.itl(), wanted.itl);
  }

  // A plot shows a request's TTFT while the request still runs.
  void theFirstTokenIsEnough() {
    WordMachine machine(16, 8);
    machine.submit("one", 12, 40);
    LatencyMeter meter;
    machine.step();
    for (const Event& event : machine.take()) meter.add(event);
    QCOMPARE(meter.ttft().count(), std::int64_t{1});
    QCOMPARE(meter.itl().count(), std::int64_t{0});
    machine.step();
    for (const Event& event : machine.take()) meter.add(event);
    QCOMPARE(meter.ttft().count(), std::int64_t{1});
    QCOMPARE(meter.itl().count(), std::int64_t{1});
  }

  void aLateJoinerKnowsWhoHasATokenAlready() {
    WordMachine machine(16, 8, 64, 1);
    machine.submit("runs", 12, 6);
    machine.submit("waits", 6, 2, 3);
    machine.step();
    machine.take();
    Event joined;
    joined.body = Snapshot{std::make_shared<const MachineState>(machine.state())};
    LatencyMeter meter;
    meter.add(joined);
    machine.run();
    for (const Event& event : machine.take()) meter.add(event);
    QCOMPARE(meter.ttft().count(), std::int64_t{1});
    // Five more tokens of the first, one of which has no token before it that the joiner knows.
    QCOMPARE(meter.itl().count(), std::int64_t{4 + 1});
  }
};

QTEST_APPLESS_MAIN(TestLatencyMeter)
#include "tst_latency_meter.moc"
