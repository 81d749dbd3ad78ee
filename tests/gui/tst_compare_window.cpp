// Two machines side by side: they go in step, give the same tokens where the law promises it, and the table
// says what a tally of each run says.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "compare/contrast.h"
#include "gui/compare/compare_axis.h"
#include "gui/compare/compare_opening.h"
#include "gui/compare/compare_side.h"
#include "gui/compare/compare_window.h"
#include "gui/compare/contrast_model.h"
#include "support/window_bench.h"
#include "vitrine/prose/compare_words.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/predict/prediction_view.h"
#include "widgets/requests/lanes_view.h"

using namespace vitrine;
using namespace vitrine::test;

class TestCompareWindow : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

  struct ShownCompare {
    ShownCompare() {
      failOnWarnings();
      window.show();
    }
    bool open(const char* scenario, const char* change) {
      Scenario one = readScenario(scenario);
      Scenario other = compare::varied(one, compare::variationFromText(change));
      window.compare(std::move(one), std::move(other));
      return waitUntil([&] { return window.pair().canStep(); });
    }
    bool stepTo(int step) {
      while (window.pair().step() < step) {
        const int before = window.pair().step();
        QTest::mouseClick(window.stepButton(), Qt::LeftButton);
        if (!waitUntil([&] { return window.pair().step() > before && !window.pair().isRunning(); }))
          return false;
      }
      return true;
    }
    bool runToTheEnd() {
      QTest::mouseClick(window.runButton(), Qt::LeftButton);
      return waitUntil([&] { return window.pair().haveEnded() && !window.pair().isRunning(); });
    }
    CompareWindow window;
  };

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }

  void theyGoInStep() {
    ShownCompare c;
    QVERIFY(c.open("preemption-recompute", "preemption=swap&host_swap=300000&disk_swap=100000000"));
    QCOMPARE(c.window.pair().step(), 0);
    ComparedPair& pair = c.window.pair();
    connect(&pair, &ComparedPair::changed, this, [&pair] {
      if (pair.pace() != ComparedPair::Pace::kInStep || pair.isLoading()) return;
      if (pair.side(0).hasEnded() || pair.side(1).hasEnded()) return;
      QVERIFY(std::abs(pair.side(0).finished() - pair.side(1).finished()) <= 1);
    });
    QVERIFY(c.stepTo(5));
    for (int side = 0; side < ComparedPair::kSides; ++side) {
      QCOMPARE(pair.side(side).finished(), 5);
      QCOMPARE(c.window.side(side)->place(), QString("step 5"));
      QVERIFY(c.window.side(side)->lanes()->summary().contains("5"));
    }
    QVERIFY(c.runToTheEnd());
    QVERIFY(pair.side(1).finished() < pair.side(0).finished());  // nothing is computed again
    QVERIFY2(c.window.verdict().startsWith("✓ All 220 tokens"), qPrintable(c.window.verdict()));
  }

  void theTableHasTheTallies() {
    ShownCompare c;
    QVERIFY(c.open("six-blocks", "num_blocks=64"));
    QVERIFY(c.runToTheEnd());
    const auto rows = compare::contrastOf(c.window.pair().side(0).tally(), c.window.pair().side(1).tally());
    const QAbstractItemModel& table = *c.window.table()->model();
    QTRY_COMPARE(table.rowCount(), static_cast<int>(rows.size()));
    QVERIFY(rows.size() >= 6);
    for (int row = 0; row < table.rowCount(); ++row) {
      const ContrastRow& figures = rows[std::size_t(row)];
      QCOMPARE(table.index(row, ContrastModel::kFigure).data().toString().toStdString(),
               prose::contrastName(figures.figure));
      QCOMPARE(table.index(row, ContrastModel::kFirst).data().toString().toStdString(),
               prose::contrastValue(figures.figure, figures.one));
      QCOMPARE(table.index(row, ContrastModel::kSecond).data().toString().toStdString(),
               prose::contrastValue(figures.figure, figures.other));
    }
    QVERIFY(!c.window.table()->csv().isEmpty());
  }

  void goingBackLooksIntoBoth() {
    ShownCompare c;
    QVERIFY(c.open("six-blocks", "num_blocks=64"));
    QVERIFY(c.stepTo(6));
    ComparedPair& pair = c.window.pair();
    pair.back();
    pair.back();
    QCOMPARE(pair.step(), 4);
    for (int side = 0; side < ComparedPair::kSides; ++side) {
      QCOMPARE(pair.side(side).session().step(), 4);
      QCOMPARE(pair.side(side).finished(), 6);
    }
    QVERIFY(c.stepTo(7));  // two of the recording, and a new one
    for (int side = 0; side < ComparedPair::kSides; ++side) QCOMPARE(pair.side(side).finished(), 7);
    QTest::keyClick(c.window.axis(), Qt::Key_Home);
    QCOMPARE(pair.step(), 0);
    QTest::keyClick(&c.window, Qt::Key_PageDown);
    QCOMPARE(pair.step(), 1);
    pair.restart();
    QVERIFY(waitUntil([&] { return pair.canStep(); }));
    QCOMPARE(pair.lastStep(), 0);
  }

  // The tokens are the same where one waits for the other and where none does.
  void eachAtItsOwnSpeed() {
    ShownCompare c;
    QVERIFY(c.open("four-together", "batching=static"));
    c.window.paceButton()->setChecked(false);
    QVERIFY(c.runToTheEnd());
    QVERIFY2(c.window.verdict().startsWith("✓"), qPrintable(c.window.verdict()));
    QVERIFY(compare::firstDifference(c.window.pair().side(0).tally(), c.window.pair().side(1).tally()));
  }

  // By keys alone: a button whose text has changed keeps its own.
  void keysStepAndRun() {
    ShownCompare c;
    QVERIFY(c.open("six-blocks", "num_blocks=64"));
    QVERIFY(QTest::qWaitForWindowActive(&c.window));
    QTest::keyClick(&c.window, Qt::Key_F10);
    QVERIFY(waitUntil([&] { return c.window.pair().step() == 1; }));
    QTest::keyClick(&c.window, Qt::Key_F10, Qt::ShiftModifier);
    QVERIFY(waitUntil([&] { return c.window.pair().step() == 0; }));
    c.window.pair().setStepsPerSecond(20);
    for (int times = 0; times < 2; ++times) {
      QTest::keyClick(&c.window, Qt::Key_F5);
      QVERIFY(waitUntil([&] { return c.window.pair().isRunning(); }));  // a button is pressed for a moment
      QTest::keyClick(&c.window, Qt::Key_F5);
      QVERIFY(waitUntil([&] { return !c.window.pair().isRunning(); }));
    }
    QTest::keyClick(&c.window, Qt::Key_F5, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return c.window.pair().canStep() && c.window.pair().lastStep() == 0; }));
  }

  void aRunIsPaused() {
    ShownCompare c;
    QVERIFY(c.open("four-together", "block_size=4"));
    c.window.pair().setStepsPerSecond(20);
    QTest::mouseClick(c.window.runButton(), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return c.window.pair().step() >= 2; }));
    QTest::mouseClick(c.window.runButton(), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return !c.window.pair().isRunning(); }));
    QTest::qWait(100);  // a step that was under way ends
    const int at = c.window.pair().lastStep();
    QTest::qWait(150);
    QCOMPARE(c.window.pair().lastStep(), at);
    QVERIFY(!c.window.pair().haveEnded());
  }

  void anotherChangeIsChosen() {
    ShownCompare c;
    QVERIFY(c.open("static-batching", "batching=continuous"));
    QComboBox& changes = *c.window.changes();
    const int other = changes.currentIndex() == 0 ? 1 : 0;
    const QString words = changes.itemText(other);
    QVERIFY(changes.count() > 3);
    emit changes.activated(other);
    QVERIFY(waitUntil([&] { return c.window.pair().canStep(); }));
    QCOMPARE(changes.currentText(), words);
    QVERIFY(c.window.side(0)->title() != c.window.side(1)->title());
    QComboBox& scenarios = *c.window.scenarios();
    const int six = scenarios.findData("six-blocks");
    QVERIFY(six >= 0);
    emit scenarios.activated(six);
    QVERIFY(waitUntil([&] { return c.window.pair().canStep(); }));
    QCOMPARE(c.window.pair().scenario(0).name, std::string("six-blocks"));
  }

  void aGuessStepsBoth() {
    ShownCompare c;
    QVERIFY(c.open("six-blocks", "num_blocks=64"));
    PredictionView& predict = *c.window.prediction();
    QTRY_VERIFY(predict.model()->question());
    QTest::mouseClick(predict.guessButton(), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return c.window.pair().step() == 1; }));
    QTRY_COMPARE(predict.model()->guesses(), 1);
  }

  // Of a chat, a scenario or a run, from the menu; closed, no machine stays.
  void theMainWindowsRunIsCompared() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(2));
    QTest::keyClick(&w.window, Qt::Key_3, Qt::ControlModifier);
    auto* const compare = w.window.findChild<CompareWindow*>();
    QVERIFY(compare && compare->isVisible());
    QVERIFY(waitUntil([&] { return compare->pair().canStep(); }));
    QCOMPARE(compare->pair().scenario(0).requests.size(), std::size_t{3});
    QTest::mouseClick(compare->stepButton(), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return compare->pair().step() == 1; }));
    compare->close();
    QVERIFY(!compare->pair().isOpen());
    QVERIFY(w.stepTimes(1));
  }
};

QTEST_MAIN(TestCompareWindow)
#include "tst_compare_window.moc"
