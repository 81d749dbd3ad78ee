// InspectedTensors: a model's tensors by the names of its files, for looking at them without loading.
// Thread: any. Read next: vitrine/inspect.h.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "models/tensor_names.h"
#include "runtime/model_files.h"
#include "vitrine/inspect.h"

namespace vitrine {

// The weights of a row that inspectGroup() opens together. Floats share nothing: as many as most blocks have.
std::int64_t groupLength(BlockType type, std::int64_t columns);

class InspectedTensors {
 public:
  explicit InspectedTensors(const std::filesystem::path& model);

  InspectedTensor described(const TensorSpec& tensor) const;
  const TensorSpec& named(const std::string& name) const;  // throws EngineError(kInvalidArgument)

  const ModelFiles files;
  const std::unique_ptr<WeightSource> source;
  std::vector<TensorSpec> specs;

 private:
  std::string shownName(const TensorSpec& tensor) const;
};

}  // namespace vitrine
