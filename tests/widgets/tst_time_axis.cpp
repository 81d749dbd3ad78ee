// The time axis: its numbers are the recording's, however many steps share a pixel; clicks, wheel and keys go
// where they point; breakpoints and bookmarks stand on it.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <random>

#include "support/word_machine.h"
#include "widgets/plots/metrics_model.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/breakpoint_list.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;
using test::WordMachine;

namespace {

WordMachine longRun(int steps) {
  WordMachine machine(400, 16);
  machine.submit("long", 4, steps);
  machine.submit("another", 30, steps / 2, 3);
  machine.run();
  return machine;
}

struct Axis {
  Session session;
  BreakpointList breakpoints{&session};
  Bookmarks bookmarks{&session};
  TimeAxisModel model{&session};
  TimeAxisView view{&model};

  explicit Axis(WordMachine machine) {
    model.setMarks(&breakpoints, &bookmarks);
    QObject::connect(&view, &TimeAxisView::stepRequested, &session, &Session::goToStep);
    QObject::connect(&view, &TimeAxisView::liveRequested, &session, &Session::goLive);
    view.resize(900, view.sizeHint().height());
    view.show();
    session.append(machine.take());
  }
  void click(int step) {
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(qRound(view.xOf(step)), 40));
  }
  void wheel(int x, int notches) {
    const QPointF at(x, 40);
    QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.viewport(), &event);
  }
  QString mark(int step) const { return model.index(step, TimeAxisModel::kMarks).data().toString(); }
};

}  // namespace

class TestTimeAxis : public QObject {
  Q_OBJECT
 private slots:
  void theNumbersAreThoseOfTheMetrics() {
    Session session;
    MetricsModel metrics(&session);
    TimeAxisModel axis(&session);
    session.append(test::storyMachine().take());
    QVERIFY(metrics.rowCount() > 20);
    for (const MetricsRow& row : metrics.rows()) {
      const AxisSteps step = axis.at(row.step);
      QCOMPARE(step.prefillTokens, row.prefillTokens);
      QCOMPARE(step.decodeTokens, row.decodeTokens);
      QCOMPARE(step.usedBlocks, row.usedBlocks);
      QCOMPARE(step.tokensPerSecond, static_cast<float>(row.tokensPerSecond));
      QVERIFY(step.has(StepMark::kPlain));
    }
    QCOMPARE(axis.numBlocks(), metrics.numBlocks());
  }

