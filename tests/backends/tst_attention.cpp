// Every registered attention kernel against the formula in double precision, softmax(q kᵀ scale) v, written
// as loops; against one another; and the registry's answers.
#include "vitrine/engine.h"
#include "vitrine/error.h"
#include "workload.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>
#include <bit>
#include <cmath>

using namespace vitrine;
using namespace vitrine::test;

namespace {

// Relative to the largest value a head can give, which is at most 1 here: float32 sums of some hundreds; in
// bf16 each probability is off by half of the last of its 8 binary places.
double toleranceOf(const QString& kernel) { return kernel == "bf16" ? 0x1.1p-8 : 2e-5; }

void roundAll(std::vector<Floats>& all) {
  for (Floats& values : all) values = rounded(std::move(values), DType::kBf16);
}
// What the kernel multiplies.
AttendedSequences asMultiplied(AttendedSequences c, const QString& kernel) {
  if (kernel != "bf16") return c;
  roundAll(c.q);
  if (c.kvType != KvType::kInt8) roundAll(c.k), roundAll(c.v);
  return c;
}

// One head of one token: what it sees are positions [first, at].
void attendNaively(const AttendedSequences& c, std::size_t s, int at, int head, float* out) {
  const int window = c.parameters.slidingWindow, group = c.heads / c.kvHeads;
  const int first = window > 0 ? std::max(0, at - window + 1) : 0;
  const auto keyAt = [&](int p) { return (std::int64_t{p} * c.kvHeads + head / group) * c.headDim; };
  const float* q = c.q[s].data() + (std::int64_t{at} * c.heads + head) * c.headDim;
  std::vector<double> weights;
  double largest = -1e300, sum = 0;
  for (int p = first; p <= at; ++p) {
    const float* k = c.k[s].data() + keyAt(p);
    double dot = 0;
    for (int i = 0; i < c.headDim; ++i) dot += double{q[i]} * double{k[i]};
    weights.push_back(dot * double{c.parameters.scale});
    largest = std::max(largest, weights.back());
  }
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  for (int i = 0; i < c.headDim; ++i) {
    double value = 0;
    for (int p = first; p <= at; ++p)
      value += weights[static_cast<std::size_t>(p - first)] *
               double{c.v[s][static_cast<std::size_t>(keyAt(p) + i)]};
    out[i] = static_cast<float>(value / sum);
  }
}

std::vector<Floats> attendNaively(const AttendedSequences& c) {
  std::vector<Floats> out;
  for (std::size_t s = 0; s < c.lengths.size(); ++s) {
    Floats& rows = out.emplace_back(c.q[s].size());
    for (int at = 0; at < c.lengths[s]; ++at)
      for (int head = 0; head < c.heads; ++head)
        attendNaively(c, s, at, head, rows.data() + (std::int64_t{at} * c.heads + head) * c.headDim);
  }
  return out;
}

// x as an int8 cache gives it back: a scale for each head of each token, 127 steps to the largest number.
void roundHeads(std::vector<Floats>& all, int headDim) {
  for (Floats& values : all)
    for (auto head = values.begin(); head != values.end(); head += headDim) {
      float largest = 0;
      for (int i = 0; i < headDim; ++i) largest = std::max(largest, std::abs(head[i]));
      for (int i = 0; largest > 0 && i < headDim; ++i)
        head[i] = std::nearbyint(head[i] * (127.0f / largest)) * (largest / 127.0f);
    }
}

// One sequence whose tokens see 40 positions.
AttendedSequences oneInAWindow(Random& random, int length) {
  AttendedSequences c = AttendedSequences::random(random, 1);
  c.parameters.slidingWindow = 40;
  c.lengths = {length};
  c.q = {random.reals(std::int64_t{length} * c.heads * c.headDim)};
  c.k = {random.reals(std::int64_t{length} * c.kvHeads * c.headDim)};
  c.v = {random.reals(std::int64_t{length} * c.kvHeads * c.headDim)};
  return c;
}

void scaleQueries(AttendedSequences& c, float factor) {
  for (Floats& q : c.q)
    for (float& value : q) value *= factor;
}

}  // namespace

class TestAttention : public QObject {
  Q_OBJECT

 private slots:
  void followsTheFormula_data() {
    QTest::addColumn<QString>("kernel");
    for (const std::string& kernel : attentionKernelNames())
      QTest::newRow(kernel.c_str()) << QString::fromStdString(kernel);
  }
  void followsTheFormula() {
    QFETCH(QString, kernel);
    const auto backend = makeCpuBackend(2, kernel.toStdString());
    Random random(21);
    for (int round = 0; round < 40; ++round) {
      AttendedSequences c = AttendedSequences::random(random, round % 4 == 0 ? 300 : 70);
      if (round % 5 == 0) c.parameters.slidingWindow = random.pick({64, 65, 100, 128});
      compare(*backend, kernel, c, random.pick({1, 5, 16, 64, 256}), round);
    }
  }

