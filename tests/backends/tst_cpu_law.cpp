// The law, to the bit: one row or five hundred, any chunk, any block table, any block size, any number of
// threads, alone or together, the CPU backend gives the same floats. For every instruction set compiled.
#include "forced_target.h"
#include "formats/quantize.h"
#include "formats/small_floats.h"
#include "product.h"
#include "vitrine/engine.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

void addTargets() {
  QTest::addColumn<qint64>("target");
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    QTest::addRow("%s", hwy::TargetName(target)) << qint64{target};
}

constexpr WeightFormat kFormats[] = {WeightFormat::kF32, WeightFormat::kBf16, WeightFormat::kF16,
                                     WeightFormat::kInt8, WeightFormat::kInt4};

}  // namespace

class TestCpuLaw : public QObject {
  Q_OBJECT

 private slots:
  void aRowOfAProductIsTheSameInAnyCompany_data() { addTargets(); }
  void aRowOfAProductIsTheSameInAnyCompany() {
    QFETCH(qint64, target);
    const ForcedTarget forced(target);
    const auto one = makeCpuBackend(1), two = makeCpuBackend(2), five = makeCpuBackend(5);
    Random random(7);
    for (const WeightFormat format : kFormats)
      for (const std::int64_t in : {1, 17, 256, 300, 1031})
        for (const std::int64_t out : {1, 31, 33, 160, 257}) {
          Product p{in, out, format, random.reals(in * out), random.reals(out)};
          constexpr std::int64_t kRows = 101;
          const Floats x = random.reals(kRows * in);
          const Floats all = multiply(*one, p, x);
          QVERIFY(sameBits(multiply(*two, p, x), all));
          QVERIFY(sameBits(multiply(*five, p, x), all));
          for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 11, 13, 23, 50}) {
            const SomeRows some(x, all, in, out, rows, random);
            QVERIFY2(sameBits(multiply(*two, p, some.x), some.expected),
                     qPrintable(QString("%1 rows of %2, %3 -> %4").arg(rows).arg(kRows).arg(in).arg(out)));
          }
        }
  }

  void aNarrowFormatIsThatOfTheFloatsItStandsFor_data() { addTargets(); }
  void aNarrowFormatIsThatOfTheFloatsItStandsFor() {
    QFETCH(qint64, target);
    const ForcedTarget forced(target);
    const auto backend = makeCpuBackend(2);
    Random random(8);
    for (const WeightFormat format : kFormats)
      for (const std::int64_t in : {1, 31, 32, 129, 300})
        for (const std::int64_t rows : {1, 2, 4, 6, 7, 13, 50}) {
          const std::int64_t out = random.between(1, 170);
          Product narrow{in, out, format, random.reals(in * out), random.reals(out)};
          const Floats x = random.reals(rows * in);
          Product wide = narrow;
          wide.format = WeightFormat::kF32;
          for (std::int64_t row = 0; row < out; ++row) {
            const std::span weights(wide.weight.data() + row * in, static_cast<std::size_t>(in));
            if (format == WeightFormat::kInt8 || format == WeightFormat::kInt4)
              quantizeInPlace(weights, format == WeightFormat::kInt8 ? 8 : 4);
            for (float& weight : weights) {
              if (format == WeightFormat::kBf16) weight = bf16ToFloat(floatToBf16(weight));
              if (format == WeightFormat::kF16) weight = halfToFloat(floatToHalf(weight));
            }
          }
          QVERIFY2(sameBits(multiply(*backend, narrow, x), multiply(*backend, wide, x)),
                   qPrintable(
                       QString("format %1, %2 rows, %3 -> %4").arg(int(format)).arg(rows).arg(in).arg(out)));
        }
  }

  void attentionIsTheSameHoweverItIsFed_data() {
    QTest::addColumn<qint64>("target");
    QTest::addColumn<QString>("kernel");
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
      for (const std::string& kernel : attentionKernelNames())
        QTest::addRow("%s %s", hwy::TargetName(target), kernel.c_str())
            << qint64{target} << QString::fromStdString(kernel);
  }
  void attentionIsTheSameHoweverItIsFed() {
    QFETCH(qint64, target);
    QFETCH(QString, kernel);
    const ForcedTarget forced(target);
    const auto one = makeCpuBackend(1, kernel.toStdString()), two = makeCpuBackend(2, kernel.toStdString());
    constexpr KvType kKvTypes[] = {KvType::kSame, KvType::kInt8, KvType::kSame, KvType::kBf16};
    Random random(11);
    for (int round = 0; round < 12; ++round) {
      AttendedSequences c = AttendedSequences::random(random, round % 3 == 0 ? 210 : 90);
      c.kvType = kKvTypes[round % 4];
      const std::vector<Floats> whole = attend(*one, c, {.blockSize = 256, .together = false});
      for (const int blockSize : {1, 3, 16, 64})
        for (const int maxChunk : {1, 7, 1 << 20}) {
          const Feeding feeding{.blockSize = blockSize,
                                .maxChunk = maxChunk,
                                .together = random.between(0, 1) == 1,
                                .shuffledBlocks = true,
                                .fused = random.between(0, 1) == 1,
                                .seed = static_cast<unsigned>(round)};
          const std::vector<Floats> other = attend(*two, c, feeding);
          for (std::size_t s = 0; s < whole.size(); ++s)
            QVERIFY2(sameBits(other[s], whole[s]),
                     qPrintable(QString("round %1, sequence %2 of %3 tokens, blocks of %4, chunks up to %5, "
                                        "head dimension %6, window %7")
                                    .arg(round)
                                    .arg(s)
                                    .arg(c.lengths[s])
                                    .arg(blockSize)
                                    .arg(maxChunk)
                                    .arg(c.headDim)
                                    .arg(c.parameters.slidingWindow)));
        }
    }
  }

  void rowOperationsAreTheSameInAnyCompany_data() { addTargets(); }
  void rowOperationsAreTheSameInAnyCompany() {
    QFETCH(qint64, target);
    const ForcedTarget forced(target);
    const auto one = makeCpuBackend(1), three = makeCpuBackend(3);
    Random random(13);
    for (const std::int64_t n : {2, 6, 16, 30, 250, 2048}) {
      constexpr std::int64_t kRows = 65;
      Floats x = random.reals(kRows * n, 5), delta = random.reals(kRows * n), weight = random.reals(n);
      const auto run = [&](Backend& backend, std::int64_t first, std::int64_t rows) {
        const Tensor w = backend.upload(view(weight, {n}));
        const Tensor residual = backend.upload(view(x, {kRows, n}).rows(first, rows));
        const Tensor d = backend.upload(view(delta, {kRows, n}).rows(first, rows));
        const Tensor out = backend.allocate(DType::kF32, {rows, n}),
                     half = backend.allocate(DType::kF32, {rows, n / 2});
        backend.addRmsNorm(residual.view(), d.view(), w.view(), 1e-6f, out.view());
        backend.gate(out.view(), half.view());
        backend.rotary(residual.view().heads(1, n), half.view(), half.view());
        Floats result = download(backend, out.view());
        for (const Tensor& more : {half, residual}) {
          const Floats values = download(backend, more.view());
          result.insert(result.end(), values.begin(), values.end());
        }
        return result;
      };
      const Floats all = run(*one, 0, kRows);
      QVERIFY(sameBits(run(*three, 0, kRows), all));
      const std::int64_t widths[] = {n, n / 2, n};
      for (const std::int64_t first : {0, 1, 31, 64}) {
        const Floats row = run(*three, first, 1);
        std::int64_t at = 0, base = 0;
        for (const std::int64_t width : widths) {
          QVERIFY(std::equal(row.begin() + at, row.begin() + at + width, all.begin() + base + first * width));
          at += width;
          base += kRows * width;
        }
      }
    }
  }

  // Not part of the law, but free: sums are laid out by lane numbers of the format, not of the machine.
  void everyMachineWithFusedMultiplyAddAgrees() {
    std::vector<std::vector<Floats>> products, attended;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      const std::string name = hwy::TargetName(target);
      if (name.find("AVX") == std::string::npos) continue;
      const ForcedTarget forced(target);
      const auto backend = makeCpuBackend(2), reference = makeCpuBackend(2, "reference");
      const std::string shown = name.starts_with("AVX3") ? "AVX-512" : name;
      QVERIFY2(backend->device().find(shown) == 0, backend->device().c_str());
      Random random(17);
      Product p{700, 130, WeightFormat::kF32, random.reals(700 * 130), random.reals(130)};
      const Floats x = random.reals(19 * 700);
      products.emplace_back();
      for (const WeightFormat format : kFormats) {
        p.format = format;
        products.back().push_back(multiply(*backend, p, x));
      }
      const AttendedSequences c = AttendedSequences::random(random, 200);
      attended.push_back({attend(*backend, c, {})[0], attend(*reference, c, {})[0]});
      for (const KvType type : {KvType::kBf16, KvType::kInt8}) {
        AttendedSequences rounded = c;
        rounded.kvType = type;
        attended.back().push_back(attend(*backend, rounded, {})[0]);
      }
    }
#if defined(__x86_64__)
    const bool two = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512bw");
#else
    const bool two = false;
#endif
    if (!two) QSKIP("this processor has fewer than two of the instruction sets that are compiled here");
    QVERIFY2(products.size() >= 2, "the processor has AVX2 and AVX-512, and not both were tried");
    for (std::size_t i = 1; i < products.size(); ++i) {
      for (std::size_t format = 0; format < products[0].size(); ++format)
        QVERIFY(sameBits(products[i][format], products[0][format]));
      for (std::size_t kernel = 0; kernel < attended[0].size(); ++kernel)
        QVERIFY(sameBits(attended[i][kernel], attended[0][kernel]));
    }
  }
};

QTEST_APPLESS_MAIN(TestCpuLaw)
#include "tst_cpu_law.moc"
