// The KV pool of a model of one's own: a part of the free memory, bounded by the contexts of the chats.
#include "catalog/kv_pool.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "catalog/model_reading.h"
#include "vitrine/engine.h"
#include "vitrine/event_sink.h"
#include "vitrine/random_model.h"

using namespace vitrine;

namespace {

constexpr qint64 kMiB = qint64{1} << 20, kGiB = qint64{1} << 30;

// 32,768 tokens of context with 64 KiB each: 2 GiB for a whole one, 1 MiB for a block. Weights of 4 GiB.
FoundModel longContext() {
  FoundModel model;
  model.opens = true;
  model.contextLength = 32768;
  model.weightBytes = 4 * kGiB;
  model.cacheBytesPerToken = 64 * 1024;
  model.headDim = 64;
  return model;
}

struct TinyModel {
  const QTemporaryDir folder;
  const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "model";
  TinyModel() { makeRandomModel("tiny", path); }
};

EngineOptions chats(int count) {
  EngineOptions options;
  options.maxSequences = count;
  return options;
}

}  // namespace

class TestKvPool : public QObject {
  Q_OBJECT

 private slots:
  void aPartOfWhatTheWeightsLeave() {
    const auto blocks = [](KvShare share) {
      return fitKvPool(longContext(), chats(8), 8 * kGiB, share).blocks;
    };
    QCOMPARE(blocks(KvShare::kQuarter), 1024);
    QCOMPARE(blocks(KvShare::kHalf), 2048);
    QCOMPARE(blocks(KvShare::kMost), 3072);
    const KvPool pool = fitKvPool(longContext(), chats(8), 8 * kGiB, KvShare::kHalf);
    QCOMPARE(pool.tokens, 32768);
    QCOMPARE(pool.bytes, 2048 * kMiB);
    QCOMPARE(fitKvPool(longContext(), chats(8), 8 * kGiB, KvShare::kHalf, 2 * kGiB).blocks, 1024);
  }

  void atMostTheContextOfEachChat() {
    QCOMPARE(fitKvPool(longContext(), chats(1), 64 * kGiB, KvShare::kHalf).tokens, 32768);
    QCOMPARE(fitKvPool(longContext(), chats(3), 64 * kGiB, KvShare::kHalf).tokens, 3 * 32768);
    QCOMPARE(fitKvPool(longContext(), chats(8), 1024 * kGiB, KvShare::kHalf).blocks, 16384);
    FoundModel endless = longContext();
    endless.contextLength = 1 << 20;  // more than what stays smooth, and no part of a context is better
    QCOMPARE(fitKvPool(endless, chats(8), 1024 * kGiB, KvShare::kHalf).blocks, 65536);
    FoundModel tiny = longContext();
    tiny.contextLength = 100;
    QCOMPARE(fitKvPool(tiny, chats(2), 64 * kGiB, KvShare::kHalf).blocks, 14);
  }

  // However little is left, the pool is not smaller than that of the built-in model.
  void alwaysSomething() {
    for (const qint64 available : {qint64{1}, 4 * kGiB, 4 * kGiB + kMiB})
      QCOMPARE(fitKvPool(longContext(), chats(8), available, KvShare::kHalf).blocks, kBuiltinBlocks);
    QCOMPARE(fitKvPool(longContext(), chats(8), 0, KvShare::kHalf).blocks, 1024);  // not known: 1 GiB
  }

  void whatTheOptionsSayCounts() {
    EngineOptions options;
    options.numBlocks = 7;
    QCOMPARE(withKvPool("no/such/model", options, 8 * kGiB, KvShare::kHalf).numBlocks, 7);
    options.numBlocks = 0;
    options.kvMemoryBytes = kMiB;
    QCOMPARE(withKvPool("no/such/model", options, 8 * kGiB, KvShare::kHalf).numBlocks, 0);
    QCOMPARE(withKvPool(builtinModelDirectory(), {}, 8 * kGiB, KvShare::kHalf).numBlocks, kBuiltinBlocks);
  }

  // On a GPU narrow keys and values take what they take on the CPU, whatever the type of the activations,
  // which halves the rest.
  void narrowKvTakesAsMuchOnAGpu() {
    const TinyModel model;
    const FoundModel sizes = sizesOf(model.path);
    EngineOptions options;
    options.weightType = WeightType::kBf16;
    const auto bytesOfBlock = [&](Device device, KvType type) {
      options.device = device;
      options.kvType = type;
      const KvPool pool = fitKvPool(sizes, options, sizes.weightBytes + 4 * kMiB, KvShare::kHalf);
      return pool.bytes / pool.blocks;
    };
    for (const KvType type : {KvType::kBf16, KvType::kInt8})
      QCOMPARE(bytesOfBlock(Device::kCuda, type), bytesOfBlock(Device::kCpu, type));
    QCOMPARE(2 * bytesOfBlock(Device::kCuda, KvType::kSame), bytesOfBlock(Device::kCpu, KvType::kSame));
  }

  // The figures are those of the engine, for every type of keys and values.
  void asTheEngineCounts() {
    const TinyModel model;
    const FoundModel sizes = sizesOf(model.path);
    EventFanOut none;
    for (const KvType type : {KvType::kSame, KvType::kBf16, KvType::kInt8}) {
      EngineOptions options;
      options.kvType = type;
      options.threads = 1;
      options.numBlocks = fitKvPool(sizes, options, sizes.weightBytes + 4 * kMiB, KvShare::kHalf).blocks;
      const auto engine = Engine::load(model.path, options, none);
      const KvPool pool = fitKvPool(sizes, options, sizes.weightBytes + 4 * kMiB, KvShare::kHalf);
      QCOMPARE(pool.bytes, pool.blocks * engine->description().bytesPerBlock);
      QCOMPARE(engine->description().options.numBlocks, pool.blocks);
    }
  }
};

QTEST_GUILESS_MAIN(TestKvPool)
#include "tst_kv_pool.moc"
