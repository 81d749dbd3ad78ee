// WeightSource: named tensors of a checkpoint, wherever they lie (safetensors files, random numbers, GGUF
// later).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace vitrine {

class WeightSource {
 public:
  virtual ~WeightSource() = default;
  virtual bool has(std::string_view name) const = 0;
  // Host memory, valid as long as the source. Throws EngineError(kFileCorrupt) naming the tensor and the file
  // when it is missing, has another shape, or a type that is no float.
  virtual TensorView get(std::string_view name, std::initializer_list<std::int64_t> shape) const = 0;
  virtual std::vector<std::string> names() const = 0;
};

}  // namespace vitrine