  void int8FollowsTheFormulaOverRoundedNumbers_data() { followsTheFormula_data(); }
  void int8FollowsTheFormulaOverRoundedNumbers() {
    QFETCH(QString, kernel);
    const auto backend = makeCpuBackend(2, kernel.toStdString());
    Random random(27);
    for (int round = 0; round < 30; ++round) {
      AttendedSequences c = AttendedSequences::random(random, round % 4 == 0 ? 300 : 70);
      c.kvType = KvType::kInt8;
      std::fill_n(c.k[0].begin(), c.headDim, 0.0f);    // a key of zeros has no scale
      std::fill_n(c.v[0].begin(), c.headDim, 1e-42f);  // nor has a value next to nothing
      AttendedSequences rounded = c;
      roundHeads(rounded.k, c.headDim);
      roundHeads(rounded.v, c.headDim);
      std::fill_n(rounded.v[0].begin(), c.headDim, 0.0f);
      compare(*backend, kernel, c, rounded, random.pick({1, 5, 16, 64, 256}), round);
    }
  }

  // The sums have one order, so over numbers that bfloat16 holds both caches give the same bits.
  void bf16IsFloat32OverRoundedNumbers_data() { followsTheFormula_data(); }
  void bf16IsFloat32OverRoundedNumbers() {
    QFETCH(QString, kernel);
    const auto backend = makeCpuBackend(2, kernel.toStdString());
    Random random(29);
    for (int round = 0; round < 30; ++round) {
      AttendedSequences c = AttendedSequences::random(random, round % 4 == 0 ? 300 : 70);
      if (round % 5 == 0) {
        c.v[0][0] = -HUGE_VALF;
        c.k[0][1] = 3.4e38f;                                // rounds to infinity
        c.v[0].back() = std::bit_cast<float>(0x7F800001u);  // a NaN whose upper half is an infinity
      }
      AttendedSequences exact = c;
      roundAll(exact.k), roundAll(exact.v);
      const Feeding feeding{.blockSize = random.pick({1, 5, 16, 64, 256}), .maxChunk = 50};
      const std::vector<Floats> plain = attend(*backend, c, feeding),
                                floats = attend(*backend, exact, feeding);
      c.kvType = KvType::kBf16;
      const std::vector<Floats> stored = attend(*backend, c, feeding);
      for (std::size_t s = 0; s < stored.size(); ++s) {
        QVERIFY2(sameBits(stored[s], floats[s]), qPrintable(QString("round %1").arg(round)));
        // It was bfloat16, which is all the same to a kernel that rounds anyway.
        if (round % 5 != 0) QCOMPARE(sameBits(stored[s], plain[s]), kernel == "bf16");
      }
      QCOMPARE(std::isnan(stored[0].back()), round % 5 == 0);
    }
  }

  // A copied block holds what its original held, scales too; a NaN still reaches every query that sees it.
  void narrowBlocksAreCopiedWhole_data() {
    QTest::addColumn<int>("type");
    for (const KvType type : {KvType::kBf16, KvType::kInt8})
      QTest::newRow(nameOf(type)) << static_cast<int>(type);
  }
  void narrowBlocksAreCopiedWhole() {
    QFETCH(int, type);
    const auto backend = makeCpuBackend(1);
    const auto cache = backend->allocateKv({2, 3, 4, 1, 8, static_cast<KvType>(type)});
    Random random(28);
    Floats k = random.reals(32), v = random.reals(32);
    v[8] = std::nanf("");
    const std::vector<std::int32_t> positions = {0, 1, 2, 3}, start = {0, 4}, context = {4}, first = {0},
                                    copied = {2};
    const auto run = [&](const std::vector<std::int32_t>& table) {
      backend->beginStep({positions, positions, start, context, table, 1});
      const Tensor q = backend->upload(view(k, {4, 1, 8})), out = backend->allocate(DType::kF32, {4, 1, 8});
      backend->attention(q.view(), *cache, 1, {1.0f, 0}, out.view());
      return download(*backend, out.view());
    };
    backend->beginStep({positions, positions, start, context, first, 1});
    for (int layer = 0; layer < 2; ++layer)
      backend->storeKv(view(k, {4, 1, 8}), view(v, {4, 1, 8}), *cache, layer);
    const std::vector<BlockCopy> copies = {{0, 2}};
    backend->copyBlocks(*cache, copies);
    const Floats before = run(first);
    QVERIFY(sameBits(run(copied), before));
    // It spoils its own element, and by an int8 scale its whole head.
    const std::size_t every = static_cast<KvType>(type) == KvType::kInt8 ? 1 : 8;
    for (std::size_t i = 0; i < 32; ++i) QCOMPARE(std::isnan(before[i]), i >= 8 && i % every == 0);
  }

