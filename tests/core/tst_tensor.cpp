// TensorView's slices keep their strides: what a fused q-k-v matrix is cut into.
#include "core/tensor.h"

#include <QTest>
#include <vector>

using namespace vitrine;

class TestTensor : public QObject {
  Q_OBJECT

 private slots:
  void aColumnSliceSeenAsHeadsKeepsTheRowStride() {
    std::vector<float> fused(3 * 20);
    for (std::size_t i = 0; i < fused.size(); ++i) fused[i] = static_cast<float>(i);
    const TensorView matrix(fused.data(), DType::kF32, {3, 20});
    const TensorView heads = matrix.columns(8, 12).heads(3, 4);
    QCOMPARE(heads.rank(), 3);
    QCOMPARE(heads.elements(), std::int64_t{36});
    for (std::int64_t t = 0; t < 3; ++t)
      for (std::int64_t h = 0; h < 3; ++h)
        for (std::int64_t i = 0; i < 4; ++i)
          QCOMPARE(heads.f32()[t * heads.stride(0) + h * heads.stride(1) + i * heads.stride(2)],
                   static_cast<float>(t * 20 + 8 + h * 4 + i));
  }

  void rowsOfASliceAreRowsOfTheMatrix() {
    std::vector<float> data(40);
    const TensorView slice = TensorView(data.data(), DType::kF32, {4, 10}).columns(3, 5).rows(2, 2);
    QCOMPARE(slice.f32(), data.data() + 23);
    QCOMPARE(slice.extent(0), std::int64_t{2});
    QCOMPARE(slice.stride(0), std::int64_t{10});
  }

  void noRowsIsNotNoTensor() {
    float value = 0;
    const TensorView view = TensorView(&value, DType::kF32, {1, 1}).rows(1, 0);
    QVERIFY(!view.empty());
    QCOMPARE(view.elements(), std::int64_t{0});
    QVERIFY(TensorView().empty());
    QCOMPARE(TensorView().elements(), std::int64_t{0});
  }
};

QTEST_APPLESS_MAIN(TestTensor)
#include "tst_tensor.moc"
