// Devices: which are there and why not, the memory of a GPU, and how an engine's KV pool follows from it. The
// GPU is a module of the tests that computes on the CPU (support/pretended_gpu.cpp).
#include "vitrine/devices.h"

#include "core/tensor.h"
#include "support/event_log.h"
#include "vitrine/engine.h"
#include "vitrine/error.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>
#include <optional>

#include "support/on_pretended_gpu.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;

EngineOptions onGpu(int sequences = 16) {
  EngineOptions options;
  options.device = Device::kCuda;
  options.maxSequences = sequences;
  return options;
}

Request shortRequest() {
  Request request;
  request.tokenIds = {1, 2, 3};
  request.maxTokens = 4;
  return request;
}

}  // namespace

class TestDevices : public QObject {
  Q_OBJECT

 private slots:
  void eachDeviceIsNamedOrSaysWhyNot() {
    std::optional<OnPretendedGpu> pretended(std::in_place);
    const std::vector<DeviceInfo> devices = knownDevices();
    QCOMPARE(devices.size(), Names<Device>::list.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
      QCOMPARE(devices[i].device, static_cast<Device>(i));
      QVERIFY(devices[i].canCompute() && !devices[i].name.empty());
    }
    QCOMPARE(devices[1].name, std::string("Pretended GPU"));
    pretended.reset();
    const WithoutGpu nothing;
    const DeviceInfo gpu = knownDevices()[1];
    QVERIFY(!gpu.canCompute() && gpu.name.empty() && !gpu.hint.empty());
    QVERIFY2(gpu.problem.find("libvitrine_cuda.so") != std::string::npos, gpu.problem.c_str());
    QVERIFY(knownDevices()[0].canCompute());
    QVERIFY_EXCEPTION_THROWN(deviceMemory(Device::kCuda), EngineError);
  }

  void theHostHasNoMemoryOfADevice() {
    QVERIFY(!deviceMemory(Device::kCpu));
    EventLog log;
    const auto engine = Engine::load(builtinModelDirectory(), {}, log);
    QVERIFY(!engine->deviceMemory());
    engine->resetDevicePeak();
    QVERIFY(engine->description().threads >= 1);
  }

  void anEngineTellsTheMemoryOfItsGpu() {
    const OnPretendedGpu pretended;
    EventLog log;
    const auto engine = Engine::load(builtinModelDirectory(), onGpu(2), log);
    const EngineLoaded& loaded = engine->description();
    QCOMPARE(loaded.backend, std::string("cuda"));
    QCOMPARE(loaded.device, std::string("Pretended GPU"));
    QCOMPARE(loaded.threads, 0);
    const DeviceMemory before = engine->deviceMemory().value();
    const std::int64_t pool = loaded.options.numBlocks * loaded.bytesPerBlock;
    QVERIFY(before.usedBytes >= loaded.model.weightBytes + pool);
    QCOMPARE(before.freeBytes, before.totalBytes - before.usedBytes);
    engine->resetDevicePeak();
    QCOMPARE(engine->deviceMemory()->peakBytes, before.usedBytes);
    engine->submit(shortRequest());
    engine->run();
    QVERIFY(engine->deviceMemory()->peakBytes > before.usedBytes);  // what a step computes with
    QCOMPARE(deviceMemory(Device::kCuda)->totalBytes, 1024 * kMib);
  }

