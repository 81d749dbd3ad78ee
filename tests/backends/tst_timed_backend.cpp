// What the operations of a forward cost: bytes and floating-point operations against a count by hand, and
// times against a clock that only operations move.
#include "backends/timed_backend.h"
#include "support/forwarding_backend.h"
#include "workload.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>
#include <functional>
#include <map>
#include <tuple>

using namespace vitrine;
using namespace vitrine::test;

namespace {

// Time passes only in operations, each kind with its own; and where a test lets it pass.
class TickingBackend final : public ForwardingBackend {
 public:
  TickingBackend(std::unique_ptr<Backend> inner, std::int64_t& nowNs)
      : ForwardingBackend(std::move(inner)), m_nowNs(nowNs) {}

  void embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) override {
    m_nowNs += 10;
    ForwardingBackend::embed(ids, table, out);
  }
  void rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out) override {
    m_nowNs += 200;
    ForwardingBackend::rmsNorm(x, weight, eps, out);
  }
  void linear(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
              const TensorView& out) override {
    m_nowNs += 3000;
    ForwardingBackend::linear(x, weight, bias, out);
  }
  void gatherRows(const TensorView& x, std::span<const std::int32_t> rows, const TensorView& out) override {
    m_nowNs += 40'000;
    ForwardingBackend::gatherRows(x, rows, out);
  }
  std::optional<LaunchesMeasured> compareLaunches(const RepeatedLayers&,
                                                  const std::function<void()>& operations) override {
    const std::int64_t beganNs = m_nowNs;
    operations();
    return LaunchesMeasured{LaunchWay::kEager, 1, 1, 1, {{LaunchWay::kEager, 1, m_nowNs - beganNs, {}}}};
  }

 private:
  std::int64_t& m_nowNs;
};

// Three tokens of two sequences: positions 4 and 5 of one, 9 of the other, in blocks of four.
struct Batch {
  std::vector<std::int32_t> positions = {4, 5, 9}, places = {4, 5, 17}, starts = {0, 2, 3},
                            contexts = {6, 10}, tables = {0, 1, -1, 2, 3, 4};
  RaggedBatch ragged() const { return {positions, places, starts, contexts, tables, 3}; }
};

class Machine {
 public:
  // Zeroed memory of that shape.
  TensorView memory(DType type, std::initializer_list<std::int64_t> shape) {
    return m_kept.emplace_back(backend.allocate(type, shape)).view();
  }
  TensorView floats(std::initializer_list<std::int64_t> shape) { return memory(DType::kF32, shape); }
  std::unique_ptr<LinearWeight> weight(std::int64_t out, std::int64_t in, WeightFormat format,
                                       Operation operation) {
    const TensorView parts[] = {floats({out, in})};
    auto packed = backend.packLinear(parts, format);
    packed->operation = operation;
    return packed;
  }
  std::unique_ptr<KvCache> kv(KvType type) { return backend.allocateKv({2, 5, 4, 2, 8, type}); }

  TimedBackend backend{makeCpuBackend(1)};

 private:
  std::vector<Tensor> m_kept;
};

}  // namespace

class TestTimedBackend : public QObject {
  Q_OBJECT

 private slots:
  void bytesAndOperationsAreThoseOfTheShapes_data();
  void bytesAndOperationsAreThoseOfTheShapes();
  void operationsAreOfTheArithmeticOfTheProduct();
  void timesBelongToTheOperationThatTookThem();
  void anotherForwardBeginsAnew();
  void comparingLaunchesIsNoPartOfAForward();
  void aForwardThatThrowsLeavesTheMeterOff();
  void switchedOffItReadsNoClock();
};

using Call = std::function<void(Machine&)>;
Q_DECLARE_METATYPE(Call)