  void oneTokenTakesItsOwnValue_data() { followsTheFormula_data(); }
  void oneTokenTakesItsOwnValue() {
    QFETCH(QString, kernel);
    const auto backend = makeCpuBackend(1, kernel.toStdString());
    Random random(22);
    for (int round = 0; round < 10; ++round) {
      const AttendedSequences c = asMultiplied(AttendedSequences::random(random, 1), kernel);
      const std::vector<Floats> got = attend(*backend, c, {});
      for (std::size_t s = 0; s < got.size(); ++s)
        for (int head = 0; head < c.heads; ++head)
          for (int i = 0; i < c.headDim; ++i)
            QCOMPARE(got[s][static_cast<std::size_t>(head * c.headDim + i)],
                     c.v[s][static_cast<std::size_t>(head / (c.heads / c.kvHeads) * c.headDim + i)]);
    }
  }

  // Scores of thousands: exp overflows unless the maximum is taken off, and a later tile's larger one must
  // wipe out all before it. A score's own error grows with it, so the queries are whole numbers of a power of
  // two and the keys of few bits: every product is exact.
  void hugeScores_data() { followsTheFormula_data(); }
  void hugeScores() {
    QFETCH(QString, kernel);
    const auto backend = makeCpuBackend(1, kernel.toStdString());
    Random random(23);
    for (int round = 0; round < 20; ++round) {
      AttendedSequences c = AttendedSequences::random(random, 200);
      c.parameters.scale = 0.25f;
      for (std::vector<Floats>* all : {&c.q, &c.k})
        for (Floats& values : *all)
          for (float& value : values) value = std::round(value * 8) / 8;
      scaleQueries(c, 256);
      compare(*backend, kernel, c, 16, round);
    }
  }

  // Scores that ascend make flash rescale in every tile; those that descend, never again after the first.
  void ascendingAndDescendingScores_data() { followsTheFormula_data(); }
  void ascendingAndDescendingScores() {
    QFETCH(QString, kernel);
    const auto backend = makeCpuBackend(1, kernel.toStdString());
    Random random(24);
    for (const float slope : {0.5f, -0.5f}) {
      AttendedSequences c = AttendedSequences::random(random, 1);
      c.lengths = {260};
      c.q = {Floats(static_cast<std::size_t>(260 * c.heads * c.headDim), 1.0f)};
      c.v = {random.reals(std::int64_t{260} * c.kvHeads * c.headDim)};
      c.k = {Floats(static_cast<std::size_t>(260 * c.kvHeads * c.headDim))};
      const auto perToken = static_cast<std::size_t>(c.kvHeads * c.headDim);
      for (std::size_t i = 0; i < c.k[0].size(); ++i)
        c.k[0][i] = slope * static_cast<float>(i / perToken) / static_cast<float>(c.headDim);
      c.parameters = {1.0f, 0};
      compare(*backend, kernel, c, 16, 0);
    }
  }

  void kernelsAgree() {
    Random random(25);
    const auto names = attentionKernelNames();
    for (int round = 0; round < 20; ++round) {
      const AttendedSequences c = asMultiplied(AttendedSequences::random(random, 180), "bf16");
      const auto first = attend(*makeCpuBackend(1, "reference"), c, {});
      for (const std::string& name : names) {
        const auto other = attend(*makeCpuBackend(1, name), c, {});
        for (std::size_t s = 0; s < first.size(); ++s)
          QVERIFY(difference(other[s], first[s]) < toleranceOf(QString::fromStdString(name)));
      }
    }
  }

  // A score that is not a number spoils the heads that see it, and no token before it.
  void aNanReachesOnlyQueriesThatSeeIt_data() { followsTheFormula_data(); }
  void aNanReachesOnlyQueriesThatSeeIt() {
    QFETCH(QString, kernel);
    const auto backend = makeCpuBackend(1, kernel.toStdString());
    Random random(26);
    AttendedSequences c = oneInAWindow(random, 120);
    c.k[0][static_cast<std::size_t>(50 * c.kvHeads * c.headDim)] = std::nanf("");  // token 50, first head
    const Floats got = attend(*backend, c, {})[0];
    for (int at = 0; at < 120; ++at)
      for (int head = 0; head < c.heads; ++head) {
        const bool sees = at >= 50 && at < 90 && head < c.heads / c.kvHeads;
        QCOMPARE(std::isnan(got[static_cast<std::size_t>((at * c.heads + head) * c.headDim)]), sees);
      }
  }

