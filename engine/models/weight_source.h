// WeightSource: named tensors of a checkpoint, wherever they lie (safetensors files, GGUF files, random
// numbers).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "formats/block_types.h"
#include "formats/input_file.h"
#include "models/tensor_names.h"

namespace vitrine {

class WeightSource {
 public:
  virtual ~WeightSource() = default;
  virtual bool has(std::string_view name) const = 0;
  // Throws EngineError(kFileCorrupt) naming the tensor and the file when it is missing, has another shape, or
  // a type that is no float. Reads none of its bytes.
  virtual void require(std::string_view name, std::initializer_list<std::int64_t> shape) const = 0;
  // The tensor in host memory of its own: a later change of the file does not reach it. Throws what require()
  // throws, and what reading the file throws.
  virtual Tensor get(std::string_view name, std::initializer_list<std::int64_t> shape) const = 0;
  virtual std::vector<std::string> names() const = 0;
  // For messages: a tensor under its name in the files, and what they say of the model there.
  virtual std::string nameInFile(std::string_view name) const { return std::string(name); }
  // A sentence on where a tensor that is not there can be had; empty where nothing is known of it.
  virtual std::string foundElsewhere(std::string_view) const { return {}; }
  virtual std::string whatDescribesIt() const { return "config.json"; }
  // The files that the tensors lie in; none where they come from elsewhere.
  virtual std::vector<FileIdentity> files() const { return {}; }
  // The type of a tensor where it lies. Requires has(); throws what require() throws for a type.
  virtual BlockType storedType(std::string_view name) const = 0;
  // Whether matrices may be in blocks, each in a type of its own. Then get() gives the floats they stand for.
  virtual bool keepsBlocks() const { return false; }
  // A matrix as it is stored, whose rows are read when they are asked for. The source must outlive them.
  // Throws what get() throws, and so does reading.
  virtual WeightRows rows(std::string_view name, std::initializer_list<std::int64_t> shape) const;
};

// A tensor as it is stored, its rows in the decoder's order; a vector is one row. Throws what get() throws.
WeightRows storedRows(const WeightSource& source, const TensorSpec& tensor);
// All its bytes.
std::vector<std::byte> storedBytes(const WeightSource& source, const TensorSpec& tensor);

}  // namespace vitrine