void TestTimedBackend::bytesAndOperationsAreThoseOfTheShapes_data() {
  QTest::addColumn<Call>("call");
  QTest::addColumn<int>("kind");
  QTest::addColumn<qint64>("bytes");
  QTest::addColumn<qint64>("operations");
  const auto add = [](const char* name, Operation kind, qint64 bytes, qint64 operations, Call call) {
    QTest::newRow(name) << std::move(call) << static_cast<int>(kind) << bytes << operations;
  };
  static const Batch batch;
  static const std::vector<std::int32_t> ids = {1, 2, 3};
  // 3 rows of 32: 2 bytes read, 4 written
  add("embed", Operation::kEmbed, 96 * (2 + 4), 0, [](Machine& m) {
    m.backend.embed(ids, m.memory(DType::kBf16, {61, 32}), m.floats({3, 32}));
  });
  // 96 elements read and written, 32 weights
  add("norm", Operation::kNorms, 4 * (96 + 96 + 32), 4 * 96, [](Machine& m) {
    m.backend.rmsNorm(m.floats({3, 32}), m.floats({32}), 1e-5f, m.floats({3, 32}));
  });
  // the same elements as heads share eight weights
  add("norm of heads", Operation::kNorms, 4 * (96 + 96 + 8), 4 * 96, [](Machine& m) {
    m.backend.rmsNorm(m.floats({3, 4, 8}), m.floats({8}), 1e-5f, m.floats({3, 4, 8}));
  });
  // residual and addend read, residual and result written
  add("sum and norm", Operation::kNorms, 4 * (4 * 96 + 32), 5 * 96, [](Machine& m) {
    m.backend.addRmsNorm(m.floats({3, 32}), m.floats({3, 32}), m.floats({32}), 1e-5f, m.floats({3, 32}));
  });
  // 40 outputs take two panels of 32 columns: 64 x 32 weights of two bytes; 3 rows in and out, and the bias
  add("bf16 with a bias", Operation::kQkv, 64 * 32 * 2 + 4 * (3 * 32 + 3 * 40 + 40), 3 * (2 * 32 * 40 + 40),
      [](Machine& m) {
        const auto weight = m.weight(40, 32, WeightFormat::kBf16, Operation::kQkv);
        m.backend.linear(m.floats({3, 32}), *weight, m.floats({40}), m.floats({3, 40}));
      });
  // half a byte a weight, and two bytes for each group of 32 inputs of a column
  add("int4", Operation::kDown, 64 * 64 / 2 + 2 * 64 * 2 + 4 * (64 + 64), 2 * 64 * 64, [](Machine& m) {
    const auto weight = m.weight(64, 64, WeightFormat::kInt4, Operation::kDown);
    m.backend.linear(m.floats({1, 64}), *weight, {}, m.floats({1, 64}));
  });
  // 96 elements read and written, 3 x 4 cosines and sines; 48 pairs of six operations
  add("rotary", Operation::kRotary, 4 * (2 * 96 + 2 * 12), 48 * 6, [](Machine& m) {
    m.backend.rotary(m.floats({3, 4, 8}), m.floats({3, 4}), m.floats({3, 4}));
  });
  // keys and values of 2 heads x 8 for 3 tokens; bf16: two bytes each; int8: a byte, and a scale for each
  // head
  add("store KV", Operation::kStoreKv, 2 * 48 * 4 + 2 * 48 * 4, 0, [](Machine& m) {
    const auto cache = m.kv(KvType::kSame);
    m.backend.storeKv(m.floats({3, 2, 8}), m.floats({3, 2, 8}), *cache, 1);
  });
  add("store bf16 KV", Operation::kStoreKv, 2 * 48 * 4 + 2 * 48 * 2, 0, [](Machine& m) {
    const auto cache = m.kv(KvType::kBf16);
    m.backend.storeKv(m.floats({3, 2, 8}), m.floats({3, 2, 8}), *cache, 1);
  });
  add("store int8 KV", Operation::kStoreKv, 2 * 48 * 4 + 2 * (48 + 3 * 2 * 4), 0, [](Machine& m) {
    const auto cache = m.kv(KvType::kInt8);
    m.backend.storeKv(m.floats({3, 2, 8}), m.floats({3, 2, 8}), *cache, 1);
  });
  const auto attend = [](KvType type, int window) {
    return [type, window](Machine& m) {
      const auto cache = m.kv(type);
      AttentionParameters parameters;
      parameters.slidingWindow = window;
      m.backend.attention(m.floats({3, 4, 8}), *cache, 0, parameters, m.floats({3, 4, 8}));
    };
  };
  // The queries see 5, 6 and 10 keys; the sequences have 6 and 10. A key and its value have 2 x 2 x 8 floats.
  add("attention", Operation::kAttention, 4 * 2 * 96 + (6 + 10) * 128, (5 + 6 + 10) * 4 * 32,
      attend(KvType::kSame, 0));
  add("attention to bf16", Operation::kAttention, 4 * 2 * 96 + (6 + 10) * 64, 21 * 4 * 32,
      attend(KvType::kBf16, 0));
  add("attention to int8", Operation::kAttention, 4 * 2 * 96 + (6 + 10) * (32 + 4 * 4), 21 * 4 * 32,
      attend(KvType::kInt8, 0));
  // Each sees three; the first sequence's two see positions 2 to 5 together.
  add("attention in a window", Operation::kAttention, 4 * 2 * 96 + (4 + 3) * 128, 9 * 4 * 32,
      attend(KvType::kSame, 3));
  add("gate", Operation::kGate, 4 * (2 * 144 + 144), 4 * 144, [](Machine& m) {
    m.backend.gate(m.floats({3, 96}), m.floats({3, 48}));
  });
  add("gather", Operation::kOther, 2 * 4 * 96, 0, [](Machine& m) {
    m.backend.gatherRows(m.floats({5, 32}), ids, m.floats({3, 32}));
  });
  add("logits to the host", Operation::kOther, 2 * 4 * 61, 0, [](Machine& m) {
    Floats host(61);
    m.backend.download(m.floats({1, 61}), host.data());
  });
  // a block: keys and values of two layers
  add("copied blocks", Operation::kOther, 2 * 2 * (2 * 2 * 4 * 2 * 8 * 4), 0, [](Machine& m) {
    const auto cache = m.kv(KvType::kSame);
    const BlockCopy copies[] = {{0, 1}, {2, 3}};
    m.backend.copyBlocks(*cache, copies);
  });
}

