// The roof: where an operation stands under it, by hand, and that a measured one is a machine's. That its
// figures are right is measured against other programs; no test compares speeds.
#include "vitrine/machine_roof.h"

#include "backends/cpu/bf16_products.h"
#include "backends/cpu/cache_sizes.h"
#include "backends/cpu/int8_products.h"
#include "vitrine/error.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <tuple>

using namespace vitrine;

namespace {

// 100 GFLOP/s; 400 GB/s up to 1,000 bytes, 200 for 10,000, 50 from 1,000,000 on.
MachineRoof roofByHand() {
  return {"none", 2, 100, {{1000, 400}, {10'000, 200}, {1'000'000, 50}}, 1500, 15'000};
}

// And 400 GFLOP/s in int8.
MachineRoof roofWithInt8() {
  MachineRoof roof = roofByHand();
  roof.products = {{RoofPeak::kInt8InRegisters, 400, "bytes"}};
  return roof;
}

RoofPlace placed(const OperationCost& cost, std::vector<OperationCost> others = {}) {
  others.push_back(cost);
  return placeUnder(roofByHand(), cost, {0, others});
}

}  // namespace

class TestMachineRoof : public QObject {
  Q_OBJECT

 private slots:
  // Between two measured sizes there is a slope: a model that is a little larger than a cache does not drop
  // to the memory's speed at once, and one that just fits does not get the speed of half a cache.
  void bandwidthGoesOverFromSizeToSize() {
    const MachineRoof roof = roofByHand();
    QCOMPARE(roof.gbpsOf(1), 400.0);
    QCOMPARE(roof.gbpsOf(1000), 400.0);
    QCOMPARE(roof.gbpsOf(10'000), 200.0);
    QCOMPARE(roof.gbpsOf(1'000'000), 50.0);
    QCOMPARE(roof.gbpsOf(std::int64_t{1} << 50), 50.0);
    QCOMPARE(roof.memoryGbps(), 50.0);
    QCOMPARE(MachineRoof().gbpsOf(1), 0.0);
    QCOMPARE(roof.gbpsOf(100'000), 80.0);  // half way by the logarithm: (1/200 + 1/50) / 2 a byte
    double last = 400;
    for (std::int64_t bytes = 1000; bytes < 2'000'000; bytes += bytes / 50) {
      const double gbps = roof.gbpsOf(bytes);
      QVERIFY2(gbps <= last && gbps > 0.94 * last, QByteArray::number(static_cast<qlonglong>(bytes)));
      last = gbps;
    }
  }

  void levelsAreTheCachesThatAreLargeEnough() {
    const MachineRoof roof = roofByHand();
    QVERIFY(roof.levelOf(1500) == MemoryLevel::kSecondCache);
    QVERIFY(roof.levelOf(1501) == MemoryLevel::kThirdCache);
    QVERIFY(roof.levelOf(15'001) == MemoryLevel::kMemory);
    QVERIFY(MachineRoof().levelOf(1) == MemoryLevel::kMemory);
    const auto others = roof.othersThan(50);
    QCOMPARE(others.size(), std::size_t{2});  // the memory's own line would hide the one that decides
    QVERIFY(others[0].level == MemoryLevel::kSecondCache && others[0].gbps == 400);
    QVERIFY(others[1].level == MemoryLevel::kThirdCache);
    QCOMPARE(others[0].bytes, std::int64_t{750});  // half of the cache
    QCOMPARE(others[1].bytes, std::int64_t{7500});
    QCOMPARE(roof.othersThan(400).back().bytes, std::int64_t{1'000'000});
  }

  // The line that decides is that of all the weights and the KV together, with where as much lies.
  void theDecidingLineSaysItsWorkingSet() {
    const OperationCost down{Operation::kDown, 2, 100, 800, 1}, head{Operation::kHead, 1, 100, 9200, 1},
        norms{Operation::kNorms, 20, 100, 160'000, 1};
    const RoofLine line = streamLine(roofByHand(), {0, {down, head, norms}});
    QCOMPARE(line.bytes, std::int64_t{10'000});
    QCOMPARE(line.gbps, 200.0);
    QVERIFY(line.level == MemoryLevel::kThirdCache);
  }

  void itIsMeasuredForOneModelAndItsThreads() {
    const MachineRoof roof = roofByHand();
    const auto isFor = [](const MachineRoof& one, int threads, std::int64_t bytes) {
      return one.isMeasuredFor(threads, bytes, Compute::kF32);
    };
    QVERIFY(isFor(roof, 2, 10'000) && isFor(roof, 2, 0));
    QVERIFY(!isFor(roof, 1, 10'000));
    QVERIFY(!isFor(roof, 2, 20'000));
    QVERIFY(isFor(roof, 2, 600'000));  // no size of its own: it comes from the memory
    QVERIFY(!isFor(MachineRoof(), 0, 0));
    MachineRoof gpu = roofByHand();  // its limits depend on the type of activations, too
    gpu.peak = RoofPeak::kBf16Products;
    gpu.threads = 0;
    QVERIFY(!isFor(gpu, 0, 10'000) && !isFor(gpu, 2, 10'000));
  }

  // Products in int8 need their own peak, and a peak that no product reaches is no limit of an engine.
  void itIsMeasuredForOneArithmeticOfProducts() {
    const MachineRoof floats = roofByHand(), bytes = roofWithInt8();
    QVERIFY(floats.hasPeaksFor(Compute::kF32) && !floats.hasPeaksFor(Compute::kInt8));
    QVERIFY(!floats.isMeasuredFor(2, 10'000, Compute::kInt8));
    QVERIFY(bytes.isMeasuredFor(2, 10'000, Compute::kInt8));
    QVERIFY(!bytes.isMeasuredFor(2, 10'000, Compute::kBf16));
    QVERIFY(!bytes.isMeasuredFor(2, 10'000, Compute::kF32));
    QCOMPARE(bytes.gflopsIn(Compute::kInt8), 400.0);
    QCOMPARE(bytes.gflopsIn(Compute::kF32), 100.0);
    QCOMPARE(bytes.gflopsIn(Compute::kBf16), 0.0);
    QCOMPARE(bytes.highestGflops(), 400.0);
    QVERIFY(bytes.isSound());
    MachineRoof damaged = bytes;
    damaged.products.front().gflops = -1;
    QVERIFY(!damaged.isSound());
  }

  // 10,000,000 operations take 25,000 ns in int8, and 100,000 ns in float32.
  void anOperationStandsUnderThePeakOfItsArithmetic() {
    const OperationCost int8{Operation::kGateUp, 1, 50'000, 100'000, 10'000'000, 10'000'000},
        f32{Operation::kAttention, 1, 125'000, 100'000, 10'000'000};
    const auto placedIn = [](const MachineRoof& roof, const OperationCost& cost) {
      return placeUnder(roof, cost, {0, {cost}});
    };
    QVERIFY(arithmeticOf(int8) == Compute::kInt8 && arithmeticOf(f32) == Compute::kF32);
    const RoofPlace place = placedIn(roofWithInt8(), int8);
    QCOMPARE(place.limit, 0.5);
    QCOMPARE(place.peakGflops, 400.0);
    QVERIFY(place.isComputeBound);
    QCOMPARE(placedIn(roofWithInt8(), f32).limit, 0.8);
    QCOMPARE(placedIn(roofWithInt8(), f32).peakGflops, 100.0);
    // Half of it in each: 12,500 and 50,000 ns.
    OperationCost both = int8;
    both.ns = 125'000;
    both.int8Operations /= 2;
    QCOMPARE(placedIn(roofWithInt8(), both).limit, 0.5);
    QCOMPARE(placedIn(roofWithInt8(), both).peakGflops, 160.0);
    // A roof that has not its peak says no limit, and no other arithmetic's: what was measured still stands.
    const RoofPlace unknown = placedIn(roofByHand(), int8);
    QCOMPARE(unknown.limit, 0.0);
    QCOMPARE(unknown.peakGflops, 0.0);
    QVERIFY(!unknown.isComputeBound);
    QCOMPARE(unknown.gflops, 200.0);
    OperationCost bf16 = f32;
    bf16.bf16Operations = bf16.operations;
    QVERIFY(arithmeticOf(bf16) == Compute::kBf16);
    QCOMPARE(placedIn(roofWithInt8(), bf16).limit, 0.0);
  }

  // Each set of instructions that this machine has, also those that its products do not use.
  void everySetHasMultiplyAddsOfItsOwn() {
    const auto check = [](const auto& kernels) {
      QVERIFY2(kernels.multiplyAddsPerTurn > 0 && kernels.multiplyAddsPerTurn % 8 == 0, kernels.name);
      const float few = kernels.multiplyAdds(64), more = kernels.multiplyAdds(128);
      QVERIFY2(std::isfinite(few) && std::isfinite(more) && few != more, kernels.name);
    };
    for (const cpu::Int8Kernels* const kernels : cpu::int8Kernels()) check(*kernels);
    for (const cpu::Bf16Kernels* const kernels : cpu::bf16Kernels()) check(*kernels);
  }

  // 1,000,000 bytes of weights from the memory take 20,000 ns at best, here 40,000.
  void aMatrixOfWeightsWaitsForTheMemory() {
    const RoofPlace place = placed({Operation::kDown, 2, 40'000, 1'000'000, 500'000});
    QCOMPARE(place.intensity, 0.5);
    QCOMPARE(place.gflops, 12.5);
    QCOMPARE(place.gbps, 25.0);
    QCOMPARE(place.roofGbps, 50.0);
    QCOMPARE(place.limit, 0.5);
    QVERIFY(!place.isComputeBound);
  }

  // With 100 operations a byte the peak is the limit: 10,000,000 operations take 100,000 ns.
  void manyRowsWaitForArithmetic() {
    const RoofPlace place = placed({Operation::kGateUp, 1, 125'000, 100'000, 10'000'000});
    QCOMPARE(place.limit, 0.8);
    QVERIFY(place.isComputeBound);
  }

  // Weights of all layers share the caches; activations of a layer stand where the last layer's stood.
  void theWorkingSetIsWhatIsReadBeforeTheSameIsReadAgain() {
    const OperationCost down{Operation::kDown, 2, 100, 800, 1}, head{Operation::kHead, 1, 100, 9200, 1},
        norms{Operation::kNorms, 20, 100, 16'000, 1};
    QCOMPARE(streamedBytes({0, {down, head, norms}}), std::int64_t{10'000});
    QCOMPARE(placed(down).roofGbps, 400.0);
    QCOMPARE(placed(down, {head}).roofGbps, 200.0);
    QCOMPARE(placed(down, {norms}).roofGbps, 400.0);
    QCOMPARE(placed(norms, {down, head}).roofGbps, 400.0);  // 800 bytes a call
  }

  void withoutOperationsBytesAreTheLimit() {
    const RoofPlace place = placed({Operation::kStoreKv, 4, 100, 4000, 0});
    QCOMPARE(place.intensity, 0.0);
    QCOMPARE(place.limit, 0.1);
    QVERIFY(!place.isComputeBound);
    QCOMPARE(placed({Operation::kOther, 1, 50, 0, 0}).limit, 0.0);
    QCOMPARE(placed({Operation::kOther, 1, 50, 4000, 0}).limit, 0.0);  // the host's time, too
    QCOMPARE(placed({Operation::kEmbed, 1, 0, 10, 10}).limit, 0.0);
  }

  // Four cores: each has two first-level caches and a second-level one, two share a third-level one.
  void aSharedCacheCountsOnce() {
    QTemporaryDir folder;
    const auto add = [&](int core, int index, const char* level, const char* type, const char* size,
                         const QString& shared) {
      const QString path = folder.filePath(QString("cpu%1/cache/index%2/").arg(core).arg(index));
      QVERIFY(QDir().mkpath(path));
      const std::pair<const char*, QString> lines[] = {
          {"level", level}, {"type", type}, {"size", size}, {"shared_cpu_list", shared}};
      for (const auto& [name, text] : lines) {
        QFile file(path + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8() + "\n");
      }
    };
    for (int core = 0; core < 4; ++core) {
      add(core, 0, "1", "Data", "32K", QString::number(core));
      add(core, 1, "1", "Instruction", "64K", QString::number(core));
      add(core, 2, "2", "Unified", "1024K", QString::number(core));
      add(core, 3, "3", "Unified", "32M", core < 2 ? "0-1" : "2-3");
    }
    const std::filesystem::path root = folder.path().toStdString();
    QCOMPARE(cpu::cacheBytes(1, 4, root), std::int64_t{4 * 32 * 1024});
    QCOMPARE(cpu::cacheBytes(2, 3, root), std::int64_t{3 << 20});
    QCOMPARE(cpu::cacheBytes(3, 2, root), std::int64_t{32 << 20});
    QCOMPARE(cpu::cacheBytes(3, 3, root), std::int64_t{64 << 20});
    QCOMPARE(cpu::cacheBytes(3, 100, root), std::int64_t{64 << 20});
    QCOMPARE(cpu::cacheBytes(4, 4, root), std::int64_t{0});
    QCOMPARE(cpu::cacheBytes(2, 4, root / "nowhere"), std::int64_t{0});
  }

  void aMachineIsMeasured() {
    std::vector<double> fractions;
    const MachineRoof roof = measureRoof(2, 3'000'000, [&](double fraction) {
      fractions.push_back(fraction);
      return true;
    });
    QCOMPARE(roof.threads, 2);
    QVERIFY(!roof.instructions.empty());
    // A thread that does nothing but one plain operation a cycle would have more than a tenth of that.
    QVERIFY2(roof.gflops > 0.1 && roof.gflops < 1e5, qPrintable(QString::number(roof.gflops)));
    QVERIFY(!roof.readings.empty());
    for (std::size_t i = 0; i < roof.readings.size(); ++i) {
      QVERIFY(roof.readings[i].gbps > 0.01 && roof.readings[i].gbps < 1e5);
      QVERIFY(i == 0 || roof.readings[i].bytes > roof.readings[i - 1].bytes);
    }
    QVERIFY(std::ranges::count(roof.readings, 3'000'000, &RoofReading::bytes) == 1);  // as much as the model
    QVERIFY(roof.isMeasuredFor(2, 3'000'000, Compute::kF32) &&
            !roof.isMeasuredFor(1, 3'000'000, Compute::kF32));
    QVERIFY(roof.readings.back().bytes >= std::int64_t{256} << 20);
    QVERIFY(fractions.size() > 3 && std::ranges::is_sorted(fractions));
    QCOMPARE(fractions.front(), 0.0);
    QCOMPARE(fractions.back(), 1.0);
  }

  // With the instructions that the CPU's products use.
  void theArithmeticOfProductsIsMeasured() {
    const std::tuple<Compute, RoofPeak, const char*> arithmetics[] = {
        {Compute::kInt8, RoofPeak::kInt8InRegisters, cpu::int8Kernels().front()->name},
        {Compute::kBf16, RoofPeak::kBf16InRegisters, cpu::bf16Kernels().front()->name}};
    for (const auto& [compute, peak, instructions] : arithmetics) {
      const MachineRoof roof = measureRoof(1, 0, {}, compute);
      QVERIFY(roof.isSound() && roof.isMeasuredFor(1, 0, compute) && !roof.isOfGpu());
      QCOMPARE(roof.products.size(), std::size_t{1});
      QVERIFY(roof.products[0].peak == peak);
      QCOMPARE(roof.products[0].instructions, std::string(instructions));
      QVERIFY2(roof.products[0].gflops > 0.01 && roof.products[0].gflops < 1e6,
               qPrintable(QString::number(roof.products[0].gflops)));
    }
  }

  void itCanBeCancelled() {
    try {
      measureRoof(1, 0, [](double fraction) { return fraction < 0.1; });
      QFAIL("went on");
    } catch (const EngineError& error) {
      QVERIFY(error.code() == ErrorCode::kCancelled);
    }
    QVERIFY_EXCEPTION_THROWN(measureRoof(-1), EngineError);
  }
};

QTEST_APPLESS_MAIN(TestMachineRoof)
#include "tst_machine_roof.moc"
