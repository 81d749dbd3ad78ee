// Digests of rows of logits, where they lie: what a draw needs of a row, without a way over the bus.
//
// 1 largest   a block of threads for each kSumBlock logits: its best token, and the largest logit of each
// group
//             of 64, by which the candidates are found later
// 2 sums      the same blocks, with the row's largest logit: the order of core/exponential.h, a thread a lane
// 3 results   a block of threads a row: the sums of its blocks, ascending
// 4 candidates, where some are wanted, a block of threads a row: a bound that at least as many groups reach
//             as tokens are wanted, so at least as many logits do; then those that reach it, mostly hardly
//             more than are wanted, sorted in shared memory. Of a row in which too many reach it, as one of
//             equal logits, there are none, and the host takes the row.
//
// Logits are compared as unsigned numbers of the same order, and tokens with them as one number of 64 bits,
// so that of equal logits the smaller id comes first. Results are written to the host's memory; the most
// likely tokens stay on the GPU as well, for a forward that begins with them. Read next:
// row_digests.h.
#include "backends/cuda/launch.h"
#include "backends/cuda/queue.cuh"
#include "backends/cuda/reduce.cuh"
#include "core/exponential.h"

namespace vitrine::cuda {
namespace {

constexpr int kThreads = kSumLanes, kEach = kSumBlock / kSumLanes;
constexpr int kGroupThreads =
    kDigestGroup / kEach;  // neighbours, of which each holds kEach logits of the group
constexpr int kGroupsOfBlock = kSumBlock / kDigestGroup;
constexpr int kResultThreads = 128, kTopThreads = 1024;
constexpr int kList = 4096;     // logits that may reach the bound
constexpr int kLowestBit = 12;  // of a bound, which is not exact
constexpr std::uint32_t kNoNumber = ~0u;
static_assert(kThreads % kWarp == 0 && kWarp % kGroupThreads == 0);

// In the order of the floats; both zeros are one, and above all is what is not a finite number. 0 is below
// all.
__device__ std::uint32_t keyOf(float logit) {
  if (!isfinite(logit)) return kNoNumber;
  const std::uint32_t bits = __float_as_uint(logit + 0.0f);
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}
__device__ float logitOf(std::uint32_t key) {
  return __uint_as_float(key >> 31 != 0 ? key & 0x7fffffffu : ~key);
}

// The more likely, the larger: a key above, and of equal keys the smaller id.
using Ranked = unsigned long long;
__device__ Ranked ranked(std::uint32_t key, std::int64_t token) {
  return Ranked{key} << 32 | static_cast<std::uint32_t>(~static_cast<std::uint32_t>(token));
}
__device__ std::uint32_t keyOf(Ranked entry) { return static_cast<std::uint32_t>(entry >> 32); }
__device__ std::int32_t tokenOf(Ranked entry) {
  return static_cast<std::int32_t>(~static_cast<std::uint32_t>(entry));
}

__device__ Ranked larger(Ranked a, Ranked b) { return a > b ? a : b; }

// Every thread gets the largest of the block.
template <int threads>
__device__ Ranked largestOf(Ranked entry) {
  __shared__ Ranked entries[threads / kWarp];
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    entry = larger(entry, __shfl_xor_sync(~0u, entry, distance));
  if (threadIdx.x % kWarp == 0) entries[threadIdx.x / kWarp] = entry;
  __syncthreads();
  entry = entries[0];
  for (int warp = 1; warp < threads / kWarp; ++warp) entry = larger(entry, entries[warp]);
  return entry;
}

template <int threads>
__device__ Ranked bestOf(const DigestJob& job, std::int64_t row) {
  Ranked best = 0;
  for (int block = static_cast<int>(threadIdx.x); block < job.blocks; block += threads)
    best = larger(best, job.best[row * job.blocks + block]);
  return largestOf<threads>(best);
}

__device__ bool isWanted(const DigestJob& job, std::int64_t row) { return job.wishes[row].candidates >= 0; }

__global__ void largestKernel(DigestJob job) {
  const std::int64_t row = blockIdx.y, block = blockIdx.x;
  if (!isWanted(job, row)) return;
  const float* logits = job.logits + row * job.stride;
  const std::int64_t first = block * kSumBlock + threadIdx.x;
  Ranked best = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const std::int64_t token = first + i * kSumLanes;
    if (token < job.vocabulary) best = larger(best, ranked(keyOf(logits[token]), token));
  }
  Ranked ofGroup = best;
  for (int distance = kGroupThreads / 2; distance > 0; distance /= 2)
    ofGroup = larger(ofGroup, __shfl_xor_sync(~0u, ofGroup, distance));
  if (threadIdx.x % kGroupThreads == 0)
    job.groups[(row * job.blocks + block) * kGroupsOfBlock + threadIdx.x / kGroupThreads] = keyOf(ofGroup);
  best = largestOf<kThreads>(best);
  if (threadIdx.x == 0) job.best[row * job.blocks + block] = best;
}

// The tree of core/exponential.h over kSumLanes lanes, by one warp: lane 0 gets the sum.
__device__ double addLanes(const double* lanes) {
  constexpr int kParts = kSumLanes / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  double parts[kParts];
#pragma unroll
  for (int part = 0; part < kParts; ++part) parts[part] = lanes[part * kWarp + lane];
#pragma unroll
  for (int half = kParts / 2; half > 0; half /= 2)
#pragma unroll
    for (int part = 0; part < half; ++part) parts[part] += parts[part + half];
  double sum = parts[0];
  for (int distance = kWarp / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
  return sum;
}

__global__ void sumsKernel(DigestJob job) {
  const std::int64_t row = blockIdx.y, block = blockIdx.x;
  if (!isWanted(job, row)) return;
  const std::uint32_t largest = keyOf(bestOf<kThreads>(job, row));
  if (largest == kNoNumber) return;
  const float max = logitOf(largest), scale = job.wishes[row].scale;
  const float* logits = job.logits + row * job.stride;
  const std::int64_t first = block * kSumBlock + threadIdx.x;
  double sum = 0, scaledSum = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const std::int64_t token = first + i * kSumLanes;
    if (token >= job.vocabulary) break;
    const float below = logits[token] - max;
    sum += static_cast<double>(expOfNegative(below));
    if (scale != 1.0f) scaledSum += static_cast<double>(expOfNegative(below * scale));
  }
  __shared__ double lanes[2][kSumLanes];
  lanes[0][threadIdx.x] = sum;
  lanes[1][threadIdx.x] = scale != 1.0f ? scaledSum : sum;
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  if (warp >= 2) return;
  const double ofBlock = addLanes(lanes[warp]);
  if (threadIdx.x % kWarp == 0) job.sums[(row * job.blocks + block) * 2 + warp] = ofBlock;
}

// One thread adds the blocks' sums at scale 1, one of the next warp those at the wish's.
__global__ void resultsKernel(DigestJob job) {
  constexpr int kTogether = 256;  // blocks
  const std::int64_t row = blockIdx.x;
  if (!isWanted(job, row)) return;
  const Ranked best = bestOf<kResultThreads>(job, row);
  const bool isFinite = keyOf(best) != kNoNumber;
  const int thread = static_cast<int>(threadIdx.x);
  __shared__ double ofBlocks[2 * kTogether];
  double sum = 0;
  for (int first = 0; isFinite && first < job.blocks; first += kTogether) {
    const int count = min(kTogether, job.blocks - first);
    __syncthreads();
    for (int i = thread; i < 2 * count; i += kResultThreads)
      ofBlocks[i] = job.sums[(row * job.blocks + first) * 2 + i];
    __syncthreads();
    if (thread == 0 || thread == kWarp)
      for (int i = 0; i < count; ++i) sum += ofBlocks[2 * i + thread / kWarp];
  }
  DigestedRow& result = job.results[row];
  if (thread == kWarp) result.scaledSum = sum;
  if (thread > 0) return;
  result.sum = sum;
  result.max = logitOf(keyOf(best));
  result.mostLikely = tokenOf(best);
  job.tokens[row] = result.mostLikely;
  result.isFinite = isFinite ? 1 : 0;
  result.candidates = 0;
}

// A bound that at least `wanted` of the keys reach, and few more: bits are set from the highest on, as long
// as enough keys reach it. 0 where there are not enough keys.
template <class KeyAt>
__device__ std::uint32_t boundFor(int wanted, std::int64_t count, const KeyAt& keyAt) {
  std::uint32_t bound = 0;
  for (int bit = 31; bit >= kLowestBit; --bit) {
    const std::uint32_t higher = bound | 1u << bit;
    int reached = 0;
    for (std::int64_t first = 0; first < count && reached < wanted; first += kTopThreads) {
      const std::int64_t i = first + threadIdx.x;
      reached += __syncthreads_count(i < count && keyAt(i) >= higher ? 1 : 0);
    }
    if (reached >= wanted) bound = higher;
  }
  return bound;
}

// A bitonic sort, descending, of a power of two.
__device__ void sortList(Ranked* list, int size) {
  for (int run = 2; run <= size; run *= 2)
    for (int distance = run / 2; distance > 0; distance /= 2) {
      for (int i = static_cast<int>(threadIdx.x); i < size / 2; i += kTopThreads) {
        const int low = 2 * (i & ~(distance - 1)) | (i & (distance - 1)), high = low + distance;
        const bool descends = (low & run) == 0;
        const Ranked a = list[low], b = list[high];
        if ((a < b) != descends) continue;
        list[low] = b;
        list[high] = a;
      }
      __syncthreads();
    }
}

__global__ void __launch_bounds__(kTopThreads) candidatesKernel(DigestJob job) {
  const std::int64_t row = blockIdx.x;
  const int wanted = job.wishes[row].candidates;
  if (wanted <= 0) return;
  if (keyOf(bestOf<kTopThreads>(job, row)) == kNoNumber) return;
  __shared__ Ranked list[kList];
  __shared__ int found;
  const int thread = static_cast<int>(threadIdx.x);
  const float* logits = job.logits + row * job.stride;
  const std::uint32_t* groups = job.groups + row * job.blocks * kGroupsOfBlock;
  const int groupCount = job.blocks * kGroupsOfBlock;
  // With hardly more groups than tokens are wanted, their bound would be low.
  const bool hasGroups = job.vocabulary >= std::int64_t{kDigestGroup} * (wanted + wanted / 4);
  const std::uint32_t bound =
      hasGroups ? boundFor(wanted, groupCount, [&](std::int64_t i) { return groups[i]; })
                : boundFor(wanted, job.vocabulary, [&](std::int64_t i) { return keyOf(logits[i]); });
  if (thread == 0) found = 0;
  __syncthreads();
  for (int group = thread / kGroupThreads; group < groupCount; group += kTopThreads / kGroupThreads) {
    if (groups[group] < bound) continue;
    const std::int64_t first = std::int64_t{group / kGroupsOfBlock} * kSumBlock +
                               group % kGroupsOfBlock * kGroupThreads + thread % kGroupThreads;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const std::int64_t token = first + i * kSumLanes;
      if (token >= job.vocabulary) break;
      const std::uint32_t key = keyOf(logits[token]);
      if (key < bound) continue;
      const int place = atomicAdd(&found, 1);
      if (place < kList) list[place] = ranked(key, token);
    }
  }
  __syncthreads();
  const int count = found;
  if (count > kList) return;
  int size = 2;
  while (size < count) size *= 2;
  for (int i = count + thread; i < size; i += kTopThreads) list[i] = 0;
  __syncthreads();
  sortList(list, size);
  const int kept = min(count, wanted);
  for (int i = thread; i < kept; i += kTopThreads) {
    const std::int32_t token = tokenOf(list[i]);
    job.top[row * job.mostCandidates + i] = {logits[token], token};
  }
  if (thread == 0) job.results[row].candidates = kept;
}

__global__ void fillKernel(std::int32_t* list, std::int64_t count, const std::int32_t* tokens) {
  beginKernel();
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count && list[i] < 0) list[i] = tokens[-1 - list[i]];
}

}  // namespace

void fillTokens(std::int32_t* list, std::int64_t count, const std::int32_t* tokens, const Queue& queue) {
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  enqueue(queue, fillKernel, dim3(blocks), kThreads, 0, list, count, tokens);
}

void digestRows(const DigestJob& job, cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>(job.blocks), static_cast<unsigned>(job.rows));
  const auto rows = static_cast<unsigned>(job.rows);
  largestKernel<<<blocks, kThreads, 0, stream>>>(job);
  sumsKernel<<<blocks, kThreads, 0, stream>>>(job);
  resultsKernel<<<rows, kResultThreads, 0, stream>>>(job);
  if (job.mostCandidates > 0) candidatesKernel<<<rows, kTopThreads, 0, stream>>>(job);
}

}  // namespace vitrine::cuda
