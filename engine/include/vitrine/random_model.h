// Random models: directories with a real model's shapes and seeded random weights, for benchmarks and tests
// without a download. They load like any model and answer with noise.
//
// The bytes depend on preset, seed and type alone. Thread: any. Read next: models/random_weights.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vitrine/names.h"

namespace vitrine {

enum class RandomModelType { kBf16, kF32, kF16 };
VITRINE_NAMES(RandomModelType, "bf16", "f32", "f16");

struct RandomModelOptions {
  std::uint64_t seed = 1;
  RandomModelType type = RandomModelType::kBf16;  // how the weights are stored
};

// "tiny", "qwen3-0.6b", ...: what makeRandomModel() can imitate.
std::vector<std::string> randomModelPresets();

// Writes config.json and model.safetensors into `directory`, which must be new or empty. `progress` gets 0..1
// and "weights"; returning false cancels. After an error or a cancellation, no file remains. Throws
// EngineError: kInvalidArgument (unknown preset, directory in use), kIo (disk full, folder not writable),
// kCancelled.
void makeRandomModel(std::string_view preset, const std::filesystem::path& directory,
                     const RandomModelOptions& options = {},
                     const std::function<bool(double fraction, const char* what)>& progress = {});

}  // namespace vitrine
