// The pool's promise: every index once, in contiguous parts that depend on the count alone, all of it visible
// to the caller afterwards.
#include "core/thread_pool.h"

#include <QTest>
#include <chrono>
#include <limits>
#include <vector>

#include "vitrine/error.h"

using namespace vitrine;

namespace {

struct Part {
  std::int64_t begin = -1, end = -1;
};

std::vector<Part> partsOf(ThreadPool& pool, std::int64_t count, std::int64_t grain) {
  std::vector<Part> parts(static_cast<std::size_t>(pool.threads()));
  pool.parallelFor(count, grain, [&](std::int64_t begin, std::int64_t end, int part) {
    parts[static_cast<std::size_t>(part)] = {begin, end};
  });
  return parts;
}

}  // namespace

class TestThreadPool : public QObject {
  Q_OBJECT

 private slots:
  void everyIndexRunsOnce_data() {
    QTest::addColumn<int>("threads");
    for (int threads : {1, 2, 3, 7, 16}) QTest::addRow("%d threads", threads) << threads;
  }
  void everyIndexRunsOnce() {
    QFETCH(int, threads);
    ThreadPool pool(threads);
    QCOMPARE(pool.threads(), threads);
    for (std::int64_t count : {0, 1, 2, 3, 6, 7, 8, 15, 16, 17, 100, 1001}) {
      std::vector<int> seen(static_cast<std::size_t>(count), 0);
      pool.parallelFor(count, 1, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
      });
      QCOMPARE(seen, std::vector<int>(static_cast<std::size_t>(count), 1));
    }
  }

  void partsAreContiguousAndEven() {
    ThreadPool pool(3);
    const std::vector<Part> parts = partsOf(pool, 11, 1);
    QCOMPARE(parts[0].begin, std::int64_t{0});
    QCOMPARE(parts[1].begin, parts[0].end);
    QCOMPARE(parts[2].begin, parts[1].end);
    QCOMPARE(parts[2].end, std::int64_t{11});
    for (const Part& part : parts) QVERIFY(part.end - part.begin >= 3 && part.end - part.begin <= 4);
  }

  void aCountNearTheLimitDoesNotOverflow() {
    ThreadPool pool(4);
    const std::int64_t count = std::numeric_limits<std::int64_t>::max();
    const std::vector<Part> parts = partsOf(pool, count, 1);
    QCOMPARE(parts[0].begin, std::int64_t{0});
    QCOMPARE(parts[3].end, count);
  }

  void smallLoopsStayWithTheCaller() {
    ThreadPool pool(4);
    const std::thread::id caller = std::this_thread::get_id();
    int calls = 0;
    pool.parallelFor(99, 50, [&](std::int64_t begin, std::int64_t end, int part) {
      ++calls;
      QCOMPARE(std::this_thread::get_id(), caller);
      QCOMPARE(begin, std::int64_t{0});
      QCOMPARE(end, std::int64_t{99});
      QCOMPARE(part, 0);
    });
    QCOMPARE(calls, 1);
  }

  void whatPartsWriteIsVisibleLoopAfterLoop() {
    ThreadPool pool(4);
    std::vector<std::int64_t> values(64, 0);
    for (int round = 0; round < 5000; ++round)
      pool.parallelFor(64, 1, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i) values[static_cast<std::size_t>(i)] += i;
      });
    for (std::int64_t i = 0; i < 64; ++i) QCOMPARE(values[static_cast<std::size_t>(i)], 5000 * i);
  }

  void sleepersWakeUp() {
    ThreadPool pool(3);
    for (int round = 0; round < 5; ++round) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // far beyond the spinning
      std::atomic<int> ran = 0;
      pool.parallelFor(3, 1, [&](std::int64_t, std::int64_t, int) { ++ran; });
      QCOMPARE(ran.load(), 3);
    }
  }

  void poolsComeAndGo() {
    for (int round = 0; round < 200; ++round) {
      ThreadPool pool(1 + round % 4);
      if (round % 2 == 0) pool.parallelFor(4, 1, [](std::int64_t, std::int64_t, int) {});
    }
  }

  void zeroMeansOneACore() { QVERIFY(ThreadPool(0).threads() >= 1); }

  void absurdNumbersAreRefused() {
    for (int threads : {-1, ThreadPool::kMaxThreads + 1, std::numeric_limits<int>::max()}) {
      try {
        ThreadPool pool(threads);
        QFAIL("accepted");
      } catch (const EngineError& error) {
        QCOMPARE(error.code(), ErrorCode::kInvalidArgument);
        QVERIFY(!error.hint().empty());
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestThreadPool)
#include "tst_thread_pool.moc"