  // The type of the weights, and bfloat16 beside what has fewer bits.
  void activationsFollowTheWeights_data() {
    QTest::addColumn<QString>("model");  // of the goldens
    QTest::addColumn<int>("type");       // WeightType
    QTest::addColumn<int>("quantization");
    QTest::addColumn<int>("activations");
    const auto row = [](const char* name, const char* model, WeightType type, Quantization quantization,
                        DType activations) {
      QTest::addRow("%s", name) << model << static_cast<int>(type) << static_cast<int>(quantization)
                                << static_cast<int>(activations);
    };
    using enum WeightType;
    using enum Quantization;
    row("blocks", "gguf/qwen3.gguf", kAsStored, kNone, DType::kBf16);
    row("blocks, f32", "gguf/qwen3.gguf", kF32, kNone, DType::kF32);
    row("blocks, f16", "gguf/qwen3.gguf", kF16, kNone, DType::kF16);
    row("blocks, int8", "gguf/qwen3.gguf", kAsStored, kInt8, DType::kBf16);
    row("float32", "models/qwen3", kAsStored, kNone, DType::kF32);
    row("float32, int4", "models/qwen3", kAsStored, kInt4, DType::kBf16);
  }
  void activationsFollowTheWeights() {
    QFETCH(QString, model);
    QFETCH(int, type);
    QFETCH(int, quantization);
    QFETCH(int, activations);
    const OnPretendedGpu pretended;
    EventLog log;
    EngineOptions options = onGpu();
    options.weightType = static_cast<WeightType>(type);
    options.quantization = static_cast<Quantization>(quantization);
    Engine::load(std::filesystem::path(VITRINE_SOURCE_DIR "/tests/golden") / model.toStdString(), options,
                 log);
    QCOMPARE(qEnvironmentVariableIntValue("VITRINE_PRETENDED_ACTIVATIONS"), activations);
  }

  // At most whole contexts for all sequences; else what is free behind the weights, less a part for a step.
  void aPoolFitsInWhatTheGpuHasFree() {
    EventLog log;
    std::optional<OnPretendedGpu> gpu(8192);
    EngineLoaded loaded = Engine::load(builtinModelDirectory(), onGpu(3), log)->description();
    const int context =
        (loaded.model.contextLength + loaded.options.blockSize - 1) / loaded.options.blockSize;
    QCOMPARE(loaded.options.numBlocks, 3 * context);
    gpu.reset();
    gpu.emplace(300);
    loaded = Engine::load(builtinModelDirectory(), onGpu(4096), log)->description();
    const std::int64_t pool = loaded.options.numBlocks * loaded.bytesPerBlock;
    QVERIFY(loaded.options.numBlocks > 0 && loaded.options.numBlocks < 4096 * context);
    QVERIFY(pool > 0 && pool + loaded.model.weightBytes <= 44 * kMib);
    QVERIFY(44 * kMib - pool - 2 * loaded.model.weightBytes < loaded.bytesPerBlock);  // and no smaller
  }

  void aGpuWithoutRoomForAPoolIsSaid() {
    const OnPretendedGpu pretended(200);
    EventLog log;
    try {
      Engine::load(builtinModelDirectory(), onGpu(), log);
      QFAIL("loaded");
    } catch (const EngineError& error) {
      QVERIFY(error.code() == ErrorCode::kOutOfMemory);
      QVERIFY2(std::string(error.what()).find("free of 200 MiB") != std::string::npos, error.what());
      QVERIFY(error.hint().find("--num-blocks") != std::string::npos);
    }
    EngineOptions small = onGpu();
    small.numBlocks = 8;
    QCOMPARE(Engine::load(builtinModelDirectory(), small, log)->description().options.numBlocks, 8);
  }

  // The CPU has one way, so a choice for a GPU does not keep an engine from falling back to it.
  void waysOfLaunchingAreAGpus() {
    EventLog log;
    EngineOptions options;
    options.decoding = Decoding::kGraph;
    const auto engine = Engine::load(builtinModelDirectory(), options, log);
    engine->submit(shortRequest());
    for (int step = 0; step < 3; ++step) {
      engine->setDetail({.layers = {}, .operations = true});
      engine->step();
    }
    QVERIFY(log.of<LaunchesMeasured>().empty() && log.of<BatchPadded>().empty());
    const OnPretendedGpu pretended;
    options.device = Device::kCuda;
    Engine::load(builtinModelDirectory(), options, log);
  }

  // It means nothing where the CPU computes, and a GPU's machine without the library says so.
  void batchInvarianceIsAGpus() {
    EventLog log;
    EngineOptions options;
    options.batchInvariant = BatchInvariance::kOff;
    Engine::load(builtinModelDirectory(), options, log);
    const OnPretendedGpu pretended;
    Engine::load(builtinModelDirectory(), onGpu(), log);
    options.device = Device::kCuda;
    try {
      Engine::load(builtinModelDirectory(), options, log);
      QFAIL("loaded");
    } catch (const EngineError& error) {
      QVERIFY(error.code() == ErrorCode::kUnavailable);
      QVERIFY2(std::string(error.what()).find("cuBLASLt") != std::string::npos, error.what());
      QVERIFY(error.hint().find("--batch-invariant") != std::string::npos);
    }
  }

