// The forms that a model's weights can have: what the engine makes of them when it loads them, GGUF files
// that are written for the benchmark, and files that are there already; each with the arithmetic that it
// offers.
//
// Thread: any. Read next: quantization.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "vitrine/convert.h"

namespace vitrine::cli {

struct WeightForm {
  std::string name;               // "same", "bf16", "int8", "gguf q4_0", or a file's name
  std::vector<Compute> computes;  // float32 first
  WeightType weightType = WeightType::kAsStored;
  Quantization quantization = Quantization::kNone;
  std::filesystem::path file = {};       // of --files
  std::optional<ConvertType> type = {};  // of --types

  // The engine rounds floats when it loads them, for products in int8 in wider groups than for float32's.
  bool isRoundedForCompute() const { return quantization != Quantization::kNone; }
  // One of the engine's own, whose KV cache is measured in int8, too.
  bool isOfEngine() const { return file.empty() && !type; }
};

struct WeightFormsAsked {
  std::string types;               // "q8_0,q4_0" or "all"; empty: none
  std::vector<std::string> files;  // GGUF files of the same model
};

// The model as it is first. --compute leaves float32 and that arithmetic. Throws UsageError for a type that
// cannot be written and for another model's file, and what inspectSizes() throws.
std::vector<WeightForm> weightFormsOf(const EngineArguments& model, const WeightFormsAsked& asked);

// An engine with these weights; a GGUF file that is written for it is gone when it is loaded. Throws what
// convertModel() and Engine::load() throw.
Bench openForm(const EngineArguments& model, const WeightForm& form, const EngineOptions& options);

}  // namespace vitrine::cli
