// Matrices in blocks stay packed and lose nothing: for every type and every instruction set compiled, a
// product over them has the bits of the product over the floats they stand for, whatever the number of rows.
#include <random>

#include "forced_target.h"
#include "product.h"
#include "support/random_blocks.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

struct Matrix : RandomMatrix {
  Floats floats;
  Matrix(BlockType kind, std::int64_t outputs, std::int64_t inputs, std::mt19937& random)
      : RandomMatrix(kind, outputs, inputs, random), floats(std::size_t(outputs * inputs)) {
    decodeBlocks(type, bytes.data(), floats);
  }
};

Floats normals(std::mt19937& random, std::int64_t count) {
  std::normal_distribution<float> draw;
  Floats values(static_cast<std::size_t>(count));
  for (float& value : values) value = draw(random);
  return values;
}

Floats rowsOf(Backend& backend, const LinearWeight& weight, std::vector<std::int32_t> ids) {
  const Tensor out = backend.allocate(DType::kF32, {std::int64_t(ids.size()), weight.inFeatures});
  backend.embedRows(ids, weight, out.view());
  return download(backend, out.view());
}

}  // namespace

class TestBlockProducts : public QObject {
  Q_OBJECT

 private slots:
  void bitsOfTheFloats_data() {
    QTest::addColumn<qint64>("target");
    QTest::addColumn<int>("type");
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
      for (int type = 0; type < kBlockTypes; ++type)
        QTest::addRow("%s %s", hwy::TargetName(target), blockTypeInfo(BlockType(type)).name)
            << qint64{target} << type;
  }
  void bitsOfTheFloats() {
    QFETCH(qint64, target);
    QFETCH(int, type);
    const ForcedTarget forced(target);
    std::mt19937 random(7);
    for (const std::int64_t in : {256, 768}) {
      Matrix matrix(BlockType(type), 105, in, random);
      const auto backend = makeCpuBackend(2);
      const WeightRows parts[] = {matrix.blocks()};
      const auto packed = backend->packBlocks(parts);
      const TensorView floats[] = {view(matrix.floats, {matrix.out, in})};
      const auto wide = backend->packLinear(floats, WeightFormat::kF32);
      QCOMPARE(packed->outFeatures, matrix.out);
      const Floats bias = normals(random, matrix.out);
      for (const std::int64_t rows : {1, 2, 5, 7, 50, 97}) {
        const Floats x = normals(random, rows * in);
        QVERIFY(sameBits(multiply(*backend, *packed, x, bias), multiply(*backend, *wide, x, bias)));
      }
    }
  }

  // Any row of the matrix comes back to the bit: nothing was lost in packing.
  void rowsComeBack() {
    std::mt19937 random(8);
    const auto backend = makeCpuBackend(1);
    for (int type = 0; type < kBlockTypes; ++type) {
      const Matrix matrix(BlockType(type), 70, 512, random);
      const WeightRows parts[] = {matrix.blocks()};
      const auto packed = backend->packBlocks(parts);
      const Floats rows = rowsOf(*backend, *packed, {69, 0, 33});
      int at = 0;
      for (const std::size_t row : {69, 0, 33})
        for (std::size_t i = 0; i < 512; ++i) QCOMPARE(rows[at++], matrix.floats[row * 512 + i]);
    }
  }

  // q and k in one type, v in another: a file mixes types, and the decoder wants one matrix.
  void typesOneAboveAnother() {
    std::mt19937 random(9);
    const auto backend = makeCpuBackend(2);
    std::vector<Matrix> matrices;
    for (const BlockType type : {BlockType::kQ4K, BlockType::kQ4K, BlockType::kQ6K, BlockType::kF32})
      matrices.emplace_back(type, 40 + 3 * std::int64_t(matrices.size()), 256, random);
    std::vector<WeightRows> parts;
    Floats all;
    for (const Matrix& matrix : matrices) {
      parts.push_back(matrix.blocks());
      all.insert(all.end(), matrix.floats.begin(), matrix.floats.end());
    }
    const auto packed = backend->packBlocks(parts);
    const TensorView floats[] = {view(all, {packed->outFeatures, 256})};
    const auto wide = backend->packLinear(floats, WeightFormat::kF32);
    QCOMPARE(packed->outFeatures, wide->outFeatures);
    const Floats bias = normals(random, packed->outFeatures), x = normals(random, 9 * 256);
    QVERIFY(sameBits(multiply(*backend, *packed, x, bias), multiply(*backend, *wide, x, bias)));
    const Floats rows = rowsOf(*backend, *packed, {0, 39, 40, 82, 83, 128, 129, 177});
    int at = 0;
    for (const std::size_t row : {0, 39, 40, 82, 83, 128, 129, 177})
      for (std::size_t i = 0; i < 256; ++i) QCOMPARE(rows[at++], all[row * 256 + i]);
  }

  // Packed is packed: at most 10 % above the bytes of the file, whole panels assumed.
  void bytesOfAPackedMatrix() {
    std::mt19937 random(10);
    const auto backend = makeCpuBackend(1);
    for (int type = 0; type < kBlockTypes; ++type) {
      const Matrix matrix(BlockType(type), 64, 512, random);
      const WeightRows parts[] = {matrix.blocks()};
      const double growth = double(backend->packBlocks(parts)->bytes) / double(matrix.bytes.size());
      QVERIFY2(growth >= 1 && growth <= 1.06, qPrintable(QString::number(growth)));
    }
  }
};

QTEST_APPLESS_MAIN(TestBlockProducts)
#include "tst_block_products.moc"
