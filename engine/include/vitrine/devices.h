// The devices of this machine: which of them can compute, and the memory that a GPU has of its own.
//
// A GPU is asked through its module and its driver, which are loaded for that: the first call may take a
// second. Thread: any; not one that must answer meanwhile. Read next: options.h, engine.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vitrine/options.h"

namespace vitrine {

// Of a device that has memory of its own, in bytes. What a driver keeps for itself is in none but the first.
struct DeviceMemory {
  std::int64_t totalBytes = 0;
  std::int64_t freeBytes = 0;  // that no program holds
  std::int64_t usedBytes = 0;  // that this program's engines hold: weights, KV pools, what computing needs
  std::int64_t peakBytes = 0;  // the most of these since the last resetDevicePeak() of an engine
};

struct DeviceInfo {
  Device device = Device::kCpu;
  std::string name = {};  // "AVX-512", "NVIDIA H100 80GB HBM3"; empty for one that cannot compute
  // Why it cannot compute, and the remedy, as an EngineError of loading would say it; empty: it can.
  std::string problem = {}, hint = {};
  bool canCompute() const { return problem.empty(); }
};

// One for each Device, in its order. The CPU can always compute.
std::vector<DeviceInfo> knownDevices();

// Nothing for a device that computes in the host's memory. Asking a GPU takes some hundred MiB of it, as
// loading a model there would. Throws EngineError(kUnavailable) for a device that cannot compute.
std::optional<DeviceMemory> deviceMemory(Device device);

// Bytes that the weights of a GGUF file take on a GPU for each byte in the file, where most of its blocks
// have this type ("Q4_K") and it is loaded as it is stored: blocks are codes there, in another order
// (engine/backends/cuda/README.md, "Numbers"). Nothing for floats and for names of no type.
std::optional<double> gpuBytesPerFileByte(std::string_view blockType);

}  // namespace vitrine
