// A pane of the plots: buckets keep minimum and maximum, the legend stands above the data and tells the
// values of a step, marks stand at their steps.
#include <qcustomplot.h>

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "widgets/plots/plot_pane.h"
#include "widgets/support/theme.h"

using namespace vitrine;

namespace {

std::deque<MetricsRow> rowsOf(const std::vector<int>& sequences) {
  std::deque<MetricsRow> rows;
  for (const int count : sequences) {
    MetricsRow& row = rows.emplace_back();
    row.step = static_cast<int>(rows.size());
    row.running = count;
    row.waiting = 2 * count;
  }
  return rows;
}

double runningOf(const MetricsRow& row) { return row.running; }
double waitingOf(const MetricsRow& row) { return row.waiting; }
double positiveOf(const MetricsRow& row) { return row.running > 0 ? row.running : std::nan(""); }

PlotContent oneLine() { return {"sequences", PlotUnit::kCount, {{"running", runningOf}}}; }
PlotContent twoLines() {
  return {"sequences",
          PlotUnit::kCount,
          {{"running", runningOf}, {"waiting", waitingOf, PlotLine::Style::kSecond}}};
}

struct Plot {
  PlotPane pane;
  explicit Plot(PlotContent content) : pane(std::move(content)) {
    pane.applyTheme(Theme(QPalette()), readable(QFont()));
    pane.resize(pane.leastSize().expandedTo({400, 200}));
  }
  QCustomPlot& plot() { return *pane.findChild<QCustomPlot*>(); }
  std::vector<double> valuesOf(int graph) {
    std::vector<double> values;
    for (const QCPGraphData& point : *plot().graph(graph)->data()) values.push_back(point.value);
    return values;
  }
  double top() { return plot().axisRect(0)->axis(QCPAxis::atLeft)->range().upper; }
  int xOf(int step) { return qRound(plot().axisRect(0)->axis(QCPAxis::atBottom)->coordToPixel(step)); }
  void draw(const std::deque<MetricsRow>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) pane.addBucket(rows, i, i + 1);
    pane.setSteps(0.5, static_cast<double>(rows.size()) + 0.5);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    plot().replot(QCustomPlot::rpImmediateRefresh);
  }
};

using Values = std::vector<double>;

}  // namespace

class TestPlotPane : public QObject {
  Q_OBJECT
 private slots:
  void aBucketKeepsItsExtremesInOrder() {
    Plot plot(oneLine());
    const std::deque<MetricsRow> rows = rowsOf({3, 9, 1, 4, 5, 5});
    plot.pane.addBucket(rows, 0, 4);
    QCOMPARE(plot.valuesOf(0), (Values{9, 1}));
    plot.pane.addBucket(rows, 4, 6);  // equal values are one point
    QCOMPARE(plot.valuesOf(0), (Values{9, 1, 5}));
    QCOMPARE(plot.pane.points(), 3);
    QCOMPARE(plot.plot().graphCount(), 1);
  }

  void theSecondLineHasTheSameSteps() {
    Plot plot(twoLines());
    plot.pane.addBucket(rowsOf({3, 9}), 0, 2);
    QCOMPARE(plot.valuesOf(0), (Values{3, 9}));
    QCOMPARE(plot.valuesOf(1), (Values{6, 18}));
    plot.pane.setSteps(1, 11);
    QVERIFY(plot.top() >= 18);
  }

  // TTFT has no value before the first token.
  void whatIsNotThereIsNotDrawn() {
    Plot plot({"latency", PlotUnit::kMilliseconds, {{"p50", positiveOf}}});
    const std::deque<MetricsRow> rows = rowsOf({0, 0, 4, 0, 7});
    plot.pane.addBucket(rows, 0, 2);
    QCOMPARE(plot.pane.points(), 0);
    plot.pane.addBucket(rows, 2, 5);
    QCOMPARE(plot.valuesOf(0), (Values{4, 7}));
    plot.pane.tell(&rows[1]);
    QCOMPARE(plot.pane.told(), QStringLiteral("latency: p50 –"));
  }

  void theAxisStaysHighUntilANewRun() {
    Plot plot(oneLine());
    const std::deque<MetricsRow> rows = rowsOf({40, 2});
    plot.pane.addBucket(rows, 0, 1);
    plot.pane.clear();
    QCOMPARE(plot.pane.points(), 0);
    plot.pane.addBucket(rows, 1, 2);
    plot.pane.setSteps(1, 11);
    QVERIFY(plot.top() >= 40);
    plot.pane.restart();
    QCOMPARE(plot.pane.points(), 0);
    plot.pane.addBucket(rows, 1, 2);
    plot.pane.setSteps(1, 11);
    QVERIFY(plot.top() < 4);
    plot.pane.setTop(96);
    plot.pane.setSteps(1, 11);
    QVERIFY(plot.top() >= 96);
  }

