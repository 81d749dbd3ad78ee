// RandomWeights: a checkpoint of seeded noise that was never on a disk, for tests, and what makeRandomModel()
// writes to one (vitrine/random_model.h).
//
// An element is a pure function of seed, tensor and index (core/philox.h), its spread chosen so that
// activations keep their size through the layers and every weight, bias and norm matters. Thread: one thread
// at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "models/model_config.h"
#include "models/tensor_names.h"
#include "models/weight_source.h"

namespace vitrine {

// Elements first, first + 1, ... of the tensor, as float32.
void fillRandomWeights(const TensorSpec& tensor, const ModelConfig& config, std::uint64_t seed,
                       std::int64_t first, std::span<float> out);

class RandomWeights final : public WeightSource {
 public:
  RandomWeights(const ModelConfig& config, std::uint64_t seed, DType type = DType::kF32);
  bool has(std::string_view name) const override;
  void require(std::string_view name, std::initializer_list<std::int64_t> shape) const override;
  Tensor get(std::string_view name, std::initializer_list<std::int64_t> shape) const override;
  std::vector<std::string> names() const override;
  BlockType storedType(std::string_view name) const override;

 private:
  struct Stored {
    TensorSpec spec;
    Tensor tensor;
  };
  const Tensor& find(std::string_view name, std::initializer_list<std::int64_t> shape) const;

  std::map<std::string, Stored, std::less<>> m_tensors;
};

// A preset's config (vitrine/random_model.h). Throws EngineError(kInvalidArgument) listing the known ones.
ModelConfig randomModelConfig(std::string_view preset);

// config.json of a config, in the newer spelling; parseModelConfig() reads the same config back.
std::string configJson(const ModelConfig& config);

// As makeRandomModel(), for any config.
void writeRandomModel(const ModelConfig& config, const std::filesystem::path& directory, std::uint64_t seed,
                      const std::function<bool(double, const char*)>& progress = {});

}  // namespace vitrine
