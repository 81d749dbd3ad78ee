// A model that is looked into: its tensors as a table with filter and order, the histogram of one, a group of
// weights from bits to floats, the types as shares of a bar: the figures that are given are those that are
// shown, painted and read out.
#include <QAbstractItemModelTester>
#include <QImage>
#include <QLineEdit>
#include <QTest>
#include <cmath>

#include "widgets/painting/named_values_model.h"
#include "widgets/support/formats.h"
#include "widgets/support/table_export.h"
#include "widgets/weights/histogram_view.h"
#include "widgets/weights/packed_group_view.h"
#include "widgets/weights/tensor_table_model.h"
#include "widgets/weights/type_shares_bar.h"

using namespace vitrine;

namespace {

std::vector<InspectedTensor> fourTensors() {
  return {{"token_embd.weight", "Q8_0", {1000, 64}, 68000, 32},
          {"blk.0.attn_q.weight", "Q4_0", {64, 64}, 2304, 32},
          {"blk.10.attn_q.weight", "Q4_0", {128, 64}, 4608, 32},
          {"blk.10.attn_norm.weight", "F32", {64}, 256, 32}};
}

QStringList namesOf(const TensorTableModel& model) {
  QStringList names;
  for (int row = 0; row < model.rowCount(); ++row) names << QString::fromStdString(model.at(row).name);
  return names;
}

InspectedWeights fiveBins() {
  InspectedWeights weights;
  weights.tensor = {"blk.0.attn_q.weight", "Q4_0", {10, 10}, 56, 32};
  weights.least = -1;
  weights.most = 1.5;
  weights.histogram = {10, 20, 40, 30, 0};
  return weights;
}

// Four bits each: weight = 0.5 * value - 4.
InspectedGroup packedGroup() {
  InspectedGroup group;
  group.type = "Q4_1";
  group.row = 3;
  group.firstInput = 32;
  group.bitWidth = 4;
  group.scale = 0.5;
  group.minimum = -4;
  for (int i = 0; i < 32; ++i) {
    group.bits.push_back(i % 16);
    group.values.push_back(i % 16);
    group.weights.push_back(0.5F * static_cast<float>(i % 16) - 4);
  }
  return group;
}

InspectedGroup floatGroup() {
  InspectedGroup group;
  group.type = "BF16";
  for (int i = 0; i < 32; ++i) group.weights.push_back(static_cast<float>(i) / 8);
  return group;
}

template <class Model, class View>
struct Shown {
  Session session;
  Model model{&session};
  View view{&model};

  explicit Shown(QSize size = {640, 420}) {
    view.resize(size);
    view.show();
  }
};

}  // namespace

class TestInspectViews : public QObject {
  Q_OBJECT