  // Stretches of 64 steps are added up in advance.
  void manyStepsAsOne() {
    Session session;
    TimeAxisModel axis(&session);
    session.append(longRun(900).take());
    const int last = session.lastStep();
    QVERIFY(last > 800);
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
      int from = static_cast<int>(random() % static_cast<unsigned>(last + 20)) - 10;
      int to = static_cast<int>(random() % static_cast<unsigned>(last + 20)) - 10;
      if (to < from) std::swap(from, to);
      AxisSteps naive;
      for (int step = from; step <= to; ++step) naive.add(axis.at(step));
      const AxisSteps sum = axis.rangeOf(from, to);
      QCOMPARE(sum.tokensPerSecond, naive.tokensPerSecond);
      QCOMPARE(sum.prefillTokens, naive.prefillTokens);
      QCOMPARE(sum.decodeTokens, naive.decodeTokens);
      QCOMPARE(sum.usedBlocks, naive.usedBlocks);
      QCOMPARE(sum.marks, naive.marks);
    }
    QCOMPARE(axis.rangeOf(0, last).strongest(), StepMark::kFinished);
  }

  // A row may change after views have seen it: a step begins in one batch and ends in another.
  void rowsAreToldOf() {
    Session session;
    TimeAxisModel axis(&session);
    QAbstractItemModelTester tester(&axis, QAbstractItemModelTester::FailureReportingMode::Fatal);
    WordMachine machine = test::storyMachine();
    QSignalSpy changed(&axis, &QAbstractItemModel::dataChanged);
    for (const Event& event : machine.all()) session.append({event});
    QCOMPARE(axis.rowCount(), session.lastStep() + 1);
    QVERIFY(changed.count() > 20);
    const QModelIndex arrived = axis.index(0, TimeAxisModel::kEvents);
    QCOMPARE(arrived.data().toString(), QString("a request arrived"));
  }

  void theWheelZoomsWhereItPoints() {
    Axis axis(longRun(2000));
    TimeAxisView& view = axis.view;
    const double fit = view.pitch();
    QVERIFY(fit < 1);
    const int x = qRound(view.xOf(1000)), under = view.stepAt(x);
    axis.wheel(x, 8);
    QVERIFY(view.pitch() > 4 * fit);
    QVERIFY(std::abs(view.stepAt(x) - under) <= 1);
    axis.click(under + 20);
    QCOMPARE(axis.session.step(), under + 20);
    axis.wheel(x, 100);
    QVERIFY(view.pitch() <= 18.01);
    axis.wheel(x, -200);
    QCOMPARE(view.pitch(), fit);
    QVERIFY(view.xOf(axis.session.lastStep()) <= view.width());
  }

  void aZoomedAxisFollowsTheCursor() {
    Axis axis(longRun(2000));
    axis.session.goToStep(500);
    axis.wheel(qRound(axis.view.xOf(500)), 12);
    for (const int step : {1900, 3, 700}) {
      axis.session.goToStep(step);
      const double x = axis.view.xOf(step);
      QVERIFY2(x > 0 && x < axis.view.width(), QByteArray::number(x));
      QCOMPARE(axis.view.stepAt(x), step);
    }
    axis.session.goLive();
    QVERIFY(axis.view.xOf(axis.session.lastStep()) <= axis.view.width());
  }

  void homeAndEndAreTheEnds() {
    Axis axis(test::storyMachine());
    QTest::keyClick(&axis.view, Qt::Key_Home);
    QCOMPARE(axis.session.step(), 0);
    QTest::keyClick(&axis.view, Qt::Key_End);
    QVERIFY(axis.session.isLive());
  }

  void theTipSaysWhatHappened() {
    Axis axis(test::storyMachine());
    axis.model.addStop("Stopped at step 5: B was preempted.", 5);
    QHelpEvent help(QEvent::ToolTip, QPoint(qRound(axis.view.xOf(5)), 40), QPoint());
    QApplication::sendEvent(axis.view.viewport(), &help);
    QTRY_VERIFY(QToolTip::text().contains("B was preempted"));
    QVERIFY(QToolTip::text().startsWith("Step 5\n"));
    const AxisSteps what = axis.model.at(5);
    QVERIFY(QToolTip::text().contains(QStringLiteral("%1 blocks in use").arg(what.usedBlocks)));
    QToolTip::hideText();
  }

  void theBlocksFoldAwayInALowWindow() {
    Session session;
    TimeAxisModel model(&session);
    QWidget window;
    auto* view = new TimeAxisView(&model, &window);
    window.resize(900, 1100);
    window.show();
    QVERIFY(view->showsBlocks());
    const int roomy = view->sizeHint().height();
    QVERIFY(roomy <= 3 * view->fontMetrics().height());
    window.resize(900, 10 * view->fontMetrics().height());
    QVERIFY(!view->showsBlocks());
    QVERIFY(view->sizeHint().height() < roomy);
    QVERIFY(!view->grab().isNull());
  }

  void breakpointsAndBookmarksStandOnIt() {
    Axis axis(test::storyMachine());
    const QImage before = axis.view.grab().toImage();
    axis.breakpoints.toggleStep(7);
    axis.bookmarks.toggle(7);
    axis.bookmarks.toggle(9);
    QCOMPARE(axis.mark(7), QString("breakpoint, bookmark"));
    QCOMPARE(axis.mark(9), QString("bookmark"));
    QVERIFY(axis.view.grab().toImage() != before);
    axis.breakpoints.toggleStep(7);
    axis.bookmarks.toggle(7);
    axis.bookmarks.toggle(9);
    QVERIFY(axis.mark(7).isEmpty());
    QVERIFY(axis.view.grab().toImage() == before);
    axis.breakpoints.setOnce(breakpointFromText("preemption"));
    QVERIFY(axis.view.grab().toImage() != before);
    axis.breakpoints.setOnce(std::nullopt);
    QVERIFY(axis.view.grab().toImage() == before);
    axis.model.addStop("Stopped at step 5: B was preempted.", 5);
    QVERIFY(axis.view.grab().toImage() != before);
  }

  void aNewRunHasNoBookmarks() {
    Axis axis(test::storyMachine());
    axis.bookmarks.toggle(3);
    axis.model.addStop("why", 3);
    WordMachine again = test::storyMachine();
    axis.session.append(again.take());
    QVERIFY(axis.bookmarks.steps().empty());
    QVERIFY(axis.model.stopAt(3).isEmpty());
  }

  void aHiddenAxisPaintsNothing() {
    Axis axis(test::storyMachine());
    axis.view.hide();
    const int paints = axis.view.paintCount();
    for (int step = 0; step < 10; ++step) axis.session.goToStep(step);
    axis.bookmarks.toggle(3);
    QTest::qWait(20);
    QCOMPARE(axis.view.paintCount(), paints);
  }

  void theListOfBreakpoints() {
    Session session;
    BreakpointList list(&session);
    QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QSignalSpy changed(&list, &BreakpointList::changed);
    QVERIFY(list.add(breakpointFromText("preemption")));
    QVERIFY(!list.add(breakpointFromText("preemption")));
    QVERIFY(list.add(breakpointFromText("token=\" the\"@Ada")));
    list.toggleStep(46);
    QCOMPARE(changed.count(), 3);
    QCOMPARE(list.index(1, 0).data().toString(), QString("“␣the” of Ada"));
    QVERIFY(list.setData(list.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(!list.all().front().enabled);
    const QStringList texts{"-preemption", "token=\" the\"@Ada", "step=46"};
    QCOMPARE(list.toTexts(), texts);

    BreakpointList other(&session);
    other.restore(texts + QStringList{"nonsense", "-step=x"});
    QCOMPARE(other.toTexts(), texts);
    QVERIFY(other.all() == list.all());
    list.setOnce(breakpointFromText("swap"));
    QCOMPARE(int(list.all().size()), 4);
    QVERIFY(list.all().back().once);
    QCOMPARE(list.rowCount(), 3);
    QCOMPARE(list.toTexts(), texts);
    list.setOnce(std::nullopt);
    list.toggleStep(46);
    list.remove(0);
    list.remove(9);
    QCOMPARE(list.toTexts(), QStringList{"token=\" the\"@Ada"});
    for (int step = 1; step < 2 * BreakpointList::kMost; ++step) list.toggleStep(step);
    QCOMPARE(list.rowCount(), int(BreakpointList::kMost));
  }
};

QTEST_MAIN(TestTimeAxis)
#include "tst_time_axis.moc"
