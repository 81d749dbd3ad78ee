// The live plots as a whole: what they draw, read, pause and copy, by real keys and mouse.
#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "support/word_machine.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/plots/plot_pane.h"
#include "widgets/plots/plot_sheet.h"
#include "widgets/plots/plot_view.h"

using namespace vitrine;
using test::WordMachine;

namespace {

struct Plots {
  Session session;
  MetricsModel model{&session};
  PlotView view{&model};

  explicit Plots(QSize size = {900, 220}) { view.resize(size); }
  bool show() {
    view.show();
    return QTest::qWaitForWindowExposed(&view);
  }
  void connectToSession() {
    QObject::connect(&view, &PlotView::stepRequested, &session, &Session::goToStep);
    QObject::connect(&view, &PlotView::liveRequested, &session, &Session::goLive);
  }
  PlotPane& pane(std::size_t index = 0) { return *view.panes()[index]; }
  int xOf(int step) {
    for (int x = 0; x < pane().width(); ++x)
      if (qRound(pane().stepAt(x)) == step) return x + 2;
    return -1;
  }
  void click(int step) { QTest::mouseClick(&pane(), Qt::LeftButton, {}, QPoint(xOf(step), 80)); }
};

WordMachine longRun(int tokens) {
  WordMachine machine(64, 8);
  machine.submit("long", 12, tokens);
  machine.run();
  return machine;
}

}  // namespace

class TestPlotView : public QObject {
  Q_OBJECT
 private slots:
  void drawsWhatTheMetricsSay() {
    WordMachine machine = test::storyMachine();
    Plots plots;
    plots.session.append(machine.take());
    QCOMPARE(plots.view.points(), 0);  // hidden: rests
    QVERIFY(plots.show());
    QCOMPARE(plots.view.points(), plots.session.lastStep());
    QVERIFY(toSvg(plots.view.picture()).contains("<svg"));
    WordMachine fresh(8, 8);
    fresh.submit("new", 4, 2);
    fresh.run();
    plots.session.append(fresh.take());
    QCOMPARE(plots.view.points(), 2);
    plots.view.copyCsv();
    QCOMPARE(QApplication::clipboard()->text().count(QLatin1String("\r\n")), 3);
  }

  void hiddenPlotsRest() {
    Plots plots;
    WordMachine machine = longRun(30);
    QVERIFY(plots.show());
    plots.view.hide();
    plots.session.append(machine.take());
    QCOMPARE(plots.view.points(), 0);
    QCOMPARE(plots.model.rowCount(), 0);
    QVERIFY(plots.show());
    QCOMPARE(plots.view.points(), 30);
  }

  void everyFigureHasItsPlot() {
    Plots plots;
    plots.session.append(test::storyMachine().take());
    QVERIFY(plots.show());
    QString told;
    for (const PlotPane* pane : plots.view.panes()) told += pane->told() + u'\n';
    for (const char* word :
         {"this step", "last 16 steps", "prefill", "decode", "budget", "in use", "cached", "running",
          "waiting", "TTFT", "ITL", "p50", "p95", "prefix hits", "drafts accepted"})
      QVERIFY2(told.contains(QLatin1String(word)), word);
    QVERIFY2(plots.view.accessibleDescription().contains(QLatin1String("prefix hits")),
             qPrintable(plots.view.accessibleDescription()));
  }

  void aClickGoesToTheStepAndMarksIt() {
    Plots plots;
    plots.connectToSession();
    plots.session.append(longRun(40).take());
    QVERIFY(plots.show());
    plots.view.grab();
    plots.click(17);
    QCOMPARE(plots.session.step(), 17);
    QVERIFY(!plots.session.isLive());
    QCOMPARE(plots.view.summary(), QStringLiteral("step 17"));
    plots.click(40);  // the last step is the machine itself
    QVERIFY(plots.session.isLive());
    QTest::mousePress(&plots.pane(), Qt::LeftButton, {}, QPoint(plots.xOf(5), 80));
    QTest::mouseMove(&plots.pane(), QPoint(plots.xOf(9), 80));
    QTRY_COMPARE(plots.session.step(), 9);
    QTest::mouseRelease(&plots.pane(), Qt::LeftButton, {}, QPoint(plots.xOf(9), 80));
  }

  void theShownStepIsPainted() {
    Plots plots;
    plots.session.append(longRun(40).take());
    QVERIFY(plots.show());
    QTest::qWait(50);
    const QImage live = plots.pane().grab().toImage();
    plots.session.goToStep(7);
    QTRY_VERIFY(plots.pane().grab().toImage() != live);
    plots.session.goLive();
    QTRY_VERIFY(plots.pane().grab().toImage() == live);
  }

