// OperationCosts: the bytes and arithmetic operations of each operation of a backend, from its shapes.
//
// Bytes are those that have to be read or written at least once, however a kernel goes about it: weights as
// packed, KV as stored, activations in the backend's type. A matrix product reads its weights once for all
// rows, and attention reads the keys and values of a sequence once for all of its tokens and heads. A
// multiply-add is two operations; a division, a square root or an exponential is one. What only moves or
// converts numbers has none. Thread: any. Read next: timed_backend.h.
#pragma once

#include "backends/backend.h"

namespace vitrine {

struct Cost {
  std::int64_t bytes = 0, operations = 0;
  Compute arithmetic = Compute::kF32;  // of the operations, on a processor
};

Cost embedCost(const TensorView& table, const TensorView& out);
Cost embedCost(const LinearWeight& table, const TensorView& out);
// For each element: two for the sum of squares, two for the scale and the weight; and one for the residual.
Cost normCost(const TensorView& x, const TensorView& weight, const TensorView& out);
Cost addNormCost(const TensorView& residual, const TensorView& delta, const TensorView& weight,
                 const TensorView& out);
Cost linearCost(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                const TensorView& out);
// Four multiplications, an addition and a subtraction for each pair of elements.
Cost rotaryCost(const TensorView& x, const TensorView& cos);
Cost storeKvCost(const TensorView& k, const KvCacheShape& shape);
// For each pair of a query and a key that it sees, and each of the query's heads: a multiply-add for each
// element of the score and of the output. `window`: AttentionParameters::slidingWindow.
Cost attentionCost(const RaggedBatch& batch, const TensorView& q, const KvCacheShape& shape, int window);
// An exponential, an addition, a division and a multiplication for each element.
Cost gateCost(const TensorView& out);
// So many bytes are read and written again.
inline Cost copyCost(std::int64_t bytes) { return {2 * bytes, 0}; }

}  // namespace vitrine
