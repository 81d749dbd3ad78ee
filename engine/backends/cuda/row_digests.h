// RowDigests: memory for digests of rows of logits, and their way to the host.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "backends/cuda/device_memory.h"
#include "backends/cuda/launch.h"

namespace vitrine::cuda {

// Kernels write the results into pinned memory of the host, so that nothing is copied afterwards. Invariant:
// no kernel is under way between calls. Thread: one at a time.
class RowDigests {
 public:
  RowDigests(cudaStream_t stream, ListUpload& lists) : m_stream(stream), m_lists(lists) {}

  // As Backend::digest().
  void make(const TensorView& logits, std::span<const RowWish> wishes, std::span<LogitsDigest> out);

 private:
  const cudaStream_t m_stream;
  ListUpload& m_lists;
  GrowingMemory m_device, m_host;
  std::vector<std::int32_t> m_wishes;
};

}  // namespace vitrine::cuda
