// Products in int8: every instruction set gives the bits of a naive loop over whole numbers; a row is the
// same in any company; and what they round away beside the product in float32 is small.
#include <cmath>
#include <limits>

#include "set_products.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>

using namespace vitrine;
using namespace vitrine::cpu;
using namespace vitrine::test;

namespace {

Product randomProduct(std::int64_t in, std::int64_t out, WeightFormat format, Random& random) {
  return {in, out, format, random.reals(in * out), random.reals(out)};
}

std::unique_ptr<Backend> inInt8(int threads) { return makeCpuBackend(threads, {}, Compute::kInt8); }

// The root of the mean square of the difference, as a share of that of b.
double differenceOf(const Floats& a, const Floats& b) {
  double off = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    off += std::pow(double{a[i]} - double{b[i]}, 2);
    all += std::pow(double{b[i]}, 2);
  }
  return std::sqrt(off / all);
}

constexpr BlockType kBlocks[] = {BlockType::kQ80,  BlockType::kQ40, BlockType::kQ41,   BlockType::kQ50,
                                 BlockType::kQ51,  BlockType::kQ2K, BlockType::kQ3K,   BlockType::kQ4K,
                                 BlockType::kQ5K,  BlockType::kQ6K, BlockType::kIq4Nl, BlockType::kIq4Xs,
                                 BlockType::kMxfp4};

constexpr WeightFormat kFormats[] = {WeightFormat::kInt8, WeightFormat::kInt4};

}  // namespace

class TestInt8Products : public QObject {
  Q_OBJECT

 private slots:
  void everySetHasTheBitsOfANaiveLoop_data() {
    QTest::addColumn<int>("set");
    for (int set = 0; set < static_cast<int>(int8Kernels().size()); ++set)
      QTest::addRow("%s", int8Kernels()[static_cast<std::size_t>(set)]->name) << set;
  }
  void everySetHasTheBitsOfANaiveLoop() {
    QFETCH(int, set);
    const Int8Kernels& kernels = *int8Kernels()[static_cast<std::size_t>(set)];
    ThreadPool pool(1);
    Random random(11);
    for (const WeightFormat format : kFormats)
      for (const std::int64_t in : {1, 4, 31, 128, 200, 520})
        for (const std::int64_t out : {1, 33, 96, 170}) {
          Product m = randomProduct(in, out, format, random);
          for (const std::int64_t rows : {1, 2, 3, 5, 7, 13, 50, 97}) {
            Floats x = random.reals(rows * in, 8);
            if (rows > 2) std::fill_n(x.begin() + in, in, 0.0f);  // a row of zeros
            QVERIFY2(sameBits(multiply(kernels, m, x, pool), naive(m, x)),
                     qPrintable(QString("%1 rows, %2 -> %3").arg(rows).arg(in).arg(out)));
          }
        }
  }

  void everySetHasTheBitsOfANaiveLoopOverBlocks_data() { everySetHasTheBitsOfANaiveLoop_data(); }
  void everySetHasTheBitsOfANaiveLoopOverBlocks() {
    QFETCH(int, set);
    const Int8Kernels& kernels = *int8Kernels()[static_cast<std::size_t>(set)];
    ThreadPool pool(1);
    Random random(12);
    std::mt19937 bits(12);
    for (const BlockType type : kBlocks)
      for (const std::int64_t in : {1, 5}) {
        const std::int64_t inputs = in * blockTypeInfo(type).length;
        for (const std::int64_t out : {1, 45}) {
          const RandomMatrix m(type, out, inputs, bits);
          const Floats bias = random.reals(out);
          for (const std::int64_t rows : {1, 2, 3, 5, 7, 13, 50}) {
            Floats x = random.reals(rows * inputs, 8);
            if (rows > 2) std::fill_n(x.begin() + inputs, inputs, 0.0f);  // a row of zeros
            QVERIFY2(sameBits(multiply(kernels, m, bias, x, pool), naive(m, bias, x)),
                     qPrintable(QString("%1: %2 rows, %3 -> %4")
                                    .arg(blockTypeInfo(type).name)
                                    .arg(rows)
                                    .arg(inputs)
                                    .arg(out)));
          }
        }
      }
  }

