// The device itself: its name, its memory as allocations come and go, and the limits that it is measured
// with, which are printed.
#include "gpu/gpu_checks.h"
#include "vitrine/devices.h"

namespace vitrine::gpu {
namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;

void checkMemory(Report& report) {
  if (!report.begin("memory of the device")) return;
  const auto backend = makeCudaBackend(DType::kF32);
  const DeviceMemory before = backend->memory().value();
  report.check(before.totalBytes > 0 && before.freeBytes > 0 && before.freeBytes <= before.totalBytes,
               "it has some, and some of it free");
  backend->resetPeak();
  {
    const Tensor tensor = backend->allocate(DType::kF32, {64, kMib / 4});
    const DeviceMemory now = backend->memory().value();
    report.check(now.usedBytes == before.usedBytes + 64 * kMib, "64 MiB more are used");
    report.check(now.freeBytes <= before.freeBytes - 64 * kMib, "and not free");
  }
  const DeviceMemory after = backend->memory().value();
  report.check(after.usedBytes == before.usedBytes, "they are given back");
  report.check(after.peakBytes == before.usedBytes + 64 * kMib, "the peak remembers them");
  backend->resetPeak();
  report.check(backend->memory()->peakBytes == after.usedBytes, "until it begins anew");
  report.check(deviceMemory(Device::kCuda)->totalBytes == before.totalBytes, "it is the GPU that is known");
}

void checkRoof(Report& report, DType activations) {
  if (!report.begin(std::string("limits with ") + typeName(activations))) return;
  const auto backend = makeCudaBackend(activations);
  const std::int64_t used = backend->memory()->usedBytes;
  constexpr std::int64_t kModelBytes = 40 * kMib;
  const MachineRoof roof = backend->measureRoof(kModelBytes, {}).value();
  report.check(roof.isOfGpu() && roof.threads == 0, "they are a GPU's");
  report.check(roof.instructions == backend->device(), "of this one");
  // The least that a GPU of compute capability 7.5 has, and more than any has.
  report.check(roof.gflops > 1000 && roof.gflops < 1e7, "a peak that can be");
  for (const RoofReading& reading : roof.readings) {
    report.check(reading.gbps > 50 && reading.gbps < 1e5, "a bandwidth that can be");
    std::printf("  copying within %lld MiB: %.0f GB/s\n", static_cast<long long>(reading.bytes / kMib),
                reading.gbps);
  }
  std::printf("  products: %.0f GFLOP/s\n", roof.gflops);
  report.check(backend->memory()->usedBytes == used, "what was measured with is given back");
}

void checkName(Report& report) {
  if (!report.begin("the device")) return;
  const DeviceInfo gpu = knownDevices().at(static_cast<std::size_t>(Device::kCuda));
  report.check(gpu.canCompute() && gpu.name == makeCudaBackend(DType::kF32)->device(), "it is known by name");
}

}  // namespace

void checkDevice(Report& report) {
  checkName(report);
  checkMemory(report);
  for (const DType activations : kActivations) checkRoof(report, activations);
}

}  // namespace vitrine::gpu
