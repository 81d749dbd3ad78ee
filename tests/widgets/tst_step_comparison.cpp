// Two steps compared: the rows are those of the two states whatever the cursor does, the axis chooses the
// other step by mouse and keys, and a row lights and selects what it is about.
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <random>

#include "support/word_machine.h"
#include "vitrine/prose/difference_words.h"
#include "widgets/explain/step_comparison_model.h"
#include "widgets/explain/step_comparison_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/support/animation_clock.h"
#include "widgets/support/table_export.h"
#include "widgets/support/translations.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;
using test::WordMachine;

namespace {

WordMachine crowd() {
  WordMachine machine(10, 8, 24, 2);
  for (int i = 0; i < 6; ++i) machine.submit("crowd", 12 + 7 * i, 6 + i, i % 3);
  machine.run();
  return machine;
}

// The state after a step, by replaying the events from the beginning.
MachineState stateAfter(const std::vector<Event>& events, int step) {
  MachineState state;
  for (const Event& event : events) {
    if (isA<StepStarted>(event) && event.step > step) break;
    state.apply(event);
  }
  return state;
}

struct Bench {
  Bench() {
    session.append(machine.all());
    axis.resize(900, 120);
  }
  WordMachine machine = crowd();
  Session session;
  StepComparisonModel model{&session};
  StepComparisonView view{&model};
  TimeAxisModel axisModel{&session};
  TimeAxisView axis{&axisModel};
};

}  // namespace

