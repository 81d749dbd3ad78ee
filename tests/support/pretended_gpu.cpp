// A module in the place of the CUDA one that computes on the CPU and says that it is a GPU, for tests of all
// that depends on a device where there is none. Its memory is what VITRINE_PRETENDED_MEMORY says, in bytes;
// the number of the type of activations that it was made for stands in VITRINE_PRETENDED_ACTIVATIONS.
#include <atomic>
#include <cstdlib>

#include "backends/cuda_module.h"
#include "backends/roof_readings.h"
#include "support/digesting_backend.h"

namespace vitrine {
namespace {

constexpr const char* kName = "Pretended GPU";

std::atomic<std::int64_t> heldBytes = 0, peakBytes = 0;

void hold(std::int64_t bytes) {
  heldBytes += bytes;
  peakBytes = std::max<std::int64_t>(peakBytes, heldBytes);
}

// Holds bytes of the device while it lives.
std::shared_ptr<void> share(std::int64_t bytes) {
  hold(bytes);
  return {nullptr, [bytes](void*) { heldBytes -= bytes; }};
}

DeviceMemory memoryNow() {
  const char* given = std::getenv("VITRINE_PRETENDED_MEMORY");
  const std::int64_t total = given != nullptr ? std::atoll(given) : std::int64_t{1} << 30;
  return {total, std::max<std::int64_t>(total - heldBytes, 0), heldBytes, peakBytes};
}

class PretendedGpu final : public test::ForwardingBackend {
 public:
  PretendedGpu() : ForwardingBackend(std::make_unique<test::DigestingBackend>(makeCpuBackend(1))) {}

  std::string name() const override { return "cuda"; }
  std::string device() const override { return kName; }
  int threads() const override { return 0; }
  std::optional<DeviceMemory> memory() const override { return memoryNow(); }
  void resetPeak() override { peakBytes = heldBytes.load(); }

  // Figures of no machine.
  std::optional<MachineRoof> measureRoof(std::int64_t modelBytes, const RoofProgress& progress) override {
    MachineRoof roof;
    roof.instructions = kName;
    roof.gflops = 250'000;
    roof.secondCache = std::int64_t{50} << 20;
    roof.peak = RoofPeak::kBf16Products;
    tellRoofProgress(progress, 0);
    chooseReadings(roof, modelBytes, std::int64_t{1} << 30);
    for (RoofReading& reading : roof.readings) reading.gbps = reading.bytes < roof.secondCache ? 6000 : 3000;
    tellRoofProgress(progress, 1);
    return roof;
  }

  // Likewise.
  std::optional<LaunchesMeasured> compareLaunches(const RepeatedLayers& layers,
                                                  const std::function<void()>&) override {
    const auto rows = static_cast<int>(layers.hidden.extent(0));
    const auto times = [](LaunchWay way, int launches, std::int64_t eachNs, std::int64_t gapNs) {
      LaunchTimes one{way, launches, 28 * 6 * (eachNs + gapNs), {}};
      std::int64_t nowNs = 0;
      for (int layer = 0; layer < 2; ++layer)
        for (const Operation operation : {Operation::kQkv, Operation::kRotary, Operation::kAttention,
                                          Operation::kOutput, Operation::kGateUp, Operation::kDown}) {
          one.spans.push_back({operation, layer, nowNs, nowNs + eachNs});
          nowNs += eachNs + gapNs;
        }
      return one;
    };
    return LaunchesMeasured{
        LaunchWay::kGraph,
        rows,
        rows,
        layers.last - layers.first,
        {times(LaunchWay::kEager, 168, 5'000, 3'000), times(LaunchWay::kGraph, 1, 5'000, 500),
         times(LaunchWay::kPersistent, 2, 4'000, 0)}};
  }

  Tensor allocate(DType type, std::initializer_list<std::int64_t> shape) override {
    return held(ForwardingBackend::allocate(type, shape));
  }
  Tensor upload(const TensorView& host) override { return held(ForwardingBackend::upload(host)); }
  std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> parts, WeightFormat format) override {
    return held(ForwardingBackend::packLinear(parts, format));
  }
  std::unique_ptr<LinearWeight> packBlocks(std::span<const WeightRows> parts) override {
    return held(ForwardingBackend::packBlocks(parts));
  }
  std::unique_ptr<KvCache> allocateKv(const KvCacheShape& shape) override {
    auto cache = ForwardingBackend::allocateKv(shape);
    m_held.push_back(share(shape.numBlocks * cache->blockBytes()));
    return cache;
  }

 private:
  static Tensor held(const Tensor& tensor) {
    const TensorView& view = tensor.view();
    auto both = std::make_shared<std::pair<Tensor, std::shared_ptr<void>>>(
        tensor, share(view.elements() * static_cast<std::int64_t>(dtypeBytes(view.type()))));
    return {std::shared_ptr<void>(both, view.data()), view};
  }
  // As long as the backend, which a weight and a cache of a test live as long as.
  std::unique_ptr<LinearWeight> held(std::unique_ptr<LinearWeight> weight) {
    m_held.push_back(share(weight->bytes));
    return weight;
  }

  std::vector<std::shared_ptr<void>> m_held;
};

}  // namespace
}  // namespace vitrine

extern "C" {

__attribute__((visibility("default"))) const char* vitrineModuleVersion() { return VITRINE_VERSION; }

__attribute__((visibility("default"))) vitrine::Backend* vitrineMakeCudaBackend(
    vitrine::DType activations, const char* attention, vitrine::Decoding,
    vitrine::BatchInvariance invariance) {
  setenv("VITRINE_PRETENDED_ACTIVATIONS", std::to_string(static_cast<int>(activations)).c_str(), 1);
  if (invariance == vitrine::BatchInvariance::kOff)
    throw vitrine::EngineError(vitrine::ErrorCode::kUnavailable, "a pretended GPU has no cuBLASLt",
                               "leave --batch-invariant out");
  if (*attention != '\0')
    throw vitrine::EngineError(vitrine::ErrorCode::kUnsupported, "a pretended GPU knows no --attention",
                               "leave --attention out");
  return new vitrine::PretendedGpu();
}

__attribute__((visibility("default"))) void vitrineCudaName(std::string& name) { name = vitrine::kName; }

__attribute__((visibility("default"))) void vitrineCudaMemory(vitrine::DeviceMemory& memory) {
  memory = vitrine::memoryNow();
}
}
