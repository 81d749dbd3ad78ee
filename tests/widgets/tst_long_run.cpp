// A run of many thousand steps: what models and views keep and draw of it is bounded, what they show is not.
#include <QTest>
#include <QToolButton>

#include "widgets/explain/event_log_model.h"
#include "widgets/explain/event_log_view.h"
#include "widgets/plots/metrics_model.h"
#include "widgets/plots/plot_view.h"
#include "widgets/requests/lane_model.h"
#include "widgets/requests/request_list_model.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;

namespace {

constexpr int kEventsAStep = 4;
constexpr int kAlike = 1000;  // steps between two reasons to wait

// A request that waits, with a new reason every kAlike steps.
class LongRun {
 public:
  LongRun() {
    EngineLoaded loaded;
    loaded.options.blockSize = 16;
    loaded.options.numBlocks = 8;
    say(loaded);
    RequestSubmitted submitted{};
    submitted.request = 1;
    submitted.asked.name = "patience";
    submitted.asked.tokenIds = {1, 2, 3};
    submitted.firstSequence = 1;
    submitted.asked.sequences = 1;
    say(submitted);
  }
  void steps(int count) {
    for (; count > 0; --count) {
      ++m_event.step;
      say(StepStarted{1, 0});
      say(StepPlanned{0, 0, 64, m_event.step % 7});
      if (m_event.step % kAlike == 1)
        say(SequenceWaiting{1, WaitReason::kBlocks, m_event.step, 0});
      else
        say(EventsDropped{1});
      say(StepFinished{{1, 1, 1, 1, 1, 1}, 0, 0, 1, 0, 8 - m_event.step % 5, 0});
    }
  }
  std::vector<Event> take() { return std::exchange(m_events, {}); }

 private:
  void say(EventBody body) {
    m_event.body = std::move(body);
    m_events.push_back(m_event);
    ++m_event.number;
  }

  Event m_event;
  std::vector<Event> m_events;
};

constexpr int kSteps = 16'000;
static_assert(kSteps * kEventsAStep > EventLogModel::kMostRows * 5 / 4);

}  // namespace

class TestLongRun : public QObject {
  Q_OBJECT

 private slots:
  // What is kept of each sequence in each step, and of each step.
  void rowsAreSmall() {
    QVERIFY(sizeof(LaneCell) <= 8);
    QVERIFY(sizeof(MetricsRow) <= 64);
    QVERIFY(sizeof(StepMark) == 1);
    QVERIFY(sizeof(Event) <= 128);
  }

  void theLogListsTheNewestEventsAndReachesBack() {
    LongRun run;
    Session session;
    EventLogModel model(&session);
    EventLogView view(&model);
    view.resize(600, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const auto numberAt = [&](int row) { return model.at(row).number; };
    const auto all = [&] { return session.recording().size(); };
    while (session.lastStep() < kSteps) {
      run.steps(900);
      session.append(run.take());
      QVERIFY(model.rowCount() <= EventLogModel::kMostRows * 5 / 4);
      QCOMPARE(numberAt(model.rowCount() - 1), all() - 1);
    }
    QVERIFY(model.rowCount() >= EventLogModel::kMostRows);
    QVERIFY(numberAt(0) > 0 && model.hasEarlier());
    QTRY_VERIFY(view.earlier()->isVisible());
    view.earlier()->click();
    QCOMPARE(std::int64_t{model.rowCount()}, all());
    QCOMPARE(numberAt(0), std::int64_t{0});
    QVERIFY(!view.earlier()->isVisible());

    session.goToStep(kSteps / 2);
    QCOMPARE(model.at(model.rowCount() - 1).step, kSteps / 2);
    session.goToStep(3);
    QCOMPARE(model.rowCount(), 2 + 3 * kEventsAStep);
    session.goLive();
    QCOMPARE(numberAt(model.rowCount() - 1), all() - 1);

    model.setKinds(1u << static_cast<unsigned>(EventKind::kRequest));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(numberAt(0), std::int64_t{1});
  }

  // Words are sought in the whole past, while the window goes on.
  void wordsAreFoundAtTheVeryBeginning() {
    LongRun run;
    run.steps(kSteps);
    Session session;
    session.append(run.take());
    EventLogModel model(&session);
    const QString name = eventTitle(session.recording().event(1));
    model.setSearch(name.toUpper());
    QVERIFY(model.isSearching());
    QCOMPARE(model.rowCount(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(!model.isSearching(), 40000);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.at(0).number, std::int64_t{1});
    model.setSearch({});
    QVERIFY(model.rowCount() >= EventLogModel::kMostRows);
  }

  // Why a request waits was said long before, perhaps in another chunk of the recording.
  void whyARequestWaitsIsKnownAtEveryStep() {
    LongRun run;
    Session session;
    RequestListModel model(&session);
    run.steps(3 * kAlike);
    session.append(run.take());
    const auto saysFrom = [&](int told) { return model.at(0).status.contains(QString::number(told)); };
    QVERIFY2(saysFrom(2 * kAlike + 1), qPrintable(model.at(0).status));
    session.goToStep(2 * kAlike - 1);
    QVERIFY2(saysFrom(kAlike + 1), qPrintable(model.at(0).status));
    session.goToStep(0);
    QVERIFY(!model.at(0).status.contains(u'1'));
  }

  // A hidden model hears everything and shows it when it is seen.
  void hiddenModelsMissNothing() {
    LongRun run;
    Session session;
    MetricsModel metrics(&session);
    LaneModel lanes(&session);
    TimeAxisModel model(&session);
    TimeAxisView timeline(&model);
    QObject view;
    metrics.setWatched(&view, false);
    lanes.setWatched(&view, false);
    run.steps(300);
    session.append(run.take());
    QCOMPARE(metrics.rowCount() + lanes.columnCount(), 0);
    metrics.setWatched(&view, true);
    lanes.setWatched(&view, true);
    QCOMPARE(metrics.rowCount(), 300);
    QCOMPARE(metrics.rows()[200].sequences, 201 % 7);
    QCOMPARE(lanes.columnCount(), 300);
    QCOMPARE(lanes.cell(0, 250).kind, LaneKind::kWaiting);
    QCOMPARE(timeline.markOf(0), StepMark::kArrived);
    QCOMPARE(timeline.markOf(299), StepMark::kPlain);
  }

  void aPlotDrawsNoMoreThanAScreenShows() {
    LongRun run;
    Session session;
    MetricsModel model(&session);
    PlotView plot(&model);
    plot.resize(900, 200);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    for (int i = 0; i < 10; ++i) {
      run.steps(1000);
      session.append(run.take());
      QVERIFY2(plot.drawn() <= 1024, qPrintable(QString::number(plot.drawn())));
      QVERIFY(plot.drawn() > 250);
    }
    QCOMPARE(model.rowCount(), 10'000);
    QVERIFY(plot.points() > 9'900);
  }
};

QTEST_MAIN(TestLongRun)
#include "tst_long_run.moc"
