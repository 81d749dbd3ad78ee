// Every operation of ours against ATen's, over random shapes. Differences are relative, |a - b| / max(1,
// |b|): 2e-6 for what goes element by element, 5e-5 where hundreds of float32 products add up in another
// order.
#include "support/random_blocks.h"
#include "workload.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr double kElementwise = 2e-6, kSums = 5e-5;

std::unique_ptr<Backend> makeReference() {
#ifdef VITRINE_TORCH_BUILT
  return makeTorchBackend(1);
#else
  return nullptr;
#endif
}

// A matrix [rows, columns] that a backend keeps inside a wider one, when `margin` columns surround it.
struct Slice {
  Tensor memory;
  TensorView view;
  Slice(Backend& backend, Floats values, std::int64_t rows, std::int64_t columns, std::int64_t margin) {
    const std::int64_t width = columns + 2 * margin;
    Floats wide(static_cast<std::size_t>(rows * width), 777);
    for (std::int64_t r = 0; r < rows && !values.empty(); ++r)
      std::copy_n(values.data() + r * columns, columns, wide.data() + r * width + margin);
    memory = backend.upload({wide.data(), DType::kF32, {rows, width}});
    view = memory.view().columns(margin, columns);
  }
};

// Random bits of a type, all finite, widened to what they mean by torch where that is needed.
std::vector<std::uint16_t> halves(Random& random, std::int64_t count) {
  std::vector<std::uint16_t> values(static_cast<std::size_t>(count));
  for (std::uint16_t& value : values)  // exponents around 1 and some subnormals of float16
    value = static_cast<std::uint16_t>(
        (random.between(0, 1) << 15) |
        (random.between(0, 9) == 0 ? random.between(0, 0x3FF) : random.between(0x3000, 0x3FFF)));
  return values;
}

}  // namespace

#define COMPARE_WITH_REFERENCE(ours, reference, tolerance, shape)                                 \
  do {                                                                                            \
    const double far = difference(ours, reference);                                               \
    worst = std::max(worst, far);                                                                 \
    QVERIFY2(far <= (tolerance), qPrintable(QString("differs by %1 at %2").arg(far).arg(shape))); \
  } while (false)

