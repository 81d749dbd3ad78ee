#include "vitrine/devices.h"

#include "backends/backend.h"
#include "backends/cpu/kernels.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

DeviceInfo lookAtGpu() {
  DeviceInfo gpu{.device = Device::kCuda};
  try {
    gpu.name = cudaName();
  } catch (const EngineError& error) {
    gpu.problem = error.what();
    gpu.hint = error.hint();
  }
  return gpu;
}

}  // namespace

std::vector<DeviceInfo> knownDevices() {
  return {{.device = Device::kCpu, .name = cpu::instructionSet()}, lookAtGpu()};
}

std::optional<DeviceMemory> deviceMemory(Device device) {
  if (device == Device::kCpu) return std::nullopt;
  return cudaMemory();
}

}  // namespace vitrine
