// The edges of the interface, for every backend there is: nothing to do, sizes that cannot be, odd strides,
// numbers that are not numbers; and the loader's complaints.
#include "workload.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

#include "vitrine/error.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::unique_ptr<Backend> make(const QString& name, int threads = 2) {
  return name == "cpu" ? makeCpuBackend(threads) : makeTorchBackend(threads);
}

void addBackends() {
  QTest::addColumn<QString>("name");
  QTest::newRow("cpu") << "cpu";
#ifdef VITRINE_TORCH_BUILT
  QTest::newRow("torch") << "torch";
#endif
}

template <class Work>
std::optional<EngineError> errorOf(Work&& work) {
  try {
    work();
  } catch (const EngineError& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace

class TestBackendEdges : public QObject {
  Q_OBJECT

 private slots:
  void aStepWithoutTokensIsAStep_data() { addBackends(); }
  void aStepWithoutTokensIsAStep() {
    QFETCH(QString, name);
    const auto backend = make(name);
    const Tensor none = backend->allocate(DType::kF32, {0, 24}),
                 wide = backend->allocate(DType::kF32, {0, 48});
    QVERIFY(!none.empty());
    Floats ones(24, 1.0f), matrix(24 * 48, 1.0f);
    const Tensor weight = backend->upload(view(ones, {24})), table = backend->upload(view(matrix, {48, 24}));
    const Tensor cosSin = backend->allocate(DType::kF32, {0, 4});
    const TensorView parts[] = {view(matrix, {48, 24})};
    const auto packed = backend->packLinear(parts, WeightFormat::kF32);
    const auto cache = backend->allocateKv({1, 2, 16, 3, 8});
    const std::vector<std::int32_t> start = {0};
    for (const bool noStart : {true, false}) {
      backend->beginStep({{}, {}, noStart ? std::span<const std::int32_t>() : start, {}, {}, 0});
      const TensorView heads = none.view().heads(3, 8);
      backend->embed({}, table.view(), none.view());
      backend->rmsNorm(none.view(), weight.view(), 1e-5f, none.view());
      backend->addRmsNorm(none.view(), none.view(), weight.view(), 1e-5f, none.view());
      backend->linear(none.view(), *packed, {}, wide.view());
      backend->rotary(heads, cosSin.view(), cosSin.view());
      backend->storeKv(heads, heads, *cache, 0);
      backend->attention(heads, *cache, 0, {}, heads);
      backend->gate(wide.view(), none.view());
      backend->gatherRows(none.view(), {}, none.view());
      backend->copyBlocks(*cache, {});
      QVERIFY(download(*backend, none.view()).empty());
    }
  }

  void blocksToMemoryOfTheHostAndBack_data() { addBackends(); }
  void blocksToMemoryOfTheHostAndBack() {
    QFETCH(QString, name);
    const auto backend = make(name);
    const auto cache = backend->allocateKv({2, 3, 4, 2, 8});
    const auto size = static_cast<std::size_t>(cache->blockBytes());
    const std::shared_ptr<void> memory = backend->hostMemory(static_cast<std::int64_t>(2 * size));
    auto* const first = static_cast<float*>(memory.get());
    const std::size_t count = size / sizeof(float);
    std::iota(first, first + count, 1.0f);
    backend->writeBlock(*cache, 1, first);
    backend->readBlock(*cache, 1, first + count);
    backend->readBlock(*cache, 2, first);  // behind the copy out of there
    backend->finishCopies();
    QCOMPARE(first[count], 1.0f);
    QCOMPARE(first[2 * count - 1], static_cast<float>(count));
    QVERIFY(std::all_of(first, first + count, [](float value) { return value == 0; }));
  }

  void aSequenceWithoutTokensTakesNoPart_data() { addBackends(); }
  void aSequenceWithoutTokensTakesNoPart() {
    QFETCH(QString, name);
    const auto backend = make(name);
    const auto cache = backend->allocateKv({1, 2, 4, 1, 8});
    const std::vector<std::int32_t> positions = {0}, at = {4}, start = {0, 0, 1, 1}, context = {3, 1, 0},
                                    tables = {-1, 1, -1};
    backend->beginStep({positions, at, start, context, tables, 1});
    Floats values = Random(1).reals(8);
    const Tensor kv = backend->upload(view(values, {1, 1, 8})),
                 out = backend->allocate(DType::kF32, {1, 1, 8});
    backend->storeKv(kv.view(), kv.view(), *cache, 0);
    backend->attention(kv.view(), *cache, 0, {}, out.view());
    QVERIFY(difference(download(*backend, out.view()), values) < 1e-6);  // one value, weight one
  }

  void blocksBehindTheWindowMayBeGone_data() { addBackends(); }
  void blocksBehindTheWindowMayBeGone() {
    QFETCH(QString, name);
    const auto backend = make(name);
    const auto cache = backend->allocateKv({1, 3, 4, 1, 8});
    Floats values = Random(2).reals(8);
    const Tensor kv = backend->upload(view(values, {1, 1, 8})),
                 out = backend->allocate(DType::kF32, {1, 1, 8});
    const std::vector<std::int32_t> positions = {8}, at = {8}, start = {0, 1}, context = {9},
                                    tables = {-1, -1, 2};
    backend->beginStep({positions, at, start, context, tables, 3});
    backend->storeKv(kv.view(), kv.view(), *cache, 0);
    backend->attention(kv.view(), *cache, 0, {1.0f, 1}, out.view());
    QVERIFY(difference(download(*backend, out.view()), values) < 1e-6);
  }

  void whatCannotBeAllocatedIsSaid_data() { addBackends(); }
  void whatCannotBeAllocatedIsSaid() {
    QFETCH(QString, name);
    const auto backend = make(name);
    const std::int64_t huge = std::int64_t{1} << 62;
    const auto tensor = errorOf([&] { backend->allocate(DType::kF32, {huge, 8}); });
    QVERIFY(tensor && tensor->code() == ErrorCode::kOutOfMemory && !tensor->hint().empty());
    const int many = std::numeric_limits<int>::max();
    const auto kv = errorOf([&] { backend->allocateKv({80, many, 256, 128, 256}); });
    QVERIFY(kv && kv->code() == ErrorCode::kOutOfMemory && !kv->hint().empty());
  }

  // A pool that is only reserved costs no memory and no time: a large one must not slow a load.
  void aLargePoolIsNotTouched() {
    const auto residentPages = [] {
      std::ifstream file("/proc/self/statm");
      std::int64_t all = 0, resident = 0;
      file >> all >> resident;
      return resident;
    };
    const std::int64_t before = residentPages();
    if (before == 0) QSKIP("no /proc");
    const auto backend = makeCpuBackend(1);
    const auto cache = backend->allocateKv({16, 1024, 16, 4, 64});  // 512 MiB
    QCOMPARE(cache->blockBytes() * 1024, std::int64_t{512} << 20);
    QVERIFY2((residentPages() - before) * 4096 < (std::int64_t{64} << 20), "the pool was written to");
  }

  void absurdThreadsAreRefused_data() { addBackends(); }
  void absurdThreadsAreRefused() {
    QFETCH(QString, name);
    for (const int threads : {-1, 1 << 20}) {
      const auto error = errorOf([&] { make(name, threads); });
      QVERIFY(error && error->code() == ErrorCode::kInvalidArgument);
    }
    QVERIFY(make(name, 0)->threads() >= 1);
  }

  void notANumberStaysInItsRow_data() { addBackends(); }
  void notANumberStaysInItsRow() {
    QFETCH(QString, name);
    const auto backend = make(name);
    Floats x(4 * 48, 0.5f), ones(48, 1.0f);
    x[48 + 5] = std::numeric_limits<float>::quiet_NaN();
    const Tensor in = backend->upload(view(x, {4, 48})), weight = backend->upload(view(ones, {48}));
    const Tensor normed = backend->allocate(DType::kF32, {4, 48}),
                 gated = backend->allocate(DType::kF32, {4, 24});
    backend->rmsNorm(in.view(), weight.view(), 1e-5f, normed.view());
    backend->gate(in.view(), gated.view());
    const Floats n = download(*backend, normed.view()), g = download(*backend, gated.view());
    for (std::size_t row = 0; row < 4; ++row) {
      QCOMPARE(std::isnan(n[row * 48]), row == 1);
      QCOMPARE(std::isnan(g[row * 24 + 5]), row == 1);
      QVERIFY(!std::isnan(g[row * 24 + 4]));
    }
  }

  void uploadCopiesAnyStridesAndTypes_data() { addBackends(); }
  void uploadCopiesAnyStridesAndTypes() {
    QFETCH(QString, name);
    const auto backend = make(name);
    Floats values(60);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    const Tensor copy = backend->upload(view(values, {5, 12}).columns(2, 6).heads(2, 3));
    std::fill(values.begin(), values.end(), -1.0f);  // the host may go
    const Floats got = download(*backend, copy.view());
    QCOMPARE(got.size(), std::size_t{30});
    for (std::size_t i = 0; i < got.size(); ++i) QCOMPARE(got[i], static_cast<float>(i / 6 * 12 + 2 + i % 6));
    std::int32_t integers[] = {1, -2, 3};
    const Tensor whole = backend->upload({integers, DType::kI32, {3}});
    QCOMPARE(static_cast<std::int32_t*>(whole.view().data())[1], -2);
  }

  void weightsAreCountedAndRounded() {
    const auto backend = makeCpuBackend(1);
    // halfway between two bfloat16: ties go to the even one; NaN stays NaN, infinity stays infinity
    Floats w = {1.0f + 0x1p-8f, 1.0f + 0x3p-8f, std::numeric_limits<float>::quiet_NaN(),
                std::numeric_limits<float>::infinity()};
    const TensorView parts[] = {view(w, {4, 1})};
    const auto packed = backend->packLinear(parts, WeightFormat::kBf16);
    QCOMPARE(packed->inFeatures, std::int64_t{1});
    QCOMPARE(packed->outFeatures, std::int64_t{4});
    QCOMPARE(packed->bytes, std::int64_t{64});  // one panel of 32 columns
    Floats one = {1.0f};
    const Tensor x = backend->upload(view(one, {1, 1})), out = backend->allocate(DType::kF32, {1, 4});
    backend->linear(x.view(), *packed, {}, out.view());
    const Floats y = download(*backend, out.view());
    QCOMPARE(y[0], 1.0f);
    QCOMPARE(y[1], 1.0f + 0x4p-8f);
    QVERIFY(std::isnan(y[2]));
    QVERIFY(std::isinf(y[3]));
  }

  void aMissingModuleSaysWhatToDo() {
    QTemporaryDir folder;
    qputenv("VITRINE_MODULE_PATH", folder.path().toUtf8());
    const auto missing = errorOf([] { makeTorchBackend(1); });
    QFile fake(folder.filePath("libvitrine_torch.so"));
    QVERIFY(fake.open(QIODevice::WriteOnly));
    fake.write("not a library");
    fake.close();
    const auto broken = errorOf([] { makeTorchBackend(1); });
    qunsetenv("VITRINE_MODULE_PATH");
    QVERIFY(missing && missing->code() == ErrorCode::kUnavailable);
    QVERIFY(std::string(missing->what()).find(folder.path().toStdString()) != std::string::npos);
    QVERIFY(missing->hint().find("libtorch-dev") != std::string::npos);
    QVERIFY(broken && broken->code() == ErrorCode::kUnavailable);
    QVERIFY(std::string(broken->what()).find("cannot load") != std::string::npos);
  }

  void backendsNameThemselves() {
    QCOMPARE(makeCpuBackend(1)->name(), std::string("cpu"));
    QVERIFY(makeCpuBackend(1)->device().ends_with(", 1 thread"));
    QVERIFY(makeCpuBackend(3)->device().ends_with(", 3 threads"));
    for (const auto& [compute, products] :
         {std::pair(Compute::kInt8, ", int8 products"), {Compute::kBf16, ", bf16 products"}}) {
      const std::string device = makeCpuBackend(3, {}, compute)->device();
      QVERIFY(device.find(products) != std::string::npos && device.ends_with(", 3 threads"));
    }
    QVERIFY(makeCpuBackend(1)->device().find("products") == std::string::npos);
#ifdef VITRINE_TORCH_BUILT
    QCOMPARE(makeTorchBackend(1)->name(), std::string("torch"));
    QVERIFY(makeTorchBackend(1)->device().starts_with("libtorch "));
#endif
  }
};

QTEST_APPLESS_MAIN(TestBackendEdges)
#include "tst_backend_edges.moc"
