// LibraryProducts: products of many rows by cuBLASLt, NVIDIA's library, for --batch-invariant off.
//
// It may add in another order for another number of rows, so a row's bits depend on the batch around it: that
// is what the law costs, to be measured. The library is half a gigabyte, and no other run needs it. So it is
// loaded here, by name, and nothing is linked with it. Thread: one at a time.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "core/tensor.h"

namespace vitrine::cuda {

class LibraryProducts {
 public:
  virtual ~LibraryProducts() = default;

  // out [T, outputs] = x [T, inputs] · weightᵀ, or += with `adds`. weight [outputs, inputs] is contiguous; x
  // has its type, bfloat16 or float16; out has this type or float32. False: the library has no kernel for
  // such operands, and nothing is launched. A shape that came before allocates nothing, so it may be recorded
  // in a graph. Throws EngineError: kUnavailable with the library's words, kOutOfMemory.
  virtual bool multiply(const TensorView& x, const TensorView& weight, const TensorView& out, bool adds) = 0;
};

// On the stream. Throws EngineError(kUnavailable) where the library is not there, or where this module was
// built without its header.
std::unique_ptr<LibraryProducts> openLibraryProducts(cudaStream_t stream);

}  // namespace vitrine::cuda
