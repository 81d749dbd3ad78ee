// How a GPU is handed the layers of a step: the rows and words of the ways, the limit beside them, and the
// view by places, keys, mouse and pixels.
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "support/word_machine.h"
#include "widgets/layers/launches_model.h"
#include "widgets/layers/launches_view.h"
#include "widgets/layers/operations_model.h"
#include "widgets/support/translations.h"

using namespace vitrine;
using test::WordMachine;

namespace {

// A step of five sequences on a GPU, of which the launches were compared; it reads 1 MB in its layers.
struct Compared {
  Session session;
  WordMachine machine{32, 8};
  OperationsModel operations{&session};
  LaunchesModel model{&operations};
  LaunchesView view{&model};

  explicit Compared(int ways = 3) {
    machine.submit("one", 12, 40);
    for (int i = 0; i < 4; ++i) machine.step();
    machine.beginStep();
    machine.say(ForwardMeasured{2'000'000,
                                {{Operation::kGateUp, 2, 900'000, 600'000, 2'000'000},
                                 {Operation::kDown, 2, 600'000, 400'000, 2'000'000},
                                 {Operation::kNorms, 2, 100'000, 50'000, 1'000},
                                 {Operation::kHead, 1, 400'000, 800'000, 90'000}}},
                Phase::kForward);
    LaunchesMeasured measured{
        LaunchWay::kGraph,
        5,
        8,
        28,
        {times(LaunchWay::kEager, 168, 5'000, 3'000), times(LaunchWay::kGraph, 1, 5'000, 500),
         times(LaunchWay::kPersistent, 2, 4'000, 0)}};
    measured.ways.resize(static_cast<std::size_t>(ways));
    machine.say(measured, Phase::kForward);
    machine.endStep();
    session.append(machine.take());
  }
  static LaunchTimes times(LaunchWay way, int launches, std::int64_t eachNs, std::int64_t gapNs) {
    LaunchTimes one{way, launches, 28 * 6 * (eachNs + gapNs), {}};
    std::int64_t nowNs = 0;
    for (int layer = 0; layer < 2; ++layer)
      for (const Operation operation : {Operation::kQkv, Operation::kRotary, Operation::kAttention,
                                        Operation::kOutput, Operation::kGateUp, Operation::kDown}) {
        one.spans.push_back({operation, layer, nowNs, nowNs + eachNs});
        nowNs += eachNs + gapNs;
      }
    return one;
  }
  void measure(const MachineRoof& roof) {
    machine.say(RoofMeasured{roof});
    session.append(machine.take());
  }
  // 1 GB/s: a byte a nanosecond.
  MachineRoof roof() const {
    MachineRoof roof{session.engine()->device, 0, 250'000, {{1 << 30, 1}}};
    roof.peak = RoofPeak::kBf16Products;
    return roof;
  }
};

}  // namespace

class TestLaunches : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { installTranslations(*QCoreApplication::instance(), QLocale(QLocale::English)); }

  void launchesAreTheStepsOwn() {
    Compared c;
    c.view.show();
    QCOMPARE(c.model.rowCount(), 3);
    QCOMPARE(c.model.name(0), QStringLiteral("eager"));
    QCOMPARE(c.model.words(0), QStringLiteral("168 launches · 1.34 ms"));
    QCOMPARE(c.model.words(1), QStringLiteral("1 launch · 0.92 ms"));
    QCOMPARE(c.model.summary(), QStringLiteral("graph: 1 launch · 0.92 ms"));
    QVERIFY(!c.model.at(0).isTaken && c.model.at(1).isTaken);
    QVERIFY2(c.model.headWords().endsWith(QLatin1String("batch 5 of a graph of 8")),
             qPrintable(c.model.headWords()));
    QCOMPARE(c.model.magnifiedWords(), QStringLiteral("2 of 28 layers"));
    // Eleven gaps of 3 µs between twelve spans of 5 µs.
    QVERIFY(std::abs(c.model.at(0).waiting - 33.0 / 93) < 1e-9);
    QCOMPARE(c.model.at(2).waiting, 0.0);
    QVERIFY(c.model.describe(0).contains(QLatin1String("one by one")));
    QVERIFY(c.model.describe(1).contains(QLatin1String("takes this way")));
    QVERIFY2(c.model.describeSpan(0, 4).startsWith(QStringLiteral("gate-up, layer 1, eager: 5.0 µs")),
             qPrintable(c.model.describeSpan(0, 4)));
    QVERIFY(c.model.describeSpan(0, 4).contains(QStringLiteral("waits 3.0 µs before it")));
    QVERIFY(!c.model.describeSpan(2, 4).contains(QLatin1String("waits")));
    QCOMPARE(c.model.index(0, LaunchesModel::kLaunches).data(Qt::EditRole).toInt(), 168);
    QCOMPARE(c.model.index(1, LaunchesModel::kSpeedup).data().toString(), QStringLiteral("1.45 ×"));
    QVERIFY(!c.model.index(0, LaunchesModel::kLimit).data(Qt::EditRole).isValid());
    const std::vector<QString> reasons = c.model.reasons();
    QVERIFY(std::ranges::any_of(reasons, [](const QString& one) { return one.contains(u"35.5 %"); }));
    QVERIFY(std::ranges::any_of(reasons, [](const QString& one) {
      return one.startsWith(u"Batch 5 in a graph of 8: 3 rows are padding");
    }));
    c.machine.step();
    c.session.append(c.machine.take());
    QCOMPARE(c.model.rowCount(), 0);
    QVERIFY(!c.model.emptyText().isEmpty() && c.model.reasons().empty() && c.model.summary().isEmpty());
    c.session.goToStep(5);
    QCOMPARE(c.model.rowCount(), 3);
    QVERIFY(c.model.emptyText().isEmpty());
  }

  // The limit is that of the layers: the head is read behind them. A processor's says nothing.
  void launchesStandBesideTheLimit() {
    Compared c;
    QSignalSpy wanted(&c.operations, &OperationsModel::roofWanted);
    c.view.resize(900, 500);
    c.view.show();
    QCOMPARE(c.model.limitNs(), 0.0);
    QCOMPARE(c.view.limitLine(), 0.0);
    c.session.goToStep(4);
    c.session.goToStep(5);
    QVERIFY(wanted.count() > 0);
    MachineRoof other = c.roof();
    other.peak = RoofPeak::kF32InRegisters;
    c.measure(other);
    QCOMPARE(c.model.limitNs(), 0.0);
    c.measure(c.roof());
    QCOMPARE(c.model.limitNs(), 1'000'000.0);
    QCOMPARE(c.model.limitWords(), QStringLiteral("weights, keys and values read once at 1 GB/s: 1.00 ms"));
    QVERIFY(c.model.at(0).limit > 0.74 && c.model.at(0).limit < 0.75);
    QVERIFY(c.model.describe(0).contains(QLatin1String("of the limit")));
    QVERIFY(c.view.limitLine() < c.view.barArea(0).right() && c.view.limitLine() > c.view.barArea(1).right());
    c.session.clear();
    QVERIFY(c.operations.roof() == nullptr);
    QCOMPARE(c.model.limitNs(), 0.0);
  }

  void launchesHavePlaces_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("fontPt");
    for (const int width : {320, 640, 900, 1366})
      for (const double pt : {11.0, 20.0}) QTest::addRow("%d at %g pt", width, pt) << QSize(width, 300) << pt;
  }
  // No words lie over others or are cut, whatever the size.
  void launchesHavePlaces() {
    QFETCH(QSize, size);
    QFETCH(double, fontPt);
    Compared c;
    QFont font = c.view.font();
    font.setPointSizeF(fontPt);
    c.view.setFont(font);
    c.view.resize(size);
    c.view.show();
    c.measure(c.roof());
    QVERIFY(c.view.labels().size() > 12);
    const QFontMetricsF metrics(c.view.font());
    for (const LaunchLabel& label : c.view.labels()) {
      QVERIFY2(label.area.left() >= 0 && label.area.right() <= c.view.viewport()->width(),
               qPrintable(label.text));
      const bool isOneLine = label.area.height() < 1.9 * metrics.height();
      QVERIFY2(
          !isOneLine || metrics.horizontalAdvance(label.text) <= label.area.width() + 2 || size.width() < 400,
          qPrintable(label.text));
      for (const LaunchLabel& other : c.view.labels())
        QVERIFY2(&other == &label || !other.area.intersects(label.area),
                 qPrintable(label.text + QStringLiteral(" / ") + other.text));
      for (int row = 0; row < 3; ++row)
        QVERIFY2(!c.view.barArea(row).intersects(label.area), qPrintable(label.text));
    }
    const QImage image = c.view.picture().size.isEmpty() ? QImage() : toImage(c.view.picture(), 1);
    QVERIFY(!image.isNull());
    const QPoint box = c.view.boxArea(0, 4).toAlignedRect().topLeft() + QPoint(2, 2);
    QVERIFY(image.pixelColor(box) != image.pixelColor(QPoint(image.width() - 2, image.height() - 2)));
    const QRectF first = c.view.boxArea(0, 0), second = c.view.boxArea(0, 1);
    QVERIFY(second.left() - first.right() > 1);  // the gap
    if (const QString folder = qEnvironmentVariable("VITRINE_PICTURES"); !folder.isEmpty())
      QVERIFY(image.save(folder + u'/' + QStringLiteral("launches-%1-%2.png").arg(size.width()).arg(fontPt)));
  }

  void launchesAreReadAloud() {
    Compared c;
    c.view.resize(900, 500);
    c.view.show();
    QCOMPARE(c.view.currentRow(), 1);  // the step's own
    QTest::keyClick(&c.view, Qt::Key_Up);
    QCOMPARE(c.view.accessibleDescription(), c.model.describe(0));
    QTest::keyClick(&c.view, Qt::Key_Right);
    QTest::keyClick(&c.view, Qt::Key_Right);
    QCOMPARE(c.view.currentSpan(), 1);
    QCOMPARE(c.view.accessibleDescription(), c.model.describeSpan(0, 1));
    QTest::keyClick(&c.view, Qt::Key_End);
    QCOMPARE(c.view.accessibleDescription(), c.model.describe(2));
    QTest::mouseClick(c.view.viewport(), Qt::LeftButton, {}, c.view.boxArea(1, 3).center().toPoint());
    QCOMPARE(c.view.currentRow(), 1);
    QCOMPARE(c.view.currentSpan(), 3);
    // Fewer ways: the place is one that is there.
    Compared two(2);
    two.view.show();
    QVERIFY(std::ranges::any_of(two.view.labels(), [](const LaunchLabel& label) {
      return label.text == QLatin1String("The same step, two ways");
    }));
  }

  void hiddenLaunchesRest() {
    Compared c;
    c.view.resize(900, 500);
    c.view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&c.view));
    c.view.hide();
    const int paints = c.view.paintCount();
    c.session.goToStep(4);
    QCOMPARE(c.model.rowCount(), 3);
    QCOMPARE(c.view.paintCount(), paints);
    c.view.show();
    QCOMPARE(c.model.rowCount(), 0);
    QTest::keyClick(&c.view, Qt::Key_Right);
    QTest::keyClick(&c.view, Qt::Key_Down);
    QTest::mouseClick(c.view.viewport(), Qt::LeftButton, {}, {200, 150});
  }
};

QTEST_MAIN(TestLaunches)
#include "tst_launches.moc"
