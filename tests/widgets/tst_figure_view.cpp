// A figure of measurements: bars and points stand where their values are, with their spreads; what was not
// measured has no mark; keys and table say the same.
#include "widgets/plots/figure_view.h"

#include <QImage>
#include <QScrollBar>
#include <QTest>

#include "widgets/support/table_export.h"

using namespace vitrine;

namespace {

FigureValue value(double middle, double spread = 0, int count = 1) {
  return {middle, middle - spread, middle + spread, count};
}

Figure twoSeries(bool lines = false) {
  return {
      "Latency",
      "requests at once",
      "ms",
      {"1", "4", "16"},
      {{"TTFT", {value(10, 2, 5), value(20), value(40, 5, 5)}}, {"ITL", {value(1), std::nullopt, value(4)}}},
      lines};
}

struct Shown {
  Session session;
  FigureModel model{&session};
  FigureView view{&model};

  explicit Shown(Figure figure, QSize size = {700, 400}) {
    model.setFigure(std::move(figure));
    view.resize(size);
    view.show();
  }
};

// Of the colour of a series, anywhere in the picture.
int pixelsOf(const QImage& image, const QColor& colour, const QRect& in) {
  int count = 0;
  for (int y = in.top(); y <= in.bottom(); ++y)
    for (int x = in.left(); x <= in.right(); ++x) count += image.pixelColor(x, y) == colour ? 1 : 0;
  return count;
}

}  // namespace

class TestFigureView : public QObject {
  Q_OBJECT

 private slots:
  void barsAreAsHighAsTheirValues() {
    Shown shown(twoSeries());
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    const FigureView& view = shown.view;
    const double foot = view.heightOf(0);
    QVERIFY(std::abs((foot - view.heightOf(40)) - 4 * (foot - view.heightOf(10))) < 1e-6);
    for (int series = 0; series < 2; ++series)
      for (int place = 0; place < 3; ++place) {
        const auto& one = shown.model.value(series, place);
        const QRectF area = view.markArea(series, place);
        QCOMPARE(area.isNull(), !one.has_value());
        if (!one) continue;
        QVERIFY(std::abs(area.top() - view.heightOf(one->middle)) < 1e-6);
        QVERIFY(std::abs(area.bottom() - foot) < 1e-6);
      }
    for (int place = 0; place < 2; ++place) {  // beside each other, in order
      QVERIFY(view.markArea(0, place).right() < view.markArea(0, place + 1).left());
    }
    QVERIFY(view.markArea(0, 0).right() <= view.markArea(1, 0).left() + 1);
    QVERIFY(view.heightOf(45) > 0);  // the highest spread is in sight
  }

  void barsHaveTheColourOfTheirSeriesAndSpreadsAreDrawn() {
    Shown shown(twoSeries());
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    const QImage image = toImage(shown.view.picture(), 1.0);  // a pixel of the content each
    const Theme theme = Theme::of(&shown.view);
    QRect bar = shown.view.markArea(0, 1).toAlignedRect().adjusted(2, 2, -2, -2);  // without a spread
    QCOMPARE(pixelsOf(image, theme.request(0), bar), bar.width() * bar.height());
    const QPointF top(shown.view.markArea(0, 0).center().x(), shown.view.heightOf(11.5));
    QVERIFY(image.pixelColor(top.toPoint()) != theme.base());  // of the whisker, above the bar
    const QPointF alone(shown.view.markArea(0, 1).center().x(), shown.view.heightOf(20) - 3);
    QCOMPARE(image.pixelColor(alone.toPoint()), theme.base());
  }

  void linesHavePointsAtTheirValues() {
    Shown shown(twoSeries(true));
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    const QPointF point = shown.view.markArea(0, 2).center();
    QVERIFY(std::abs(point.y() - shown.view.heightOf(40)) < 1e-6);
    const QImage image = toImage(shown.view.picture(), 1.0);  // a pixel of the content each
    QCOMPARE(image.pixelColor(shown.view.markArea(0, 1).center().toPoint()),
             Theme::of(&shown.view).request(0));
  }