  void theLegendStandsAboveTheData_data() {
    QTest::addColumn<int>("width");
    QTest::newRow("beside the title") << 900;
    QTest::newRow("below it") << 0;
  }
  void theLegendStandsAboveTheData() {
    QFETCH(int, width);
    Plot plot(twoLines());
    plot.pane.resize(std::max(width, plot.pane.leastSize().width()), 200);
    plot.draw(rowsOf({3, 9, 4}));
    const auto* legend = plot.plot().findChild<QCPLegend*>();
    const auto* title = plot.plot().findChild<QCPTextElement*>();
    QVERIFY(legend && title);
    QVERIFY(!legend->outerRect().intersects(title->outerRect()));
    QCOMPARE(legend->outerRect().top() < title->outerRect().bottom(), width > 0);
    const QRect data = plot.plot().axisRect(0)->rect();
    QVERIFY2(legend->outerRect().bottom() <= data.top(), qPrintable(QString::number(data.top())));
    QVERIFY(legend->outerRect().right() <= plot.pane.width());
    QVERIFY(data.height() > 50);
  }

  // A number that changes moves nothing.
  void theLegendTellsTheValuesOfAStep() {
    Plot plot(twoLines());
    const std::deque<MetricsRow> rows = rowsOf({3, 1009, 4});
    plot.draw(rows);
    QCOMPARE(plot.pane.told(), QStringLiteral("sequences: running, waiting"));
    auto* legend = plot.plot().findChild<QCPLegend*>();
    const auto placeOfSecond = [&] {
      plot.plot().replot(QCustomPlot::rpImmediateRefresh);
      return legend->item(1)->outerRect();
    };
    plot.pane.tell(&rows[0]);
    const QRect before = placeOfSecond();
    QCOMPARE(plot.pane.told(), QStringLiteral("sequences: running 3, waiting 6"));
    plot.pane.tell(&rows[1]);
    QCOMPARE(placeOfSecond(), before);
  }

  void aPartTellsItsOwnNumber() {
    Plot plot({"batch",
               PlotUnit::kCount,
               {{"prefill", [](const MetricsRow& r) -> double { return r.running + r.waiting; },
                 PlotLine::Style::kMain, waitingOf},
                {"decode", runningOf, PlotLine::Style::kPart}}});
    const std::deque<MetricsRow> rows = rowsOf({5});
    plot.draw(rows);
    plot.pane.tell(&rows[0]);
    QCOMPARE(plot.valuesOf(0), (Values{15}));
    QCOMPARE(plot.pane.told(), QStringLiteral("batch: prefill 10, decode 5"));
  }

  void clicksDragsAndTheMouseSayTheirStep() {
    Plot plot(oneLine());
    plot.draw(rowsOf(std::vector<int>(12, 5)));
    QSignalSpy chosen(&plot.pane, &PlotPane::chosen), pointed(&plot.pane, &PlotPane::pointed);
    const int y = plot.plot().axisRect(0)->rect().center().y();
    QTest::mouseMove(&plot.pane, QPoint(plot.xOf(9), y));
    QTRY_VERIFY(!pointed.isEmpty());
    QCOMPARE(pointed.back().front().toInt(), 9);
    QTest::mouseClick(&plot.pane, Qt::LeftButton, {}, QPoint(plot.xOf(4), y));
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.front().front().toInt(), 4);
    QTest::mouseClick(&plot.pane, Qt::RightButton, {}, QPoint(plot.xOf(4), y));
    QCOMPARE(chosen.size(), 1);
  }

  void onlyCtrlAndTheWheelZoom() {
    Plot plot(oneLine());
    plot.draw(rowsOf(std::vector<int>(12, 5)));
    QSignalSpy zoomed(&plot.pane, &PlotPane::zoomed), panned(&plot.pane, &PlotPane::panned);
    const auto wheel = [&](Qt::KeyboardModifiers keys, QPoint turned) {
      const QPointF at(plot.xOf(6), 80);
      QWheelEvent event(at, plot.pane.mapToGlobal(at), {}, turned, Qt::NoButton, keys, Qt::NoScrollPhase,
                        false);
      QApplication::sendEvent(&plot.pane, &event);
      return event.isAccepted();
    };
    QVERIFY(!wheel({}, {0, 120}));  // the sheet scrolls
    wheel(Qt::ControlModifier, {0, 120});
    QCOMPARE(zoomed.size(), 1);
    QVERIFY(zoomed.front()[0].toDouble() > 1);
    QCOMPARE(qRound(zoomed.front()[1].toDouble()), 6);
    wheel(Qt::ShiftModifier, {0, -120});
    QCOMPARE(panned.size(), 1);
    QVERIFY(panned.front()[0].toDouble() > 0);
  }
};

QTEST_MAIN(TestPlotPane)
#include "tst_plot_pane.moc"
