// Engine time: monotonic, still while the clock is stopped, and the same whatever the source reads meanwhile.
#include <QTest>

#include "core/engine_clock.h"

using namespace vitrine;

class TestEngineClock : public QObject {
  Q_OBJECT

 private slots:
  void itBeginsAtZeroAndFollowsItsSource() {
    EngineClock clock([this] { return m_reading; });
    QCOMPARE(clock.nowNs(), 0);
    m_reading += 5;
    QCOMPARE(clock.nowNs(), 5);
  }

  void itStandsStillWhileItIsStopped() {
    EngineClock clock([this] { return m_reading; });
    m_reading += 5;
    QVERIFY(clock.setRunning(false));
    m_reading += 1000;
    QCOMPARE(clock.nowNs(), 5);
    QVERIFY(!clock.setRunning(false));  // once more changes nothing
    m_reading += 1000;
    QCOMPARE(clock.nowNs(), 5);
    QVERIFY(!clock.setRunning(true));
    QCOMPARE(clock.nowNs(), 5);
    m_reading += 2;
    QCOMPARE(clock.nowNs(), 7);
    QVERIFY(clock.setRunning(true));
    QCOMPARE(clock.nowNs(), 7);
  }

  void scopesRestoreWhatWasBefore() {
    EngineClock clock([this] { return m_reading; });
    clock.setRunning(false);
    {
      const ClockScope step(clock, true);
      m_reading += 3;
      {
        const ClockScope gate(clock, false);
        m_reading += 1000;
        QCOMPARE(clock.nowNs(), 3);
      }
      QVERIFY(clock.isRunning());
      m_reading += 4;
    }
    m_reading += 1000;
    QVERIFY(!clock.isRunning());
    QCOMPARE(clock.nowNs(), 7);
  }

  void timeCanPassAtOnce() {
    EngineClock clock([this] { return m_reading; });
    clock.pass(10);
    QCOMPARE(clock.nowNs(), 10);
    clock.setRunning(false);
    clock.pass(20);
    QCOMPARE(clock.nowNs(), 30);
    m_reading += 1000;
    clock.setRunning(true);
    QCOMPARE(clock.nowNs(), 30);
  }

  void theSystemsClockNeverRunsBackwards() {
    EngineClock clock;
    std::int64_t before = clock.nowNs();
    for (int i = 0; i < 1000; ++i) {
      clock.setRunning(i % 3 != 0);
      const std::int64_t now = clock.nowNs();
      QVERIFY(now >= before);
      before = now;
    }
  }

 private:
  std::int64_t m_reading = 1'000'000;
};

QTEST_APPLESS_MAIN(TestEngineClock)
#include "tst_engine_clock.moc"
