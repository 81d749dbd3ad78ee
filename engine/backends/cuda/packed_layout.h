// Where an element of a weight matrix lies: for bfloat16 and float16 in squares of 8 outputs by 8 inputs, one
// row of a square after another, as the tensor cores' instructions read them (PTX: "core matrix"); for
// float32 in panels, the outputs of a panel side by side.
#pragma once

#include "backends/cuda/launch.h"

namespace vitrine::cuda {

inline constexpr int kPanelOutputs = 32;  // of the float32 product

struct PackedLayout {
  std::int64_t outputs, inputs;
  bool isPanels;

  explicit PackedLayout(const PackedMatrix& matrix)
      : outputs(matrix.outputs), inputs(matrix.inputs), isPanels(matrix.type == DType::kF32) {}

  __host__ __device__ std::int64_t tileOutputs() const { return isPanels ? kPanelOutputs : kTileOutputs; }
  // Inputs with their padding.
  __host__ __device__ std::int64_t depth() const {
    return isPanels ? inputs : (inputs + kTileInputs - 1) / kTileInputs * kTileInputs;
  }
  __host__ __device__ std::int64_t elements() const {
    return (outputs + tileOutputs() - 1) / tileOutputs() * tileOutputs() * depth();
  }
  __host__ __device__ std::int64_t at(std::int64_t output, std::int64_t input) const {
    const std::int64_t tile = output / tileOutputs(), row = output % tileOutputs();
    const std::int64_t begin = tile * tileOutputs() * depth();
    if (isPanels) return begin + input * kPanelOutputs + row;
    return begin + (input / kSquare * kSquare + row) * kSquare + input % kSquare;
  }
};

}  // namespace vitrine::cuda