void TestTimedBackend::bytesAndOperationsAreThoseOfTheShapes() {
  QFETCH(Call, call);
  QFETCH(int, kind);
  QFETCH(qint64, bytes);
  QFETCH(qint64, operations);
  const Batch batch;
  Machine machine;
  OperationMeter& meter = *machine.backend.meter();
  meter.start();
  machine.backend.beginStep(batch.ragged());  // is a call of the kind `other`, without bytes
  call(machine);
  int seen = 0;
  for (const OperationCost& cost : meter.take().operations) {
    const bool isOther = cost.operation == Operation::kOther;
    if (static_cast<int>(cost.operation) == kind) {
      ++seen;
      QCOMPARE(cost.calls, isOther ? 2 : 1);
      QCOMPARE(qint64{cost.bytes}, bytes);
      QCOMPARE(qint64{cost.operations}, operations);
    } else {
      QVERIFY(isOther && cost.bytes == 0 && cost.operations == 0);
    }
  }
  QCOMPARE(seen, 1);
}

// Of two weights of one kind each has the arithmetic that it was packed for; what is no product has float32.
void TestTimedBackend::operationsAreOfTheArithmeticOfTheProduct() {
  Machine machine;
  const auto measured = [&](WeightFormat format, Compute compute) {
    TimedBackend backend(makeCpuBackend(1, {}, compute));
    const TensorView parts[] = {machine.floats({32, 128})};
    const auto packed = backend.packLinear(parts, format);
    packed->operation = Operation::kDown;
    const auto floats = machine.weight(32, 128, WeightFormat::kF32, Operation::kDown);
    backend.meter()->start();
    backend.linear(machine.floats({2, 128}), *packed, {}, machine.floats({2, 32}));
    backend.linear(machine.floats({2, 128}), *floats, {}, machine.floats({2, 32}));
    backend.rmsNorm(machine.floats({2, 128}), machine.floats({128}), 1e-5f, machine.floats({2, 128}));
    std::map<Operation, OperationCost> of;
    for (const OperationCost& cost : backend.meter()->take().operations) of[cost.operation] = cost;
    return std::pair(of[Operation::kDown], of[Operation::kNorms]);
  };
  constexpr std::int64_t kOne = 2 * 2 * 128 * 32;
  const std::tuple<WeightFormat, Compute, std::int64_t, std::int64_t> cases[] = {
      {WeightFormat::kInt8, Compute::kInt8, kOne, 0},
      {WeightFormat::kInt4, Compute::kInt8, kOne, 0},
      {WeightFormat::kBf16, Compute::kBf16, 0, kOne},
      {WeightFormat::kInt8, Compute::kF32, 0, 0},
      {WeightFormat::kBf16, Compute::kInt8, 0, 0}};
  for (const auto& [format, compute, int8, bf16] : cases) {
    const auto [down, norms] = measured(format, compute);
    QCOMPARE(down.operations, 2 * kOne);
    QCOMPARE(down.int8Operations, int8);
    QCOMPARE(down.bf16Operations, bf16);
    QVERIFY(norms.operations > 0 && norms.int8Operations == 0 && norms.bf16Operations == 0);
  }
}