class TestStepComparison : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    AnimationClock::setReducedMotion(true);
    installTranslations(*QCoreApplication::instance(), QLocale::c());
  }

  void rowsAreThoseOfTheTwoStates() {
    const WordMachine machine = crowd();
    Session session;
    session.append(machine.all());
    StepComparisonModel model(&session);
    std::mt19937 random(3);
    const int last = session.lastStep();
    QCOMPARE(model.rowCount(), 0);
    for (int i = 0; i < 40; ++i) {
      const int other = static_cast<int>(random() % static_cast<unsigned>(last + 1));
      const int shown = static_cast<int>(random() % static_cast<unsigned>(last + 1));
      if (i % 2 == 0) session.goToStep(shown);
      model.compareWith(other);
      if (i % 2 == 1) session.goToStep(shown);
      const int from = std::min(other, session.step()), to = std::max(other, session.step());
      const MachineState before = stateAfter(machine.all(), from);
      const MachineState after = stateAfter(machine.all(), to);
      const StateDifference difference = differenceBetween(before, after);
      const auto rows = prose::differenceRows(difference, before, after);
      QCOMPARE(model.rowCount(), static_cast<int>(rows.size()));
      for (int row = 0; row < model.rowCount(); ++row) {
        QVERIFY(model.at(row).target == rows[static_cast<std::size_t>(row)].target);
        QCOMPARE(model.at(row).what, QString::fromStdString(rows[static_cast<std::size_t>(row)].what));
        QVERIFY(model.at(row).subject != "?");
      }
      if (from < to) QVERIFY(model.title().startsWith(QString("Step %1 → step %2: ").arg(from).arg(to)));
    }
  }

  // A text without room for all of it loses its common beginning, and never the difference.
  void theDifferenceStaysInSight() {
    const QFontMetrics metrics{QFont()};
    const QString same = QString("Once upon a time there was ").repeated(4);
    const QString before = same + "a boat", after = same + "a boat that sailed far away over the sea";
    const auto shown = [&](const QString& text, const QString& other, int room) {
      return metrics.elidedText(textWithDifference(text, other, metrics, room), Qt::ElideRight, room);
    };
    const int narrow = metrics.horizontalAdvance(QString(24, 'm')), wide = metrics.horizontalAdvance(after);
    QCOMPARE(shown(before, after, wide), before);
    QCOMPARE(shown(after, before, wide), after);
    QVERIFY(shown(before, after, narrow).startsWith(u'…') && shown(before, after, narrow).endsWith("a boat"));
    QVERIFY2(shown(after, before, narrow).contains("that sai"), qPrintable(shown(after, before, narrow)));
    const QString other = "The " + same;  // it differs at once: the beginning stays
    QCOMPARE(textWithDifference(other, same, metrics, narrow), other);
    for (const QString& text : {before, after})
      for (int room = 1; room < wide; room += 7)
        QVERIFY(!textWithDifference(text, text == before ? after : before, metrics, room).isEmpty());
  }

  void growsWhileTheMachineRuns() {
    WordMachine machine(10, 8, 24, 2);
    machine.submit("one", 12, 8);
    machine.step();
    Session session;
    session.append(machine.take());
    StepComparisonModel model(&session);
    model.compareWith(1);
    QCOMPARE(model.rowCount(), 0);
    machine.step();
    session.append(machine.take());
    QCOMPARE(*model.other(), 1);
    const QString csv = toCsv(model);
    QVERIFY2(csv.contains("A,tokens,"), qPrintable(csv));
    machine.run();
    session.append(machine.take());
    QVERIFY2(toCsv(model).contains("A,status,running,finished: length limit"), qPrintable(toCsv(model)));
  }

  void aNewRunEndsIt() {
    Bench bench;
    bench.model.compareWith(3);
    QSignalSpy changed(&bench.model, &StepComparisonModel::otherChanged);
    bench.session.append(crowd().all());  // an EngineLoaded begins it
    QVERIFY(!bench.model.other() && bench.model.rowCount() == 0 && changed.count() == 1);
    QVERIFY(bench.view.summary().isEmpty());
  }

  void aHiddenTableDoesNoWork() {
    Bench bench;
    bench.model.compareWith(2);
    QSignalSpy refreshed(&bench.model, &SessionModel::refreshed);
    bench.session.goToStep(4);  // the view was never shown
    QCOMPARE(refreshed.count(), 0);
    bench.view.show();
    QVERIFY(refreshed.count() > 0 && bench.model.rowCount() > 0);
  }

  void theAxisChoosesTheOtherStep() {
    Bench bench;
    bench.axis.show();
    QSignalSpy asked(&bench.axis, &TimeAxisView::comparisonRequested);
    QSignalSpy moved(&bench.axis, &TimeAxisView::stepRequested);
    const auto at = [&](int step) { return QPoint(qRound(bench.axis.xOf(step)), 90); };
    QTest::mouseClick(bench.axis.viewport(), Qt::LeftButton, Qt::ShiftModifier, at(4));
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.last()[0].toInt(), 4);
    bench.axis.setCompared(4);
    QTest::keyClick(&bench.axis, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(asked.last()[0].toInt(), 5);
    QTest::keyClick(&bench.axis, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(asked.last()[0].toInt(), 3);
    QCOMPARE(moved.count(), 0);  // the cursor stays
    QTest::mouseClick(bench.axis.viewport(), Qt::LeftButton, {}, at(6));
    QCOMPARE(moved.count(), 1);
    QCOMPARE(asked.count(), 3);
  }

  void aRowLightsAndSelects() {
    Bench bench;
    bench.model.compareWith(2);
    bench.view.resize(700, 300);
    bench.view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&bench.view));
    bench.view.activateWindow();
    bench.view.table()->setFocus();
    QSignalSpy sequence(&bench.view, &StepComparisonView::sequenceSelected);
    QSignalSpy block(&bench.view, &StepComparisonView::blockRequested);
    bool lit = false, blocks = false;
    for (int row = 0; row < bench.model.rowCount(); ++row) {
      const prose::Target target = bench.model.at(row).target;
      bench.view.table()->selectRow(row);
      if (bench.view.table()->hasFocus()) QVERIFY(bench.session.spotlight()->target() == target);
      emit bench.view.table()->activated(bench.model.index(row, 0));
      lit |= target.sequence != 0 && sequence.last()[0].toInt() == target.sequence;
      blocks |= !target.blocks.empty() && block.last()[0].toInt() == target.blocks.front();
    }
    QVERIFY(lit && blocks);
    QTest::mouseClick(bench.view.endButton(), Qt::LeftButton);
    QVERIFY(!bench.model.other() && bench.model.rowCount() == 0);
  }
};

QTEST_MAIN(TestStepComparison)
#include "tst_step_comparison.moc"