  void aRowIsTheSameInAnyCompany() {
    const auto one = inInt8(1), two = inInt8(2), five = inInt8(5);
    Random random(7);
    for (const WeightFormat format : kFormats)
      for (const std::int64_t in : {17, 256, 1031})
        for (const std::int64_t out : {31, 160, 257}) {
          Product m = randomProduct(in, out, format, random);
          constexpr std::int64_t kRows = 101;
          const Floats x = random.reals(kRows * in), all = multiply(*one, m, x);
          QVERIFY(sameBits(multiply(*two, m, x), all));
          QVERIFY(sameBits(multiply(*five, m, x), all));
          for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 11, 23, 50}) {
            const SomeRows some(x, all, in, out, rows, random);
            QVERIFY2(sameBits(multiply(*two, m, some.x), some.expected),
                     qPrintable(QString("%1 rows of %2, %3 -> %4").arg(rows).arg(kRows).arg(in).arg(out)));
          }
        }
  }

  void aRowIsTheSameInAnyCompanyOverBlocks() {
    const auto one = inInt8(1), three = inInt8(3);
    Random random(8);
    std::mt19937 bits(8);
    for (const BlockType type : kBlocks) {
      const RandomMatrix m(type, 161, 512, bits);
      const WeightRows parts[] = {m.blocks()};
      const auto packed = one->packBlocks(parts);
      QVERIFY(packed->arithmetic == Compute::kInt8);
      constexpr std::int64_t kRows = 101;
      const Floats bias = random.reals(m.out), x = random.reals(kRows * m.in),
                   all = multiply(*one, *packed, x, bias);
      QVERIFY(sameBits(multiply(*three, *packed, x, bias), all));
      for (const std::int64_t rows : {1, 2, 4, 7, 23, 50}) {
        const SomeRows some(x, all, m.in, m.out, rows, random);
        QVERIFY2(sameBits(multiply(*three, *packed, some.x, bias), some.expected), blockTypeInfo(type).name);
      }
    }
  }

  // q and k in one type, v in another or in floats: each part as if it were alone.
  void blocksAndFloatsOneAboveAnother() {
    const auto backend = inInt8(2);
    Random random(4);
    std::mt19937 bits(4);
    const RandomMatrix q(BlockType::kQ4K, 64, 256, bits), v(BlockType::kQ6K, 40, 256, bits),
        last(BlockType::kF16, 33, 256, bits);
    const WeightRows parts[] = {q.blocks(), v.blocks(), last.blocks()};
    const auto packed = backend->packBlocks(parts);
    const std::int64_t rows = 9;
    const Floats x = random.reals(rows * 256), all = multiply(*backend, *packed, x, Floats(137, 0));
    std::int64_t column = 0;
    for (const WeightRows& part : parts) {
      const auto alone = backend->packBlocks({&part, 1});
      const Floats own = multiply(*backend, *alone, x, Floats(static_cast<std::size_t>(part.outFeatures), 0));
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t i = 0; i < part.outFeatures; ++i)
          QCOMPARE(all[static_cast<std::size_t>(row * 137 + column + i)],
                   own[static_cast<std::size_t>(row * part.outFeatures + i)]);
      column += part.outFeatures;
    }
  }

  // Of blocks only x is rounded, so less than with weights of our own.
  void littleIsRoundedAwayOverBlocks() {
    const auto rounded = inInt8(2), whole = makeCpuBackend(2);
    Random random(13);
    std::mt19937 bits(13);
    for (const BlockType type : kBlocks) {
      const RandomMatrix m(type, 300, 2048, bits);
      const WeightRows parts[] = {m.blocks()};
      const Floats bias(300, 0), x = random.reals(40 * m.in),
                                 a = multiply(*rounded, *rounded->packBlocks(parts), x, bias),
                                 b = multiply(*whole, *whole->packBlocks(parts), x, bias);
      const double share = differenceOf(a, b);
      QVERIFY2(share > 1e-4 && share < 6e-3,
               qPrintable(QString("%1: %2").arg(blockTypeInfo(type).name).arg(share)));
    }
  }

  // Beside the product in float32 with what is left of the weights: the root of the mean square of the
  // difference, as a share of that of the product.
  void littleIsRoundedAway() {
    const auto rounded = inInt8(2), whole = makeCpuBackend(2);
    Random random(3);
    for (const WeightFormat format : kFormats) {
      Product m = randomProduct(2048, 300, format, random);
      m.bias.assign(m.bias.size(), 0);
      Product left = m;
      left.format = WeightFormat::kF32;
      for (std::size_t i = 0; i < left.weight.size(); i += kProductGroup) {
        const std::span group(left.weight.data() + i, kProductGroup);
        std::int8_t values[kProductGroup];
        const float scale = bf16ToFloat(quantizeGroup(group, bitsOf(m), values));
        for (std::size_t k = 0; k < group.size(); ++k) group[k] = scale * static_cast<float>(values[k]);
      }
      const Floats x = random.reals(40 * m.in), a = multiply(*rounded, m, x), b = multiply(*whole, left, x);
      const double share = differenceOf(a, b);
      QVERIFY2(share > 1e-4 && share < 6e-3, qPrintable(QString::number(share)));
    }
  }

  // What is not finite reaches the sums of its own row, as in float32, and no other row's.
  void numbersThatAreNone() {
    const auto backend = inInt8(2);
    Random random(5);
    for (const WeightFormat format : kFormats)
      for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()}) {
        Product m = randomProduct(96, 40, format, random);
        Floats x = random.reals(9 * m.in);
        const Floats before = multiply(*backend, m, x);
        x[static_cast<std::size_t>(4 * m.in + 70)] = bad;
        const Floats after = multiply(*backend, m, x);
        for (std::size_t i = 0; i < after.size(); ++i)
          if (i / 40 == 4)
            QVERIFY(std::isnan(after[i]));
          else
            QCOMPARE(after[i], before[i]);
      }
  }

  // Numbers next to zero, whose quotient overflows, are zero; the largest ones do not overflow.
  void numbersAtTheEdges() {
    const auto backend = inInt8(1);
    Random random(6);
    Product m = randomProduct(64, 33, WeightFormat::kInt8, random);
    const Floats tiny = multiply(*backend, m, Floats(64, std::numeric_limits<float>::denorm_min()));
    for (std::size_t i = 0; i < tiny.size(); ++i) QCOMPARE(tiny[i], m.bias[i]);
    Floats large(64, 0);
    large[3] = 1e38f, large[40] = -1e38f;
    const Floats huge = multiply(*backend, m, large);
    for (std::size_t i = 0; i < huge.size(); ++i) {
      const float expected = (m.weight[i * 64 + 3] - m.weight[i * 64 + 40]) * 1e38f;
      QVERIFY(std::isfinite(huge[i]) && std::abs(huge[i] - expected) < 3e36f);
    }
  }

  void floatsAreMultipliedAsFloats() {
    const auto backend = inInt8(2), other = makeCpuBackend(2);
    Random random(9);
    for (const WeightFormat format : {WeightFormat::kF32, WeightFormat::kBf16, WeightFormat::kF16}) {
      Product m = randomProduct(100, 70, format, random);
      const Floats x = random.reals(8 * m.in);
      QVERIFY(sameBits(multiply(*backend, m, x), multiply(*other, m, x)));
    }
  }

  // As many bytes as the panels for float32 products, where the groups are whole, but for fewer scales.
  void bytesOfAMatrix() {
    const auto backend = inInt8(1), other = makeCpuBackend(1);
    Random random(10);
    for (const WeightFormat format : kFormats) {
      Product m = randomProduct(512, 96, format, random);
      const TensorView parts[] = {view(m.weight, {m.out, m.in})};
      const std::int64_t scales = (512 / 32 - 512 / kProductGroup) * 96 * 2;
      QCOMPARE(backend->packLinear(parts, format)->bytes, other->packLinear(parts, format)->bytes - scales);
    }
  }
};

QTEST_APPLESS_MAIN(TestInt8Products)
#include "tst_int8_products.moc"
