// The module's boundary: torch's exceptions become EngineError, and a view a tensor that shares its memory.
#pragma once

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "vitrine/error.h"

namespace vitrine::torch_backend {

[[noreturn]] inline void rethrowAsOurs(const std::string& what) {
  bool memory = false;
  for (const char* sign : {"allocate", "out of memory", "overflow"})
    memory = memory || what.find(sign) != std::string::npos;
  if (memory)
    throw EngineError(ErrorCode::kOutOfMemory, "libtorch is out of memory: " + what,
                      "use fewer KV blocks, a smaller model or bf16 weights");
  throw EngineError(ErrorCode::kUnavailable, "libtorch failed: " + what, "use --kernels native");
}

// Runs `work` without gradients and translates what it throws.
template <class Work>
auto guarded(Work&& work) {
  try {
    const c10::NoGradGuard noGradients;
    return work();
  } catch (const EngineError&) {
    throw;
  } catch (const std::bad_alloc&) {
    rethrowAsOurs("cannot allocate");
  } catch (const c10::Error& error) {
    rethrowAsOurs(error.what_without_backtrace());
  } catch (const std::exception& error) {
    rethrowAsOurs(error.what());
  }
}

inline at::ScalarType scalarType(DType type) {
  switch (type) {
    case DType::kBf16:
      return at::kBFloat16;
    case DType::kF16:
      return at::kHalf;
    case DType::kI32:
      return at::kInt;
    default:
      return at::kFloat;
  }
}

// A tensor over the view's own memory and strides.
inline at::Tensor wrap(const TensorView& view) {
  std::vector<std::int64_t> sizes, strides;
  for (int axis = 0; axis < view.rank(); ++axis) {
    sizes.push_back(view.extent(axis));
    strides.push_back(view.stride(axis));
  }
  return at::from_blob(view.data(), sizes, strides, at::TensorOptions().dtype(scalarType(view.type())));
}

}  // namespace vitrine::torch_backend
