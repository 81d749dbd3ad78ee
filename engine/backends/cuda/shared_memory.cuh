// What a kernel needs to be told before it uses much shared memory.
#pragma once

#include <cuda_runtime_api.h>

namespace vitrine::cuda {

// A block of threads has 48 KiB without asking. Asked for once, it is granted for the whole run; a refusal
// shows at the launch.
template <class Kernel>
bool allowShared(Kernel kernel, int bytes) {
  constexpr int kWithoutAsking = 48 * 1024;
  return bytes <= kWithoutAsking ||
         cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) == cudaSuccess;
}

}  // namespace vitrine::cuda
