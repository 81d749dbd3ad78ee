#include "vitrine/devices.h"

#include "backends/backend.h"
#include "backends/cpu/kernels.h"
#include "backends/cuda/block_formats.h"
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

std::optional<double> gpuBytesPerFileByte(std::string_view blockType) {
  for (int i = 0; i < kBlockTypes; ++i) {
    const auto type = static_cast<BlockType>(i);
    const BlockTypeInfo& info = blockTypeInfo(type);
    if (isFloat(type) || info.name != blockType) continue;
    constexpr int kNumberBytes = 2, kTileWeights = cuda::kTileOutputs * cuda::kTileInputs;
    const auto format = cuda::smallestFormat([&](cuda::TileFormat one) { return cuda::holds(one, type); });
    const double each =
        format ? static_cast<double>(cuda::blockTileLayout(*format).bytes()) / kTileWeights : kNumberBytes;
    return each * static_cast<double>(info.length) / static_cast<double>(info.bytes);
  }
  return std::nullopt;
}

}  // namespace vitrine