  // The measured steps, and they alone, say what each way of launching them takes.
  void aMeasuredStepComparesItsLaunches() {
    const OnPretendedGpu pretended;
    EventLog log;
    const auto engine = Engine::load(builtinModelDirectory(), onGpu(), log);
    engine->submit(shortRequest());
    engine->step();
    QVERIFY(log.of<LaunchesMeasured>().empty());
    engine->setDetail({.layers = {}, .operations = true});
    engine->step();
    const auto launches = log.of<LaunchesMeasured>();
    QCOMPARE(launches.size(), std::size_t{1});
    QCOMPARE(launches[0].rows, 1);
    QCOMPARE(launches[0].ways.size(), Names<LaunchWay>::list.size());
    QCOMPARE(log.of<ForwardMeasured>().size(), std::size_t{1});
  }

  void theRoofIsThatOfTheEnginesDevice() {
    EventLog log;
    const auto onCpu = Engine::load(builtinModelDirectory(), {}, log);
    const MachineRoof cpu = onCpu->measureRoof();
    QVERIFY(!cpu.isOfGpu() && cpu.isSound());
    QCOMPARE(cpu.threads, onCpu->description().threads);
    const OnPretendedGpu pretended;
    const auto engine = Engine::load(builtinModelDirectory(), onGpu(), log);
    std::vector<double> fractions;
    const MachineRoof gpu = engine->measureRoof([&](double fraction) {
      fractions.push_back(fraction);
      return true;
    });
    QVERIFY(gpu.isOfGpu());
    QCOMPARE(gpu.instructions, std::string("Pretended GPU"));
    QCOMPARE(gpu.threads, 0);
    QCOMPARE(fractions, (std::vector<double>{0, 1}));
    QVERIFY_EXCEPTION_THROWN(engine->measureRoof([](double) { return false; }), EngineError);
    // What is measured is told to the run that it belongs to, before its first step too.
    const auto told = log.of<RoofMeasured>();
    QCOMPARE(told.size(), std::size_t{2});
    QCOMPARE(told[0].roof.gflops, cpu.gflops);
    QCOMPARE(told[1].roof.instructions, gpu.instructions);
    QCOMPARE(told[1].roof.readings.size(), gpu.readings.size());
    MachineState replayed;
    for (const Event& event : log.events) replayed.apply(event);
    QVERIFY(engine->snapshot() == replayed);
  }

  // Another engine that needs the same limits tells them without measuring; a GPU is measured again.
  void limitsThatAreKnownAreToldAgain() {
    EventLog log;
    EngineOptions options;
    options.threads = 1;
    const auto engine = Engine::load(builtinModelDirectory(), options, log);
    MachineRoof known{"AVX-512", 1, 12.5, {{1 << 30, 3}}};
    known.readings.insert(known.readings.begin(), {engine->description().model.weightBytes, 4});
    QCOMPARE(engine->measureRoof({}, known).gflops, 12.5);
    known.threads = 2;
    QVERIFY(engine->measureRoof({}, known).gflops != 12.5);
    const auto told = log.of<RoofMeasured>();
    QCOMPARE(told.size(), std::size_t{2});
    QCOMPARE(told[0].roof.gflops, 12.5);
    QCOMPARE(told[1].roof.threads, 1);
    // Products in int8 have a peak of their own, which limits of an engine in float32 lack.
    known.threads = 1;
    options.quantization = Quantization::kInt8;
    options.compute = Compute::kInt8;
    const auto bytes = Engine::load(builtinModelDirectory(), options, log);
    known.readings.front().bytes = bytes->description().model.weightBytes;
    const MachineRoof measured = bytes->measureRoof({}, known);
    QVERIFY(measured.gflops != 12.5 && measured.gflopsIn(Compute::kInt8) > 0);
  }
};

QTEST_APPLESS_MAIN(TestDevices)
#include "tst_devices.moc"