  void keysWalkTheValuesAndSayThem() {
    Shown shown(twoSeries());
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QTest::keyClick(&shown.view, Qt::Key_End);
    QCOMPARE(shown.view.currentPlace(), 2);
    const QString told = shown.view.accessibleDescription();
    QVERIFY2(told.startsWith("TTFT, 16: 40 ms") && told.contains("35") && told.contains("45") &&
                 told.contains("5"),
             qPrintable(told));
    QTest::keyClick(&shown.view, Qt::Key_Down);
    QTest::keyClick(&shown.view, Qt::Key_Left);
    QCOMPARE(shown.view.accessibleDescription(), QString("ITL, 4: not measured"));
    QTest::keyClick(&shown.view, Qt::Key_Home);
    QVERIFY(shown.view.accessibleDescription().startsWith("ITL, 1: 1 ms"));
    QTest::keyClick(&shown.view, Qt::Key_Left);  // no further
    QCOMPARE(shown.view.currentPlace(), 0);
  }

  void theTableHasEveryValueWithItsSpread() {
    Session session;
    FigureModel model(&session);
    model.setFigure(twoSeries());
    QCOMPARE(toCsv(model),
             QString("requests at once,\"TTFT, ms\",\"TTFT, ms, least\",\"TTFT, ms, most\",\"ITL, ms\","
                     "\"ITL, ms, least\",\"ITL, ms, most\"\r\n"
                     "1,10,8,12,1,1,1\r\n4,20,20,20,,,\r\n16,40,35,45,4,4,4\r\n"));
  }

  // Many places scroll, and the axis stays.
  void manyPlacesScroll() {
    Figure figure = twoSeries();
    figure.places.clear();
    figure.series = {{"one", {}}};
    for (int i = 0; i < 500; ++i) {
      figure.places << QStringLiteral("a long name, number %1").arg(i);
      figure.series[0].values.push_back(value(i));
    }
    Shown shown(figure);
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QVERIFY(shown.view.horizontalScrollBar()->maximum() > 1000);
    shown.view.setFocus();
    QTest::keyClick(&shown.view, Qt::Key_End);
    QVERIFY(shown.view.horizontalScrollBar()->value() > 0);
    // Over the axis no bar is seen, although bars are scrolled under it.
    const QImage image = shown.view.viewport()->grab().toImage();
    const QColor bar = Theme::of(&shown.view).request(0);
    const qreal scale = image.devicePixelRatio();
    const int axis = static_cast<int>(scale * 12), foot = static_cast<int>(scale * shown.view.heightOf(0));
    QCOMPARE(pixelsOf(image, bar, QRect(0, foot - 20, axis, 18)), 0);
    QVERIFY(pixelsOf(image, bar, QRect(0, foot - 20, image.width(), 18)) > 100);
    QVERIFY(shown.view.picture().size.width() > 10'000);
    QVERIFY(toImage(shown.view.picture()).width() > 1000);
  }

  void extremesAreDrawn_data() {
    QTest::addColumn<double>("most");
    for (const double most : {0.0, 5e-324, 1e-15, 0.00123, 1.0, 999.0, 1e15})
      QTest::newRow(qPrintable(QString::number(most))) << most;
  }
  void extremesAreDrawn() {
    QFETCH(double, most);
    Shown shown({"x", "place", "unit", {"only"}, {{"one", {value(most)}}}, false}, {300, 120});
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QVERIFY(!shown.view.viewport()->grab().isNull());
    QVERIFY(shown.view.heightOf(most) <= shown.view.heightOf(0));
  }

  void nothingMeasuredSaysSo() {
    Shown shown({"x", "place", "unit", {"a", "b"}, {{"one", {std::nullopt, std::nullopt}}}, false});
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    const QImage empty = shown.view.viewport()->grab().toImage();
    shown.model.setFigure(twoSeries());
    QVERIFY(empty != shown.view.viewport()->grab().toImage());
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QCOMPARE(shown.view.currentPlace(), 1);
    shown.model.setFigure({});  // nothing at all
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QVERIFY(!shown.view.viewport()->grab().isNull());
  }
};

QTEST_MAIN(TestFigureView)
#include "tst_figure_view.moc"
