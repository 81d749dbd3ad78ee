// Products in bf16: within an instruction set a row is the same in any company, beside a naive loop over
// rounded numbers nothing but the order of the sums differs, and what is not finite stays in its row.
#include <cmath>
#include <limits>

#include "formats/small_floats.h"
#include "set_products.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>

using namespace vitrine;
using namespace vitrine::cpu;
using namespace vitrine::test;

namespace {

Product randomProduct(std::int64_t in, std::int64_t out, Random& random) {
  return {in, out, WeightFormat::kBf16, random.reals(in * out), random.reals(out)};
}

float rounded(float value) { return bf16ToFloat(floatToBf16(value)); }

std::unique_ptr<Backend> inBf16(int threads) { return makeCpuBackend(threads, {}, Compute::kBf16); }

}  // namespace

class TestBf16Products : public QObject {
  Q_OBJECT

 private slots:
  void everySetMultipliesRoundedNumbers_data() {
    QTest::addColumn<int>("set");
    for (int set = 0; set < static_cast<int>(bf16Kernels().size()); ++set)
      QTest::addRow("%s", bf16Kernels()[static_cast<std::size_t>(set)]->name) << set;
  }
  // Beside sums in double precision: a sum of n numbers rounds n times by half of the last place at most.
  void everySetMultipliesRoundedNumbers() {
    QFETCH(int, set);
    const Bf16Kernels& kernels = *bf16Kernels()[static_cast<std::size_t>(set)];
    ThreadPool pool(1);
    Random random(21);
    for (const std::int64_t in : {1, 2, 31, 64, 129, 300})
      for (const std::int64_t out : {1, 33, 96, 170}) {
        Product m = randomProduct(in, out, random);
        for (const std::int64_t rows : {1, 2, 5, 7, 16, 50, 97}) {
          const Floats x = random.reals(rows * in, 8), got = multiply(kernels, m, x, pool);
          for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t column = 0; column < out; ++column) {
              double sum = 0, magnitude = 0;
              for (std::int64_t i = 0; i < in; ++i) {
                const double product = double{rounded(x[static_cast<std::size_t>(row * in + i)])} *
                                       double{rounded(m.weight[static_cast<std::size_t>(column * in + i)])};
                sum += product;
                magnitude += std::abs(product);
              }
              const double bias = double{m.bias[static_cast<std::size_t>(column)]};
              const double off =
                  std::abs(double{got[static_cast<std::size_t>(row * out + column)]} - sum - bias);
              QVERIFY2(
                  off <= 0x1p-24 * (static_cast<double>(in) + 2) * (magnitude + std::abs(bias)),
                  qPrintable(QString("%1 rows, %2 -> %3: off by %4").arg(rows).arg(in).arg(out).arg(off)));
            }
        }
      }
  }

  void aRowIsTheSameInAnyCompany_data() { everySetMultipliesRoundedNumbers_data(); }
  void aRowIsTheSameInAnyCompany() {
    QFETCH(int, set);
    const Bf16Kernels& kernels = *bf16Kernels()[static_cast<std::size_t>(set)];
    ThreadPool pool(1);
    Random random(7);
    for (const std::int64_t in : {17, 256, 331})
      for (const std::int64_t out : {31, 160, 257}) {
        Product m = randomProduct(in, out, random);
        constexpr std::int64_t kRows = 101;
        const Floats x = random.reals(kRows * in), all = multiply(kernels, m, x, pool);
        for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 11, 17, 23, 33, 50}) {
          const SomeRows some(x, all, in, out, rows, random);
          QVERIFY2(sameBits(multiply(kernels, m, some.x, pool), some.expected),
                   qPrintable(QString("%1 rows of %2, %3 -> %4").arg(rows).arg(kRows).arg(in).arg(out)));
        }
      }
  }

  void theBackendMultipliesSoOnAnyThreads() {
    const auto one = inBf16(1), five = inBf16(5);
    ThreadPool pool(1);
    Random random(8);
    Product m = randomProduct(200, 300, random);
    const Floats x = random.reals(60 * m.in), all = multiply(*one, m, x);
    QVERIFY(sameBits(multiply(*five, m, x), all));
    QVERIFY(sameBits(multiply(*bf16Kernels().front(), m, x, pool), all));
  }

  // What is not finite reaches the sums of its own row, as in float32, and no other row's.
  void numbersThatAreNone() {
    const auto backend = inBf16(2);
    Random random(5);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::max()}) {
      Product m = randomProduct(96, 40, random);
      Floats x = random.reals(9 * m.in);
      const Floats before = multiply(*backend, m, x);
      x[static_cast<std::size_t>(4 * m.in + 70)] = bad;  // the largest number is rounded to infinity
      const Floats after = multiply(*backend, m, x);
      for (std::size_t i = 0; i < after.size(); ++i)
        if (i / 40 == 4)
          QVERIFY(!std::isfinite(after[i]));
        else
          QCOMPARE(after[i], before[i]);
    }
  }

  void otherWeightsAreMultipliedAsFloats() {
    const auto backend = inBf16(2), other = makeCpuBackend(2);
    Random random(9);
    for (const WeightFormat format :
         {WeightFormat::kF32, WeightFormat::kF16, WeightFormat::kInt8, WeightFormat::kInt4}) {
      Product m = randomProduct(100, 70, random);
      m.format = format;
      const Floats x = random.reals(8 * m.in);
      QVERIFY(sameBits(multiply(*backend, m, x), multiply(*other, m, x)));
    }
  }

  // A tied head's rows are read as embeddings.
  void aColumnIsReadBack() {
    ThreadPool pool(1);
    Random random(10);
    Product m = randomProduct(45, 70, random);
    const TensorView parts[] = {view(m.weight, {m.out, m.in})};
    const PackedWeight packed(parts, m.format, Compute::kBf16, pool);
    Floats column(static_cast<std::size_t>(m.in));
    for (std::int64_t at = 0; at < m.out; ++at) {
      packed.column(at, column);
      for (std::int64_t i = 0; i < m.in; ++i)
        QCOMPARE(column[static_cast<std::size_t>(i)],
                 rounded(m.weight[static_cast<std::size_t>(at * m.in + i)]));
    }
  }
};

QTEST_APPLESS_MAIN(TestBf16Products)
#include "tst_bf16_products.moc"