 private slots:
  void tensorsAreFilteredByWordsTypeAndLayer() {
    Session session;
    TensorTableModel model(&session);
    const QAbstractItemModelTester tester(&model);
    model.setTensors(fourTensors());
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.layers(), 11);
    model.setWords("attn_q");
    QCOMPARE(namesOf(model), QStringList({"blk.0.attn_q.weight", "blk.10.attn_q.weight"}));
    model.setWords("q4_0 10");
    QCOMPARE(namesOf(model), QStringList({"blk.10.attn_q.weight"}));
    model.setWords("Q4");  // no type, and in no name
    QCOMPARE(model.rowCount(), 0);
    model.setWords({});
    model.setLayer(10);
    QCOMPARE(namesOf(model), QStringList({"blk.10.attn_q.weight", "blk.10.attn_norm.weight"}));
    model.setLayer(TensorTableModel::kNoLayer);
    QCOMPARE(namesOf(model), QStringList({"token_embd.weight"}));
    model.setLayer(5);
    QCOMPARE(model.rowCount(), 0);
    model.setLayer(TensorTableModel::kAllLayers);
    QCOMPARE(model.rowOf("blk.10.attn_norm.weight"), 3);
    QCOMPARE(model.rowOf("no such"), -1);
  }

  void tensorsAreSortedByNumbersAndBack() {
    Session session;
    TensorTableModel model(&session);
    const QAbstractItemModelTester tester(&model);
    model.setTensors(fourTensors());
    const QStringList asInTheFile = namesOf(model);
    model.sort(TensorTableModel::kBytes);
    QCOMPARE(namesOf(model), QStringList({"blk.10.attn_norm.weight", "blk.0.attn_q.weight",
                                          "blk.10.attn_q.weight", "token_embd.weight"}));
    model.sort(TensorTableModel::kShape, Qt::DescendingOrder);
    QCOMPARE(model.at(0).name, std::string("token_embd.weight"));
    QCOMPARE(model.at(3).name, std::string("blk.10.attn_norm.weight"));
    model.sort(-1);
    QCOMPARE(namesOf(model), asInTheFile);
    QCOMPARE(toCsv(model), QString("Tensor,Type,Shape,Bytes\r\n"
                                   "token_embd.weight,Q8_0,\"1,000 × 64\",68000\r\n"
                                   "blk.0.attn_q.weight,Q4_0,64 × 64,2304\r\n"
                                   "blk.10.attn_q.weight,Q4_0,128 × 64,4608\r\n"
                                   "blk.10.attn_norm.weight,F32,64,256\r\n"));
  }

  void barsOfTheHistogramAreAsHighAsTheirShares() {
    Shown<HistogramModel, HistogramView> shown;
    const QAbstractItemModelTester tester(&shown.model);
    shown.model.setWeights(fiveBins());
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    const HistogramView& view = shown.view;
    const auto height = [&](int bin) { return view.binArea(bin).height(); };
    QVERIFY(height(2) > 50);
    QVERIFY(std::abs(height(2) - 4 * height(0)) < 0.01 && std::abs(height(3) - 3 * height(0)) < 0.01);
    QVERIFY(std::abs(height(4)) < 0.01);
    for (int bin = 1; bin < 5; ++bin) QVERIFY(view.binArea(bin).left() > view.binArea(bin - 1).right());
    const QImage image = toImage(view.picture(), 1.0);
    const QColor base = Theme::of(&view).base();
    QVERIFY(image.pixelColor(view.binArea(2).center().toPoint()) != base);
    const QPointF above(view.binArea(0).center().x(), view.binArea(2).top() + 8);
    QCOMPARE(image.pixelColor(above.toPoint()), base);  // over the low bar
  }

  void keysAndClicksWalkTheHistogram() {
    Shown<HistogramModel, HistogramView> shown;
    shown.model.setWeights(fiveBins());
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QTest::keyClick(&shown.view, Qt::Key_End);
    QCOMPARE(shown.view.currentBin(), 4);
    QTest::keyClick(&shown.view, Qt::Key_Right);  // no further
    QTest::keyClick(&shown.view, Qt::Key_Left);
    QCOMPARE(shown.view.currentBin(), 3);
    QCOMPARE(shown.view.accessibleDescription(), QString("0.5 to 1: 30 weights, 30.0 %"));
    const QPoint over(static_cast<int>(shown.view.binArea(0).center().x()), 20);  // above its bar
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, over);
    QCOMPARE(shown.view.accessibleDescription(), QString("−1 to −0.5: 10 weights, 10.0 %"));
    QCOMPARE(shown.view.csv().section("\r\n", 1, 1), QString("-1,-0.5,10,0.1"));
    shown.model.clear();
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QVERIFY(shown.view.summary().isEmpty());
  }

  void equalWeightsHaveAHistogram() {
    Shown<HistogramModel, HistogramView> shown;
    for (const double weight : {0.0, 1.0, -3e30}) {
      InspectedWeights weights = fiveBins();
      weights.least = weights.most = weight;
      weights.histogram = {100, 0, 0, 0, 0};
      shown.model.setWeights(weights);
      QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
      QVERIFY(shown.view.binArea(0).height() > 50 && std::isfinite(shown.view.binArea(0).left()));
    }
  }

  void aGroupSaysHowBitsBecomeFloats() {
    Shown<PackedGroupModel, PackedGroupView> shown;
    const QAbstractItemModelTester tester(&shown.model);
    shown.model.setGroup(packedGroup());
    QCOMPARE(shown.model.formula(), QString("weight = 0.5 × value − 4"));
    QCOMPARE(shown.model.describe(11), QString("input 43: bits 1011 stand for 11; 0.5 × 11 − 4 = 1.5"));
    QCOMPARE(toCsv(shown.model).section("\r\n", 0, 1), QString("Input,Bits,Value,Weight\r\n32,0000,0,-4"));
    InspectedGroup signed4 = packedGroup();
    signed4.minimum = 0;
    signed4.values[0] = -8;
    shown.model.setGroup(signed4);
    QCOMPARE(shown.model.formula(), QString("weight = 0.5 × value"));
    QVERIFY(shown.model.describe(0).contains("0.5 × (−8) ="));
    shown.model.setGroup(floatGroup());
    QCOMPARE(shown.model.columnCount(), 2);
    QVERIFY(shown.model.formula().startsWith("Floats"));
    QCOMPARE(shown.model.describe(1), QString("input 1: 0.125"));
    shown.model.clear();
    QVERIFY(shown.model.formula().isEmpty());
  }

  // Filled squares are ones, from the highest bit on.
  void bitsArePaintedAsSquares() {
    Shown<PackedGroupModel, PackedGroupView> shown;
    shown.model.setGroup(packedGroup());
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    const QImage image = toImage(shown.view.picture(), 1.0);
    const QColor ink = Theme::of(&shown.view).text();
    const auto inked = [&](int weight, bool left) {
      QRect area = shown.view.cellArea(weight).toAlignedRect();
      const int line = shown.view.fontMetrics().height();
      area.setTop(area.top() + line + 4);  // below the input's number
      area.setHeight(std::max(7, line / 2));
      left ? area.setRight(area.center().x() - 1) : area.setLeft(area.center().x() + 1);
      int count = 0;
      for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) count += image.pixelColor(x, y) == ink ? 1 : 0;
      return count;
    };
    QCOMPARE(inked(0, true) + inked(0, false), 0);           // 0000
    QVERIFY(inked(15, true) > 30);                           // 1111
    QVERIFY(inked(12, true) > 30 && inked(12, false) == 0);  // 1100
    QVERIFY(inked(3, true) == 0 && inked(3, false) > 30);    // 0011
  }

  void keysAndClicksWalkTheGroup() {
    Shown<PackedGroupModel, PackedGroupView> shown;
    shown.model.setGroup(packedGroup());
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    const int columns = shown.view.columns();
    QVERIFY(columns > 1 && (columns & (columns - 1)) == 0 && 32 % columns == 0);
    QTest::keyClick(&shown.view, Qt::Key_Down);
    QCOMPARE(shown.view.currentWeight(), columns);
    QTest::keyClick(&shown.view, Qt::Key_Left);
    QCOMPARE(shown.view.currentWeight(), columns - 1);
    QTest::keyClick(&shown.view, Qt::Key_Up);  // no further
    QCOMPARE(shown.view.currentWeight(), columns - 1);
    QTest::keyClick(&shown.view, Qt::Key_End);
    QCOMPARE(shown.view.accessibleDescription(), shown.model.describe(31));
    QTest::keyClick(&shown.view, Qt::Key_Home);
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, shown.view.cellArea(1).center().toPoint());
    QCOMPARE(shown.view.accessibleDescription(), shown.model.describe(1));
    shown.view.resize(120, 300);  // too narrow for two
    QTRY_COMPARE(shown.view.columns(), 1);
  }

  void typesShareTheBar() {
    TypeSharesBar bar;
    bar.setShares({{"Q4_K", 20, 750, 0.75}, {"Q6_K", 2, 240, 0.24}, {"F32", 9, 10, 0.01}});
    bar.resize(400, bar.heightForWidth(400));
    bar.show();
    QVERIFY(QTest::qWaitForWindowExposed(&bar));
    QCOMPARE(bar.text().section('\n', 0, 0).left(12), QString("Q4_K: 75.0 %"));
    QCOMPARE(bar.accessibleDescription(), bar.text());
    const QImage image = bar.grab().toImage();
    const qreal scale = image.devicePixelRatio();
    const Theme theme = Theme::of(&bar);
    const auto colourAt = [&](double x) {
      return image.pixelColor(static_cast<int>(x * scale), static_cast<int>(3 * scale));
    };
    QCOMPARE(colourAt(10), theme.request(0));
    QCOMPARE(colourAt(290), theme.request(0));
    QVERIFY(colourAt(310) != theme.request(0));
    QVERIFY(bar.heightForWidth(90) > bar.heightForWidth(400));  // the names take lines of their own
  }

  void valuesHaveNames() {
    Session session;
    NamedValuesModel model(&session, "Key", "Value");
    const QAbstractItemModelTester tester(&model);
    model.setValues({{"llama.block_count", "22", {}}, {"Q4_0", "6.1 %", 0.061}});
    QCOMPARE(toCsv(model), QString("Key,Value\r\nllama.block_count,22\r\nQ4_0,0.061\r\n"));
    model.setValues({});
    QCOMPARE(model.rowCount(), 0);
  }
};

QTEST_MAIN(TestInspectViews)
#include "tst_inspect_views.moc"
