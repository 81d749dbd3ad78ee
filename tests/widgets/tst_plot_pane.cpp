// A pane of the plots: a bucket of many steps keeps its minimum and maximum.
#include <qcustomplot.h>

#include <QTest>

#include "widgets/views/plot_pane.h"

using namespace vitrine;

namespace {

std::deque<MetricsRow> rowsOf(const std::vector<int>& sequences) {
  std::deque<MetricsRow> rows;
  for (const int count : sequences) {
    MetricsRow& row = rows.emplace_back();
    row.step = static_cast<int>(rows.size());
    row.sequences = count;
    row.waiting = 2 * count;
  }
  return rows;
}

double sequencesOf(const MetricsRow& row) { return row.sequences; }
double waitingOf(const MetricsRow& row) { return row.waiting; }

struct Plot {
  QCustomPlot plot;
  Plot() { plot.plotLayout()->clear(); }
  std::vector<double> valuesOf(int graph) {
    std::vector<double> values;
    for (const QCPGraphData& point : *plot.graph(graph)->data()) values.push_back(point.value);
    return values;
  }
  double top() { return plot.axisRect(0)->axis(QCPAxis::atLeft)->range().upper; }
};

using Values = std::vector<double>;

}  // namespace

class TestPlotPane : public QObject {
  Q_OBJECT
 private slots:
  void aBucketKeepsItsExtremesInOrder() {
    Plot plot;
    PlotPane pane(&plot.plot, 0, {"batch", {"sequences", sequencesOf}});
    const std::deque<MetricsRow> rows = rowsOf({3, 9, 1, 4, 5, 5});
    pane.addBucket(rows, 0, 4);
    QCOMPARE(plot.valuesOf(0), (Values{9, 1}));
    pane.addBucket(rows, 4, 6);  // equal values are one point
    QCOMPARE(plot.valuesOf(0), (Values{9, 1, 5}));
    QCOMPARE(pane.points(), 3);
    QCOMPARE(plot.plot.graphCount(), 1);
  }

  void theSecondLineHasTheSameSteps() {
    Plot plot;
    PlotPane pane(&plot.plot, 0, {"requests", {"running", sequencesOf}, {"waiting", waitingOf}});
    pane.addBucket(rowsOf({3, 9}), 0, 2);
    QCOMPARE(plot.valuesOf(0), (Values{3, 9}));
    QCOMPARE(plot.valuesOf(1), (Values{6, 18}));
    pane.setSteps(1, 11);
    QVERIFY(plot.top() >= 18 * 1.5);  // with room for the legend
  }

  void theAxisStaysHighUntilANewRun() {
    Plot plot;
    PlotPane pane(&plot.plot, 0, {"batch", {"sequences", sequencesOf}});
    const std::deque<MetricsRow> rows = rowsOf({40, 2});
    pane.addBucket(rows, 0, 1);
    pane.clear();
    QCOMPARE(pane.points(), 0);
    pane.addBucket(rows, 1, 2);
    pane.setSteps(1, 11);
    QVERIFY(plot.top() >= 40);
    pane.restart();
    QCOMPARE(pane.points(), 0);
    pane.addBucket(rows, 1, 2);
    pane.setSteps(1, 11);
    QVERIFY(plot.top() < 4);
  }
};

QTEST_MAIN(TestPlotPane)
#include "tst_plot_pane.moc"
