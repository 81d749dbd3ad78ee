// A model whose packed weights were kept has the logits of one that is packed, to the bit, for every way of
// keeping weights; when its files change, it is packed anew.
#include "backends/cpu/packed_copies.h"
#include "models/checkpoint.h"
#include "models/decoder_harness.h"
#include "support/forwarding_backend.h"
#include "vitrine/convert.h"
#include "vitrine/random_model.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

// Keeps small weights too, and counts what it packs.
class Keeping final : public ForwardingBackend {
 public:
  Keeping(const fs::path& folder, Compute compute, int& packed)
      : ForwardingBackend(makeCpuBackend(2, {}, compute)),
        m_packed(packed),
        m_copies(folder, compute, m_pool, {.leastBytes = 1, .freePercent = 0}) {}

  WeightCopies* copies() override { return &m_copies; }
  std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> parts, WeightFormat format) override {
    ++m_packed;
    return ForwardingBackend::packLinear(parts, format);
  }
  std::unique_ptr<LinearWeight> packBlocks(std::span<const WeightRows> parts) override {
    ++m_packed;
    return ForwardingBackend::packBlocks(parts);
  }

 private:
  int& m_packed;
  ThreadPool m_pool{2};
  cpu::PackedCopies m_copies;
};

struct Started {
  std::vector<std::vector<float>> logits;
  PackedCopy came{};
  int packed = 0;
  std::int64_t bytes = 0;
};

Started start(const fs::path& model, WeightStorage storage, Compute compute, const fs::path& folder) {
  const ModelConfig config = loadModelConfig(model);
  const auto source = openCheckpoint(model);
  Started started;
  auto backend = std::make_unique<Keeping>(folder, compute, started.packed);
  WeightCopies* const copies = backend->copies();
  DecoderHarness harness(std::move(backend), config, *source, storage);
  started.came = harness.decoder().packedCopy();
  started.bytes = harness.decoder().weightBytes();
  started.logits = harness.whole({1, 5, 2, 9, 4});
  if (const std::string complaint = copies->wait(); !complaint.empty()) qWarning("%s", complaint.c_str());
  return started;
}

}  // namespace

class TestKeptWeights : public QObject {
  Q_OBJECT

  QTemporaryDir m_place;
  fs::path m_root;

 private slots:
  void initTestCase() {
    m_root = m_place.path().toStdString();
    makeRandomModel("tiny", m_root / "folder");
    convertModel(m_root / "folder", m_root / "q8_0.gguf", ConvertType::kQ80);
    convertModel(m_root / "folder", m_root / "bf16.gguf", ConvertType::kBf16);
  }

  void sameBits_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("quantization");
    QTest::addColumn<int>("compute");
    const auto add = [](const char* model, Quantization quantization, Compute compute) {
      QTest::addRow("%s %s %s", model, nameOf(quantization), nameOf(compute))
          << model << int(quantization) << int(compute);
    };
    for (const char* model : {"folder", "bf16.gguf"})
      for (const Compute compute : {Compute::kF32, Compute::kBf16}) add(model, Quantization::kNone, compute);
    for (const Compute compute : {Compute::kF32, Compute::kInt8}) {
      add("q8_0.gguf", Quantization::kNone, compute);
      add("folder", Quantization::kInt8, compute);
      add("folder", Quantization::kInt4, compute);
      add("q8_0.gguf", Quantization::kInt4, compute);
    }
  }
  void sameBits() {
    QFETCH(QString, model);
    QFETCH(int, quantization);
    QFETCH(int, compute);
    const QTemporaryDir copies;
    const fs::path path = m_root / model.toStdString(), folder = copies.path().toStdString();
    const WeightStorage storage(DType::kBf16, Quantization(quantization));
    const Started first = start(path, storage, Compute(compute), folder),
                  next = start(path, storage, Compute(compute), folder);
    QVERIFY(first.packed > 0 && first.came == PackedCopy::kKept);
    QVERIFY(next.packed == 0 && next.came == PackedCopy::kRead);
    QCOMPARE(next.bytes, first.bytes);
    QVERIFY(next.logits == first.logits);
    // Other ways of keeping the same files have copies of their own.
    QCOMPARE(
        start(path, WeightStorage(DType::kF32, Quantization(quantization)), Compute(compute), folder).came,
        PackedCopy::kKept);
    QCOMPARE(start(path, storage, Compute(compute), folder).came, PackedCopy::kRead);
  }

  void changedFile() {
    const QTemporaryDir copies;
    const fs::path folder = copies.path().toStdString(), model = m_root / "changing.gguf";
    fs::copy_file(m_root / "q8_0.gguf", model);
    const auto begin = [&] { return start(model, DType::kF32, Compute::kInt8, folder); };
    QCOMPARE(begin().came, PackedCopy::kKept);
    QCOMPARE(begin().came, PackedCopy::kRead);
    // The same bytes at another time.
    fs::last_write_time(model, fs::last_write_time(model) + std::chrono::nanoseconds(1));
    QCOMPARE(begin().came, PackedCopy::kKept);
    QCOMPARE(begin().came, PackedCopy::kRead);
    // Another file of the same size and time.
    const auto time = fs::last_write_time(model);
    fs::copy_file(model, m_root / "other");
    fs::rename(m_root / "other", model);
    fs::last_write_time(model, time);
    QCOMPARE(begin().came, PackedCopy::kKept);
    QCOMPARE(begin().came, PackedCopy::kRead);
  }

  void noFilesNoCopies() {
    class Nowhere final : public WeightSource {
     public:
      explicit Nowhere(const WeightSource& inner) : m_inner(inner) {}
      bool has(std::string_view name) const override { return m_inner.has(name); }
      void require(std::string_view name, std::initializer_list<std::int64_t> shape) const override {
        m_inner.require(name, shape);
      }
      Tensor get(std::string_view name, std::initializer_list<std::int64_t> shape) const override {
        return m_inner.get(name, shape);
      }
      std::vector<std::string> names() const override { return m_inner.names(); }
      BlockType storedType(std::string_view name) const override { return m_inner.storedType(name); }

     private:
      const WeightSource& m_inner;
    };
    const QTemporaryDir copies;
    const auto source = openCheckpoint(m_root / "folder");
    int packed = 0;
    Keeping backend(copies.path().toStdString(), Compute::kF32, packed);
    const Decoder decoder(backend, loadModelConfig(m_root / "folder"), Nowhere(*source), DType::kF32);
    QCOMPARE(decoder.packedCopy(), PackedCopy::kNone);
    QVERIFY(packed > 0 && backend.copies()->wait().empty());
    QVERIFY(QDir(copies.path()).isEmpty());
  }
};

QTEST_APPLESS_MAIN(TestKeptWeights)
#include "tst_kept_weights.moc"
