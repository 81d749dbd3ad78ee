// RowDigests: digests of rows of logits on their way to the host, with memory of their own.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "backends/cuda/device_memory.h"
#include "backends/cuda/launch.h"

namespace vitrine::cuda {

// Kernels write the results into pinned memory of the host, so that nothing is copied afterwards, and an
// event behind them says that they are there. Thread: one at a time.
class RowDigests final : public LogitsDigests {
 public:
  // `given`: where the most likely tokens are for the next list of them that has some to fill in.
  RowDigests(cudaStream_t stream, ListUpload& lists, const std::int32_t*& given);
  ~RowDigests() override;
  RowDigests(const RowDigests&) = delete;
  RowDigests& operator=(const RowDigests&) = delete;

  void begin(const TensorView& logits, std::span<const RowWish> wishes) override;
  void finish(std::span<LogitsDigest> out) override;
  void giveTokens() override { m_given = m_job.tokens; }

 private:
  void reserve(std::int64_t deviceBytes, std::int64_t hostBytes);

  const cudaStream_t m_stream;
  ListUpload& m_lists;
  const std::int32_t*& m_given;
  cudaEvent_t m_done = nullptr;
  GrowingMemory m_device, m_host;
  std::vector<RowWish> m_wishes;
  std::vector<std::int32_t> m_list;  // the same as numbers
  DigestJob m_job = {};
};

}  // namespace vitrine::cuda
