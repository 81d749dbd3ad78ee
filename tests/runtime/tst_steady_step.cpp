// A steady step (one that only decodes) takes no memory of its own: counted by replacing operator new. What a
// sequence appends (its tokens, each new block's entries) grows now and then, so most steps must take none.
#include "support/allocations.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

namespace {

thread_local long allocations = 0;

bool countAllocation(std::size_t, vitrine::test::NewForm) {
  ++allocations;
  return true;
}

}  // namespace

using namespace vitrine;

namespace {

struct Deaf final : EventSink {
  void publish(const Event&) override {}
};

// The allocations of each of the last `steps` steps, in ascending order.
std::vector<long> allocationsOf(const EngineOptions& options, const SamplingOptions& sampling, int steps,
                                const Detail& detail = {}) {
  Deaf sink;
  const auto engine = tinyModel().engine(options, sink);
  engine->setDetail(detail);
  for (int i = 0; i < 2; ++i) {
    Request request = tinyRequest({TokenId(3 + i), 5, 8, 13}, 80);
    request.sampling = sampling;
    engine->submit(request);
  }
  for (int i = 0; i < 10; ++i) engine->step();
  std::vector<long> counts;
  test::allocationRule = countAllocation;
  for (int i = 0; i < steps && engine->hasWork(); ++i) {
    allocations = 0;
    engine->step();
    const long counted = allocations;
    test::allocationRule = nullptr;
    counts.push_back(counted);
    test::allocationRule = countAllocation;
  }
  test::allocationRule = nullptr;
  std::ranges::sort(counts);
  return counts;
}

}  // namespace

class TestSteadyStep : public QObject {
  Q_OBJECT

 private slots:
  void aDecodeAllocatesNothing_data() {
    QTest::addColumn<double>("temperature");
    QTest::addColumn<double>("penalty");
    QTest::newRow("greedy") << 0.0 << 0.0;
    QTest::newRow("drawn") << 0.8 << 0.0;
    QTest::newRow("with penalties") << 0.8 << 0.5;
  }
  void aDecodeAllocatesNothing() {
    QFETCH(double, temperature);
    QFETCH(double, penalty);
    SamplingOptions sampling;
    sampling.temperature = temperature;
    sampling.topK = 20, sampling.topP = 0.9, sampling.minP = 0.01;
    sampling.presencePenalty = penalty;
    const std::vector<long> counts = allocationsOf(tinyOptions(64, 16), sampling, 40);
    QCOMPARE(static_cast<int>(counts.size()), 40);
    QVERIFY2(counts[30] == 0, qPrintable(QString::number(counts[30])));
  }

  // The event's list is all that it takes to measure a forward.
  void measuringAllocatesItsListAlone() {
    Detail detail;
    detail.operations = true;
    const std::vector<long> counts = allocationsOf(tinyOptions(64, 16), {}, 40, detail);
    QCOMPARE(counts[0], 1l);
    QCOMPARE(counts[30], 1l);
  }
};

QTEST_APPLESS_MAIN(TestSteadyStep)
#include "tst_steady_step.moc"
