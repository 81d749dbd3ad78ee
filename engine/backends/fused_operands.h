// The operands of operations that a backend may compute as one (backend.h). Thread: values.
#pragma once

#include "core/tensor.h"

namespace vitrine {

// What the product for queries, keys and values gives, as heads.
struct HeadsOfTokens {
  TensorView q, k, v;  // [T, heads, headDim], [T, kvHeads, headDim] twice
};

// Norms of each head, as Qwen3 has them.
struct HeadNorms {
  TensorView query, key;  // [headDim]; empty: none
  float eps = 0;
};

// The residual stream, which a product is added to, and its norm.
struct ResidualNorm {
  TensorView residual;  // [T, n], float32
  TensorView weight;    // [n]
  float eps = 0;
  TensorView out;  // [T, n]
};

}  // namespace vitrine