class TestBackendsAgree : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    m_reference = makeReference();
    if (!m_reference) QSKIP("configured without libtorch (package libtorch-dev): nothing to compare with");
    m_cpu = makeCpuBackend(2);
  }
  void cleanup() { qInfo("worst difference %.2g", worst); }
  void init() { worst = 0; }

  void linear() {
    Random random(1);
    for (int round = 0; round < 60; ++round) {
      const std::int64_t rows = random.pick({1, 1, 2, 3, 8, 17, 49, 130}), in = random.between(1, 700);
      const std::vector<std::int64_t> outs = {random.between(1, 130), random.between(1, 130),
                                              random.between(1, 130)};
      const WeightFormat format = random.pick({WeightFormat::kF32, WeightFormat::kBf16, WeightFormat::kF16,
                                               WeightFormat::kInt8, WeightFormat::kInt4});
      const DType given = random.pick({DType::kF32, DType::kBf16, DType::kF16});
      std::vector<Floats> floats;
      std::vector<std::vector<std::uint16_t>> shorts;
      std::vector<TensorView> parts;
      for (const std::int64_t out : outs) {
        floats.push_back(random.reals(out * in));
        shorts.push_back(halves(random, out * in));
        void* data = given == DType::kF32 ? static_cast<void*>(floats.back().data()) : shorts.back().data();
        parts.emplace_back(data, given, std::initializer_list<std::int64_t>{out, in});
      }
      const std::int64_t out = outs[0] + outs[1] + outs[2];
      Floats bias = random.reals(out);
      const bool biased = round % 2 == 0;
      const Floats x = random.reals(rows * in);
      const auto run = [&](Backend& backend) {
        const auto weight = backend.packLinear(parts, format);
        const Slice input(backend, x, rows, in, 3), output(backend, {}, rows, out, 5);
        const Tensor b = backend.upload(view(bias, {out}));
        backend.linear(input.view, *weight, biased ? b.view() : TensorView(), output.view);
        Floats all = download(backend, output.memory.view());  // margins too: nothing is written beside
        return all;
      };
      COMPARE_WITH_REFERENCE(run(*m_cpu), run(*m_reference), kSums,
                             QString("%1 rows, %2 -> %3").arg(rows).arg(in).arg(out));
    }
  }

  // Blocks of a GGUF file, three types one above another: the reference keeps the floats they stand for.
  void blocks() {
    Random random(11);
    for (int round = 0; round < 40; ++round) {
      const std::int64_t rows = random.pick({1, 2, 7, 60}), in = 256 * random.between(1, 3);
      std::vector<std::vector<std::byte>> bytes;
      std::vector<WeightRows> parts;
      std::int64_t out = 0;
      for (int i = 0; i < 3; ++i) {
        const auto type = static_cast<BlockType>(random.between(0, kBlockTypes - 1));
        const std::int64_t height = random.between(1, 90);
        bytes.push_back(randomBlocks(type, height * in, 0.05f, random.engine()));
        parts.push_back(rowsOf(BlockMatrix{type, bytes.back().data(), height, in}));
        out += height;
      }
      const Floats x = random.reals(rows * in);
      const std::vector<std::int32_t> ids = {0, static_cast<std::int32_t>(out - 1), 0};
      const auto run = [&](Backend& backend) {
        const auto weight = backend.packBlocks(parts);
        const Slice input(backend, x, rows, in, 3), output(backend, {}, rows, out, 5);
        const Tensor found = backend.allocate(DType::kF32, {3, in});
        backend.linear(input.view, *weight, {}, output.view);
        backend.embedRows(ids, *weight, found.view());
        Floats all = download(backend, output.memory.view());
        const Floats embedded = download(backend, found.view());
        all.insert(all.end(), embedded.begin(), embedded.end());
        return all;
      };
      COMPARE_WITH_REFERENCE(run(*m_cpu), run(*m_reference), kSums,
                             QString("%1 rows, %2 -> %3").arg(rows).arg(in).arg(out));
    }
  }

  void norms() {
    Random random(2);
    for (int round = 0; round < 60; ++round) {
      const std::int64_t tokens = random.between(1, 40), heads = random.between(1, 9),
                         n = random.between(1, 300);
      Floats weight = random.reals(n), headWeight = random.reals(n);
      const Floats x = random.reals(tokens * n, 10), delta = random.reals(tokens * n),
                   perHead = random.reals(tokens * heads * n, 4);
      const auto run = [&](Backend& backend) {
        const Tensor w = backend.upload(view(weight, {n})), hw = backend.upload(view(headWeight, {n}));
        const Slice residual(backend, x, tokens, n, 1), d(backend, delta, tokens, n, 0),
            out(backend, {}, tokens, n, 2);
        const Slice headed(backend, perHead, tokens, heads * n, 4);
        backend.rmsNorm(residual.view, w.view(), 1e-5f, out.view);
        Floats result = download(backend, out.memory.view());
        backend.addRmsNorm(residual.view, d.view, w.view(), 1e-6f, out.view);
        backend.rmsNorm(headed.view.heads(heads, n), hw.view(), 1e-6f, headed.view.heads(heads, n));
        for (const Tensor* more : {&out.memory, &residual.memory, &headed.memory}) {
          const Floats values = download(backend, more->view());
          result.insert(result.end(), values.begin(), values.end());
        }
        return result;
      };
      COMPARE_WITH_REFERENCE(run(*m_cpu), run(*m_reference), kElementwise, QString("width %1").arg(n));
    }
  }

  void rotary() {
    Random random(3);
    for (int round = 0; round < 40; ++round) {
      const std::int64_t tokens = random.between(1, 40), heads = random.between(1, 9),
                         half = random.between(1, 64);
      Floats cos = random.reals(tokens * half), sin = random.reals(tokens * half);
      const Floats x = random.reals(tokens * heads * half * 2, 3);
      const auto run = [&](Backend& backend) {
        const Tensor c = backend.upload(view(cos, {tokens, half})),
                     s = backend.upload(view(sin, {tokens, half}));
        const Slice matrix(backend, x, tokens, heads * half * 2, 7);
        backend.rotary(matrix.view.heads(heads, half * 2), c.view(), s.view());
        return download(backend, matrix.memory.view());
      };
      COMPARE_WITH_REFERENCE(run(*m_cpu), run(*m_reference), kElementwise, QString("half %1").arg(half));
    }
  }

  void gate() {
    Random random(4);
    for (int round = 0; round < 40; ++round) {
      const std::int64_t tokens = random.between(1, 40), n = random.between(1, 300);
      Floats x = random.reals(tokens * n * 2, random.pick({1.0f, 10.0f, 100.0f}));
      x[0] = -1e30f;  // exp overflows in the naive form
      x[static_cast<std::size_t>(n - 1)] = 1e30f;
      const auto run = [&](Backend& backend) {
        const Slice in(backend, x, tokens, 2 * n, 3), out(backend, {}, tokens, n, 1);
        backend.gate(in.view, out.view);
        return download(backend, out.memory.view());
      };
      COMPARE_WITH_REFERENCE(run(*m_cpu), run(*m_reference), kElementwise, QString("width %1").arg(n));
    }
  }

  void embedAndGather() {
    Random random(5);
    for (const DType type : {DType::kF32, DType::kBf16, DType::kF16}) {
      const std::int64_t vocabulary = 97, n = 37;
      Floats floats = random.reals(vocabulary * n);
      std::vector<std::uint16_t> shorts = halves(random, vocabulary * n);
      void* data = type == DType::kF32 ? static_cast<void*>(floats.data()) : shorts.data();
      const std::vector<std::int32_t> ids = {0, 96, 5, 5, 40}, rows = {4, 0, 4};
      const auto run = [&](Backend& backend) {
        const Tensor table = backend.upload({data, type, {vocabulary, n}});
        const Slice out(backend, {}, 5, n, 2), picked(backend, {}, 3, n, 1);
        backend.embed(ids, table.view(), out.view);
        backend.gatherRows(out.view, rows, picked.view);
        Floats result = download(backend, out.memory.view());
        const Floats more = download(backend, picked.memory.view());
        result.insert(result.end(), more.begin(), more.end());
        return result;
      };
      COMPARE_WITH_REFERENCE(run(*m_cpu), run(*m_reference), 0, QString("type %1").arg(int(type)));
    }
  }

  void attention() {
    Random random(6);
    for (int round = 0; round < 50; ++round) {
      AttendedSequences c = AttendedSequences::random(random, 130);
      c.kvType = round % 3 == 1 ? KvType::kBf16 : KvType::kSame;
      const Feeding ours{.blockSize = random.pick({1, 3, 16, 64}),
                         .maxChunk = random.pick({1, 9, 50, 1 << 20}),
                         .together = round % 2 == 0,
                         .shuffledBlocks = true,
                         .fused = round % 3 == 0,
                         .seed = static_cast<unsigned>(round)};
      Feeding theirs = ours;  // the same steps for the reference, with other blocks
      theirs.blockSize = 16;
      const std::vector<Floats> a = attend(*m_cpu, c, ours), b = attend(*m_reference, c, theirs);
      for (std::size_t s = 0; s < a.size(); ++s)
        COMPARE_WITH_REFERENCE(
            a[s], b[s], kSums,
            QString("round %1, %2 tokens, %3 heads on %4, head dimension %5, window %6, blocks of %7")
                .arg(round)
                .arg(c.lengths[s])
                .arg(c.heads)
                .arg(c.kvHeads)
                .arg(c.headDim)
                .arg(c.parameters.slidingWindow)
                .arg(ours.blockSize));
    }
  }

  // Scores so far apart that exp underflows, and so large that exp overflows without the maximum taken off.
  void attentionOfExtremeScores() {
    Random random(8);
    AttendedSequences c = AttendedSequences::random(random, 60);
    for (Floats& q : c.q)
      for (float& value : q) value *= 300;
    const std::vector<Floats> a = attend(*m_cpu, c, {}), b = attend(*m_reference, c, {});
    for (std::size_t s = 0; s < a.size(); ++s)
      COMPARE_WITH_REFERENCE(a[s], b[s], 2e-4, QString("scores of hundreds"));
  }

  // A copied block holds what its original held, for both layouts, in every layer.
  // By copying, and through the host as swapping does: the same to the bit.
  void movedBlocks_data() {
    QTest::addColumn<int>("type");
    for (const KvType type : {KvType::kSame, KvType::kBf16})
      QTest::newRow(nameOf(type)) << static_cast<int>(type);
  }
  void movedBlocks() {
    QFETCH(int, type);
    Random random(7);
    const KvCacheShape shape{3, 5, 4, 2, 20, static_cast<KvType>(type)};
    const Floats k = random.reals(8 * 40), v = random.reals(8 * 40), q = random.reals(40);
    const auto run = [&](Backend& backend, bool throughHost) {
      const auto cache = backend.allocateKv(shape);
      const std::vector<std::int32_t> positions = {0, 1, 2, 3, 4, 5, 6, 7}, at = {4, 5, 6, 7, 0, 1, 2, 3},
                                      start = {0, 8}, context = {8}, table = {1, 0};
      backend.beginStep({positions, at, start, context, table, 2});
      const Slice keys(backend, k, 8, 40, 0), values(backend, v, 8, 40, 0);
      for (int layer = 0; layer < 3; ++layer)
        backend.storeKv(keys.view.heads(2, 20), values.view.heads(2, 20), *cache, layer);
      const std::vector<BlockCopy> copies = {{1, 3}, {0, 4}, {4, 1}};
      if (!throughHost) backend.copyBlocks(*cache, copies);
      std::vector<char> host(static_cast<std::size_t>(cache->blockBytes()));
      for (const BlockCopy& copy : throughHost ? copies : std::vector<BlockCopy>()) {
        backend.readBlock(*cache, copy.from, host.data());
        backend.writeBlock(*cache, copy.to, host.data());
      }
      const std::vector<std::int32_t> one = {7}, slot = {3}, oneStart = {0, 1}, copied = {3, 1};
      backend.beginStep({one, slot, oneStart, context, copied, 2});
      Floats result;
      const Slice query(backend, q, 1, 40, 0), out(backend, {}, 1, 40, 0);
      for (int layer = 0; layer < 3; ++layer) {
        backend.attention(query.view.heads(2, 20), *cache, layer, {0.2f, 0}, out.view.heads(2, 20));
        const Floats values2 = download(backend, out.view);
        result.insert(result.end(), values2.begin(), values2.end());
      }
      return result;
    };
    COMPARE_WITH_REFERENCE(run(*m_cpu, false), run(*m_reference, false), kSums, QString("three layers"));
    for (Backend* backend : {m_cpu.get(), m_reference.get()}) {
      QCOMPARE(backend->allocateKv(shape)->blockBytes(), shape.bytesPerBlock());
      QVERIFY2(sameBits(run(*backend, true), run(*backend, false)), backend->name().c_str());
    }
  }

 private:
  std::unique_ptr<Backend> m_cpu, m_reference;
  double worst = 0;
};

QTEST_APPLESS_MAIN(TestBackendsAgree)
#include "tst_backends_agree.moc"