  // Nor does a value, which spoils its own element alone, and by an int8 scale its whole head.
  void aValueThatIsNotFiniteReachesOnlyQueriesThatSeeIt_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<float>("value");
    for (const std::string& kernel : attentionKernelNames())
      for (const float value : {std::nanf(""), HUGE_VALF, -HUGE_VALF})
        QTest::addRow("%s %g", kernel.c_str(), double{value}) << QString::fromStdString(kernel) << value;
  }
  void aValueThatIsNotFiniteReachesOnlyQueriesThatSeeIt() {
    QFETCH(QString, kernel);
    QFETCH(float, value);
    const auto backend = makeCpuBackend(1, kernel.toStdString());
    Random random(31);
    AttendedSequences c = oneInAWindow(random, 200);
    const Floats before = attend(*backend, c, {})[0];
    for (const int token : {50, 127})
      c.v[0][static_cast<std::size_t>(token * c.kvHeads * c.headDim)] = value;  // of the first head
    for (const KvType type : {KvType::kSame, KvType::kBf16, KvType::kInt8}) {
      c.kvType = type;
      const bool wholeHead = type == KvType::kInt8;
      const Floats got = attend(*backend, c, {.blockSize = 5})[0];
      for (int at = 0; at < 200; ++at)
        for (int head = 0; head < c.heads; ++head)
          for (int i = 0; i < c.headDim; ++i) {
            const float number = got[static_cast<std::size_t>((at * c.heads + head) * c.headDim + i)];
            const bool sees = (i == 0 || wholeHead) && head < c.heads / c.kvHeads &&
                              ((at >= 50 && at < 90) || (at >= 127 && at < 167));
            QCOMPARE(std::isfinite(number), !sees);
            if (sees && !wholeHead && std::isinf(value)) QCOMPARE(number, value);
          }
      if (type != KvType::kSame) continue;
      for (int at = 0; at < 50; ++at)
        for (int i = 0; i < c.heads * c.headDim; ++i) {
          const auto index = static_cast<std::size_t>(at * c.heads * c.headDim + i);
          QCOMPARE(got[index], before[index]);
        }
    }
  }

  void inBf16ItIsTheFastest() {
    Random random(32);
    const AttendedSequences c = AttendedSequences::random(random, 150);
    QVERIFY(attend(*makeCpuBackend(1, {}, Compute::kBf16), c, {}) ==
            attend(*makeCpuBackend(1, "bf16"), c, {}));
    QVERIFY(attend(*makeCpuBackend(1), c, {}) == attend(*makeCpuBackend(1, "flash"), c, {}));
  }

  void anUnknownNameIsRefusedWithTheNamesThereAre() {
    const auto names = attentionKernelNames();
    QVERIFY(std::ranges::is_sorted(names));
    for (const char* name : {"bf16", "flash", "reference"}) QVERIFY(std::ranges::count(names, name) == 1);
    try {
      makeCpuBackend(1, "divided");
      QFAIL("accepted");
    } catch (const EngineError& error) {
      QVERIFY(error.code() == ErrorCode::kInvalidArgument);
      for (const std::string& name : names) QVERIFY(error.hint().find(name) != std::string::npos);
    }
#ifdef VITRINE_TORCH_BUILT
    try {
      makeTorchBackend(1, "flash");
      QFAIL("accepted by libtorch");
    } catch (const EngineError& error) {
      QVERIFY(error.code() == ErrorCode::kUnsupported && !error.hint().empty());
    }
#endif
  }

 private:
  static void compare(Backend& backend, const QString& kernel, const AttendedSequences& c, int blockSize,
                      int round) {
    compare(backend, kernel, c, c, blockSize, round);
  }
  static void compare(Backend& backend, const QString& kernel, const AttendedSequences& c,
                      const AttendedSequences& stored, int blockSize, int round) {
    const std::vector<Floats> got = attend(backend, c, {.blockSize = blockSize, .shuffledBlocks = true});
    const std::vector<Floats> expected = attendNaively(asMultiplied(stored, kernel));
    for (std::size_t s = 0; s < got.size(); ++s) {
      const double far = difference(got[s], expected[s]);
      QVERIFY2(far <= toleranceOf(kernel), qPrintable(QString("round %1 differs by %2").arg(round).arg(far)));
    }
  }
};

QTEST_APPLESS_MAIN(TestAttention)
#include "tst_attention.moc"
