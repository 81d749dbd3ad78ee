#include "backends/cuda/block_copies.h"

#include <algorithm>

#include "backends/cuda/cuda_errors.h"

namespace vitrine::cuda {

BlockCopies::BlockCopies(const Stream& step) : m_step(step) {
  check(cudaEventCreateWithFlags(&m_launched, cudaEventDisableTiming), "an event");
  for (cudaEvent_t& event : m_copied)
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "an event");
}

BlockCopies::~BlockCopies() {
  cudaStreamSynchronize(m_stream);
  cudaEventDestroy(m_launched);
  for (cudaEvent_t event : m_copied) cudaEventDestroy(event);
}

// The copy that follows waits for the kernels so far.
void BlockCopies::begin() {
  check(cudaEventRecord(m_launched, m_step), "an event");
  check(cudaStreamWaitEvent(m_stream, m_launched, 0), "an event");
}

void BlockCopies::end() {
  ++m_last;
  check(cudaEventRecord(m_copied[m_last % kEvents], m_stream), "an event");
}

void BlockCopies::copyOut(std::int32_t block, const void* from, void* host, std::int64_t bytes) {
  const auto index = static_cast<std::size_t>(block);
  if (index >= m_outOf.size()) m_outOf.resize(index + 1);
  begin();
  check(cudaMemcpyAsync(host, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost, m_stream),
        "a copy from the GPU");
  m_outOf[index] = m_last + 1;
  end();
}

void BlockCopies::copyIn(void* to, const void* host, std::int64_t bytes) {
  begin();
  check(cudaMemcpyAsync(to, host, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice, m_stream),
        "a copy to the GPU");
  m_lastIn = m_last + 1;
  end();
}

std::uint64_t BlockCopies::copyOutOf(std::int32_t block) const {
  const auto index = static_cast<std::size_t>(block);
  return index < m_outOf.size() ? m_outOf[index] : 0;
}

void BlockCopies::await(std::span<const std::int32_t> slots, int blockSize) {
  if (m_awaited == m_last) return;
  std::uint64_t needed = m_lastIn;
  for (const std::int32_t slot : slots)
    if (slot >= 0) needed = std::max(needed, copyOutOf(slot / blockSize));
  if (needed <= m_awaited) return;
  check(cudaStreamWaitEvent(m_step, m_copied[needed % kEvents], 0), "an event");
  m_awaited = needed;
}

void BlockCopies::finish() {
  m_stream.finish();
  m_awaited = m_last;
}

}  // namespace vitrine::cuda