// What the host does stands beside `other`, wherever it does it; the kinds sum to the whole.
void TestTimedBackend::timesBelongToTheOperationThatTookThem() {
  std::int64_t nowNs = 5;
  Machine machine;
  TimedBackend backend(std::make_unique<TickingBackend>(makeCpuBackend(1), nowNs), [&] { return nowNs; });
  const auto down = machine.weight(32, 32, WeightFormat::kF32, Operation::kDown);
  const auto head = machine.weight(32, 32, WeightFormat::kF32, Operation::kHead);
  const TensorView x = machine.floats({1, 32}), y = machine.floats({1, 32}), n = machine.floats({32});
  const std::vector<std::int32_t> row = {0};
  backend.meter()->start();
  nowNs += 500'000;  // the host builds a batch
  backend.embed(row, x, y);
  for (int layer = 0; layer < 2; ++layer) {
    backend.rmsNorm(x, n, 1e-5f, y);
    backend.linear(y, *down, {}, x);
  }
  backend.gatherRows(x, row, y);
  nowNs += 6'000'000;  // the host looks at them
  backend.linear(y, *head, {}, x);
  backend.gatherRows(x, row, y);
  nowNs += 70'000'000;  // the host looks for what is no number
  const ForwardMeasured measured = backend.meter()->take();
  QCOMPARE(measured.ns, std::int64_t{500'000 + 10 + 2 * 3200 + 2 * 40'000 + 3000 + 76'000'000});
  std::map<Operation, OperationCost> of;
  std::int64_t sum = 0;
  for (const OperationCost& cost : measured.operations) {
    of[cost.operation] = cost;
    sum += cost.ns;
  }
  QCOMPARE(sum, measured.ns);
  QCOMPARE(of.size(), std::size_t{5});
  QCOMPARE(of[Operation::kEmbed].ns, std::int64_t{10});
  QCOMPARE(of[Operation::kNorms].ns, std::int64_t{400});
  QCOMPARE(of[Operation::kNorms].calls, 2);
  QCOMPARE(of[Operation::kDown].ns, std::int64_t{6000});
  QCOMPARE(of[Operation::kHead].ns, std::int64_t{3000});
  QCOMPARE(of[Operation::kOther].ns, std::int64_t{80'000 + 76'500'000});
}

void TestTimedBackend::anotherForwardBeginsAnew() {
  Machine machine;
  OperationMeter& meter = *machine.backend.meter();
  std::vector<ForwardMeasured> measured;
  for (int i = 0; i < 2; ++i) {
    meter.start();
    machine.backend.gate(machine.floats({1, 8}), machine.floats({1, 4}));
    measured.push_back(meter.take());
    machine.backend.gate(machine.floats({1, 8}), machine.floats({1, 4}));  // belongs to no forward
  }
  for (const ForwardMeasured& one : measured) {
    QVERIFY(one.operations.front().operation == Operation::kGate);
    QCOMPARE(one.operations.front().calls, 1);
  }
}

void TestTimedBackend::comparingLaunchesIsNoPartOfAForward() {
  std::int64_t nowNs = 5;
  Machine machine;
  TimedBackend backend(std::make_unique<TickingBackend>(makeCpuBackend(1), nowNs), [&] { return nowNs; });
  const auto down = machine.weight(32, 32, WeightFormat::kF32, Operation::kDown);
  const TensorView x = machine.floats({1, 32}), y = machine.floats({1, 32});
  const auto layers = [&] { backend.linear(x, *down, {}, y); };
  const auto cache = backend.allocateKv({1, 1, 1, 1, 32, KvType::kSame, DType::kF32});
  const RepeatedLayers repeated{1, 0, 1, x, *cache};
  QVERIFY(!backend.compareLaunches(repeated, layers));  // the meter is off
  QCOMPARE(nowNs, std::int64_t{5});
  OperationMeter& meter = *backend.meter();
  meter.start();
  nowNs += 500;  // the host's
  QVERIFY(backend.compareLaunches(repeated, layers));
  layers();
  const ForwardMeasured measured = meter.take();
  QCOMPARE(measured.ns, std::int64_t{500 + 3000});
  QCOMPARE(measured.operations.front().calls, 1);
  const auto launches = meter.takeLaunches();
  QVERIFY(launches && launches->ways.front().ns == 3000);
  QVERIFY(!meter.takeLaunches());
}

void TestTimedBackend::aForwardThatThrowsLeavesTheMeterOff() {
  Machine machine;
  OperationMeter* const meter = machine.backend.meter();
  try {
    const MeterScope measuring(meter);
    QVERIFY(meter->isOn());
    throw 1;
  } catch (int) {
  }
  QVERIFY(!meter->isOn());
  const MeterScope nothing(nullptr);
}

void TestTimedBackend::switchedOffItReadsNoClock() {
  int readings = 0;
  TimedBackend backend(makeCpuBackend(1), [&] { return std::int64_t{++readings}; });
  Machine machine;
  const TensorView x = machine.floats({3, 8}), y = machine.floats({3, 4});
  backend.gate(x, y);
  QCOMPARE(readings, 0);
  backend.meter()->start();
  for (int i = 0; i < 10; ++i) backend.gate(x, y);
  backend.meter()->take();
  QCOMPARE(readings, 1 + 1 + 10 + 1);  // the start, the first operation's, one for each, the end
  backend.gate(x, y);
  QCOMPARE(readings, 13);
}

QTEST_APPLESS_MAIN(TestTimedBackend)
#include "tst_timed_backend.moc"
