// How kernels follow one another on a stream.
//
// A kernel's blocks may begin while the kernel before still computes (programmatic dependent launch, compute
// capability 9.0 on): they bring weights, which no kernel writes, and wait before they touch anything else.
// So the memory does not rest between two kernels. A kernel that is launched by enqueue() calls
// beginKernel(), or, where it brings weights in between, letNextBegin() and waitForPrevious().
#pragma once

#include "backends/cuda/launch.h"

namespace vitrine::cuda {

// The kernel behind this one may begin as far as it can.
__device__ inline void letNextBegin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
// Until all kernels before this one have ended, and what they wrote is there.
__device__ inline void waitForPrevious() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__device__ inline void beginKernel() {
  letNextBegin();
  waitForPrevious();
}

// Neighbouring blocks of threads form clusters of so many, from compute capability 9.0 on.
template <class... Parameters, class... Arguments>
void enqueueClusters(const Queue& queue, void (*kernel)(Parameters...), int cluster, dim3 grid, int threads,
                     int sharedBytes, const Arguments&... arguments) {
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (queue.overlaps) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count++].val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(sharedBytes);
  config.stream = queue.stream;
  config.attrs = attributes;
  config.numAttrs = count;
  cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);  // an error is the launch's last error
}
template <class... Parameters, class... Arguments>
void enqueue(const Queue& queue, void (*kernel)(Parameters...), dim3 grid, int threads, int sharedBytes,
             const Arguments&... arguments) {
  enqueueClusters(queue, kernel, 1, grid, threads, sharedBytes, arguments...);
}

}  // namespace vitrine::cuda
