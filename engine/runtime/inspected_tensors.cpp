#include "runtime/inspected_tensors.h"

#include <algorithm>

#include "vitrine/error.h"

namespace vitrine {

std::int64_t groupLength(BlockType type, std::int64_t columns) {
  constexpr std::int64_t kFloats = 32;
  return isFloat(type) ? std::min(kFloats, columns) : blockTypeInfo(type).group;
}

InspectedTensors::InspectedTensors(const std::filesystem::path& model)
    : files(model, HeadCheck::kSample), source(files.weights()) {
  for (TensorSpec& tensor : checkpointTensors(files.config())) {
    if (tensor.rows == 0)
      source->require(tensor.name, {tensor.columns});
    else
      source->require(tensor.name, {tensor.rows, tensor.columns});
    specs.push_back(std::move(tensor));
  }
}

InspectedTensor InspectedTensors::described(const TensorSpec& tensor) const {
  const BlockType type = source->storedType(tensor.name);
  const std::int64_t rows = std::max<std::int64_t>(tensor.rows, 1);
  return {shownName(tensor), blockTypeInfo(type).name, tensor.shape(), rows * rowBytes(type, tensor.columns),
          groupLength(type, tensor.columns)};
}

const TensorSpec& InspectedTensors::named(const std::string& name) const {
  for (const TensorSpec& tensor : specs)
    if (tensor.name == name || shownName(tensor) == name) return tensor;
  throw EngineError(ErrorCode::kInvalidArgument, files.path().string() + " has no tensor " + name,
                    "The list of tensors has their names.");
}

std::string InspectedTensors::shownName(const TensorSpec& tensor) const {
  return source->nameInFile(tensor.name);
}

}  // namespace vitrine
