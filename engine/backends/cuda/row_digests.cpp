#include "backends/cuda/row_digests.h"

#include <algorithm>
#include <cstring>

#include "backends/cuda/cuda_errors.h"
#include "core/exponential.h"

namespace vitrine::cuda {
namespace {

// Pieces of one memory, one behind another.
class Pieces {
 public:
  template <class T>
  std::int64_t add(std::int64_t count) {
    constexpr std::int64_t kAlignment = 256;
    const std::int64_t begin = m_bytes;
    m_bytes += (count * static_cast<std::int64_t>(sizeof(T)) + kAlignment - 1) / kAlignment * kAlignment;
    return begin;
  }
  std::int64_t bytes() const { return m_bytes; }

 private:
  std::int64_t m_bytes = 0;
};

template <class T>
T* piece(const GrowingMemory& memory, std::int64_t begin) {
  return reinterpret_cast<T*>(static_cast<char*>(memory.memory.get()) + begin);
}

}  // namespace

void RowDigests::make(const TensorView& logits, std::span<const RowWish> wishes,
                      std::span<LogitsDigest> out) {
  const std::int64_t rows = logits.extent(0), vocabulary = logits.extent(1);
  VITRINE_CHECK(logits.type() == DType::kF32 && std::ssize(wishes) == rows && std::ssize(out) == rows &&
                rows > 0 && vocabulary > 0);
  const std::int64_t blocks = (vocabulary + kSumBlock - 1) / kSumBlock;
  int most = 0;
  for (const RowWish& wish : wishes) most = std::max(most, wish.candidates);
  VITRINE_CHECK(most <= kMostDigestCandidates);

  Pieces onDevice, onHost;
  const std::int64_t best = onDevice.add<unsigned long long>(rows * blocks),
                     groups = onDevice.add<std::uint32_t>(rows * blocks * (kSumBlock / kDigestGroup)),
                     sums = onDevice.add<double>(rows * blocks * 2), results = onHost.add<DigestedRow>(rows),
                     top = onHost.add<RankedLogit>(rows * std::max(most, 1));
  if (onDevice.bytes() > m_device.bytes)
    m_device.grow(onDevice.bytes(), [&](std::int64_t bytes) { return allocateDevice(bytes, m_stream); });
  if (onHost.bytes() > m_host.bytes) m_host.grow(onHost.bytes(), allocatePinned);

  static_assert(sizeof(RowWish) == 2 * sizeof(std::int32_t));
  m_wishes.resize(2 * wishes.size());
  std::memcpy(m_wishes.data(), wishes.data(), wishes.size_bytes());
  DigestJob job;
  job.logits = logits.f32();
  job.stride = logits.stride(0);
  job.vocabulary = vocabulary;
  job.rows = static_cast<int>(rows);
  job.blocks = static_cast<int>(blocks);
  job.wishes = reinterpret_cast<const RowWish*>(m_lists.put(m_wishes));
  job.mostCandidates = most;
  job.best = piece<unsigned long long>(m_device, best);
  job.groups = piece<std::uint32_t>(m_device, groups);
  job.sums = piece<double>(m_device, sums);
  job.results = piece<DigestedRow>(m_host, results);
  job.top = piece<RankedLogit>(m_host, top);
  digestRows(job, m_stream);
  checkLaunch("a digest of logits");
  check(cudaStreamSynchronize(m_stream), "a step");

  for (std::int64_t row = 0; row < rows; ++row) {
    const RowWish& wish = wishes[static_cast<std::size_t>(row)];
    if (wish.isWhole()) continue;
    const DigestedRow& result = job.results[row];
    const RankedLogit* const first = job.top + row * most;
    LogitsDigest& digest = out[static_cast<std::size_t>(row)];
    digest.isFinite = result.isFinite != 0;
    digest.max = result.max;
    digest.mostLikely = result.mostLikely;
    digest.sum = result.sum;
    digest.scaledSum = result.scaledSum;
    digest.scale = wish.scale;
    digest.top.assign(first, first + result.candidates);
  }
}

}  // namespace vitrine::cuda