  void theMouseReadsValuesInEveryPlot() {
    Plots plots;
    plots.session.append(longRun(40).take());
    QVERIFY(plots.show());
    plots.view.grab();
    QTest::mouseMove(&plots.pane(), QPoint(plots.xOf(1), 80));
    QTRY_COMPARE(plots.view.summary(), QStringLiteral("step 1"));
    QVERIFY2(plots.pane(1).told().contains(QLatin1String("prefill 12")), qPrintable(plots.pane(1).told()));
    QTest::mouseMove(&plots.pane(), QPoint(plots.xOf(20), 80));
    QTRY_COMPARE(plots.view.summary(), QStringLiteral("step 20"));
    QVERIFY2(plots.pane(1).told().contains(QLatin1String("decode 1")), qPrintable(plots.pane(1).told()));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&plots.pane(), &leave);
    QCOMPARE(plots.view.summary(), QStringLiteral("step 40"));
  }

  void arrowsWalkTheSteps() {
    Plots plots;
    plots.connectToSession();
    plots.session.append(longRun(40).take());
    QVERIFY(plots.show());
    plots.session.goToStep(20);
    QTest::keyClick(&plots.view, Qt::Key_Left);
    QCOMPARE(plots.session.step(), 19);
    QTest::keyClick(&plots.view, Qt::Key_Right);
    QTest::keyClick(&plots.view, Qt::Key_Right);
    QCOMPARE(plots.session.step(), 21);
    QTest::keyClick(&plots.view, Qt::Key_Home);
    QCOMPARE(plots.session.step(), plots.session.firstStep());
    QTest::keyClick(&plots.view, Qt::Key_End);
    QVERIFY(plots.session.isLive());
    QTest::keyClick(&plots.view, Qt::Key_Right);  // an arrow key never steps the machine
    QCOMPARE(plots.session.step(), 40);
  }

  void aPauseHoldsThePlotsAndNotTheRun() {
    Plots plots;
    WordMachine machine(64, 8);
    machine.submit("long", 12, 60);
    for (int i = 0; i < 20; ++i) machine.step();
    plots.session.append(machine.take());
    QVERIFY(plots.show());
    QTest::keyClick(&plots.view, Qt::Key_Space);
    QVERIFY(plots.view.isPaused());
    QVERIFY(plots.view.summary().contains(QLatin1String("paused")));
    machine.run();
    plots.session.append(machine.take());
    QCOMPARE(plots.view.points(), 20);
    QCOMPARE(plots.model.rowCount(), 60);
    QCOMPARE(plots.view.csv().count(QLatin1String("\r\n")), 61);  // the whole series
    for (QToolButton* button : plots.view.findChildren<QToolButton*>())
      if (button->isCheckable()) QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(!plots.view.isPaused());
    QCOMPARE(plots.view.points(), 60);
  }

  void aNewRunEndsThePause() {
    Plots plots;
    plots.session.append(longRun(20).take());
    QVERIFY(plots.show());
    plots.view.setPaused(true);
    plots.session.append(longRun(30).take());
    QVERIFY(!plots.view.isPaused());
    QCOMPARE(plots.view.points(), 30);
  }

  void zoomDrawsThePartInSight() {
    Plots plots;
    plots.session.append(longRun(400).take());
    QVERIFY(plots.show());
    plots.session.goToStep(200);
    for (int i = 0; i < 8; ++i) QTest::keyClick(&plots.view, Qt::Key_Plus);
    QVERIFY(!plots.view.window().isWhole());
    QVERIFY(plots.view.window().begin() < 200 && plots.view.window().end() > 200);
    QVERIFY2(plots.view.drawn() < 120, qPrintable(QString::number(plots.view.drawn())));
    plots.session.goToStep(20);  // what is shown comes into sight
    QVERIFY(plots.view.window().begin() < 20);
    plots.session.goLive();
    QTest::keyClick(&plots.view, Qt::Key_0);
    QVERIFY(plots.view.window().isWhole());
    QCOMPARE(plots.view.points(), 400);
    QCOMPARE(plots.view.drawn(), 400);
  }

  void asManyColumnsAsHaveRoom() {
    Plots plots({1400, 300});
    plots.session.append(longRun(20).take());
    QVERIFY(plots.show());
    const auto* sheet = plots.view.findChild<PlotSheet*>();
    const int wide = sheet->columns();
    QVERIFY(wide > 1);
    plots.view.resize(420, 300);
    QTRY_COMPARE(sheet->columns(), 1);
    QVERIFY(sheet->verticalScrollBar()->maximum() > 0);
    QSet<QString> places;
    for (const PlotPane* pane : plots.view.panes()) {
      places += QStringLiteral("%1,%2").arg(pane->x()).arg(pane->y());
      QVERIFY(pane->geometry().right() <= sheet->sheetSize().width());
    }
    QCOMPARE(places.size(), plots.view.panes().size());
    // The picture has all of them, also those out of sight.
    const Picture picture = plots.view.picture();
    QCOMPARE(picture.size, sheet->sheetSize());
    const QByteArray svg = toSvg(picture);
    for (const PlotPane* pane : plots.view.panes())
      QVERIFY2(svg.contains(pane->content().title.toUtf8()), qPrintable(pane->content().title));
  }

  void csvHasPlainNumbers() {
    Plots plots;
    plots.session.append(longRun(3).take());
    const QStringList lines = plots.view.csv().split(QStringLiteral("\r\n"));
    QVERIFY2(lines[0].contains(QLatin1String("Time (ms)")), qPrintable(lines[0]));
    QVERIFY(!lines[0].contains(QLatin1String("%1")));
    const QStringList titles = lines[0].split(u',');
    QVERIFY(lines[0].count(u'"') == 4);  // the two rates have a comma in their names
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < plots.model.columnCount(); ++column) {
        const QString field = plots.model.index(row, column).data(Qt::EditRole).toString();
        bool number = field.isEmpty();
        if (!number) field.toDouble(&number);
        QVERIFY2(number, qPrintable(field));
      }
  }

  void theTableTwinStandsInThePlace() {
    Plots plots;
    plots.session.append(longRun(20).take());
    QVERIFY(plots.show());
    plots.view.setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&plots.view));
    QTest::keyClick(&plots.view, Qt::Key_T, Qt::ControlModifier);
    auto* table = plots.view.findChild<DataTableView*>();
    QVERIFY(table && table->isVisible());
    QCOMPARE(table->geometry(), plots.view.rect());
    QCOMPARE(table->model()->rowCount(), 20);
    QTest::keyClick(table, Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(!plots.view.findChild<DataTableView*>());
  }
};

QTEST_MAIN(TestPlotView)
#include "tst_plot_view.moc"
