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

RowDigests::RowDigests(cudaStream_t stream, ListUpload& lists, const std::int32_t*& given)
    : m_stream(stream), m_lists(lists), m_given(given) {
  check(cudaEventCreateWithFlags(&m_done, cudaEventDisableTiming), "an event");
}

RowDigests::~RowDigests() {
  cudaStreamSynchronize(m_stream);  // kernels may still read tokens
  cudaEventDestroy(m_done);
}

// Kernels of an earlier step may still use what is too small.
void RowDigests::reserve(std::int64_t deviceBytes, std::int64_t hostBytes) {
  if (deviceBytes <= m_device.bytes && hostBytes <= m_host.bytes) return;
  check(cudaStreamSynchronize(m_stream), "a step");
  if (deviceBytes > m_device.bytes)
    m_device.grow(deviceBytes, [&](std::int64_t bytes) { return allocateDevice(bytes, m_stream); });
  if (hostBytes > m_host.bytes) m_host.grow(hostBytes, allocatePinned);
}

void RowDigests::begin(const TensorView& logits, std::span<const RowWish> wishes) {
  const std::int64_t rows = logits.extent(0), vocabulary = logits.extent(1);
  VITRINE_CHECK(logits.type() == DType::kF32 && std::ssize(wishes) == rows && rows > 0 && vocabulary > 0);
  const std::int64_t blocks = (vocabulary + kSumBlock - 1) / kSumBlock;
  int most = 0;
  for (const RowWish& wish : wishes) most = std::max(most, wish.candidates);
  VITRINE_CHECK(most <= kMostDigestCandidates);

  Pieces onDevice, onHost;
  const std::int64_t best = onDevice.add<unsigned long long>(rows * blocks),
                     groups = onDevice.add<std::uint32_t>(rows * blocks * (kSumBlock / kDigestGroup)),
                     sums = onDevice.add<double>(rows * blocks * 2),
                     tokens = onDevice.add<std::int32_t>(rows), results = onHost.add<DigestedRow>(rows),
                     top = onHost.add<RankedLogit>(rows * std::max(most, 1));
  reserve(onDevice.bytes(), onHost.bytes());

  static_assert(sizeof(RowWish) == 2 * sizeof(std::int32_t));
  m_wishes.assign(wishes.begin(), wishes.end());
  m_list.resize(2 * wishes.size());
  std::memcpy(m_list.data(), wishes.data(), wishes.size_bytes());
  DigestJob& job = m_job;
  job.logits = logits.f32();
  job.stride = logits.stride(0);
  job.vocabulary = vocabulary;
  job.rows = static_cast<int>(rows);
  job.blocks = static_cast<int>(blocks);
  job.wishes = reinterpret_cast<const RowWish*>(m_lists.put(m_list));
  job.mostCandidates = most;
  job.best = piece<unsigned long long>(m_device, best);
  job.groups = piece<std::uint32_t>(m_device, groups);
  job.sums = piece<double>(m_device, sums);
  job.tokens = piece<std::int32_t>(m_device, tokens);
  job.results = piece<DigestedRow>(m_host, results);
  job.top = piece<RankedLogit>(m_host, top);
  digestRows(job, m_stream);
  checkLaunch("a digest of logits");
  check(cudaEventRecord(m_done, m_stream), "an event");
}

void RowDigests::finish(std::span<LogitsDigest> out) {
  VITRINE_CHECK(out.size() == m_wishes.size());
  check(cudaEventSynchronize(m_done), "a step");
  for (std::size_t row = 0; row < out.size(); ++row) {
    const RowWish& wish = m_wishes[row];
    if (wish.isWhole()) continue;
    const DigestedRow& result = m_job.results[row];
    const RankedLogit* const first = m_job.top + row * static_cast<std::size_t>(m_job.mostCandidates);
    LogitsDigest& digest = out[row];
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
