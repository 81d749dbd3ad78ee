// Causal attention of new tokens over the paged cache, grouped-query aware (arXiv 2305.13245), one pass
// (arXiv 1805.02867, 2205.14135), and split over the context where the batch is small (Flash-Decoding).
//
// The order of a token's sums depends on positions alone. A context is cut into parts of 256 positions from 0
// on, a part into tiles of 64. Within a part: tile after tile, with the running maximum and the sums scaled
// when it rises. Then the parts are merged, ascending. Whether one block of threads walks through all parts
// or each part has a block and merging follows changes no bit: it is the same arithmetic.
//
// A block of threads takes a token and the heads that share a key-value head, so a key is read once for them
// all.
#include <algorithm>

#include "backends/cuda/elements.cuh"
#include "backends/cuda/launch.h"
#include "backends/cuda/reduce.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kTile = 64;
constexpr int kMostHeadDim = 256;
constexpr int kElements = kMostHeadDim / kThreads;  // of a head, for a thread

template <class T>
struct Attention {
  Rows<const T> q;
  Rows<T> out;
  PagedKv cache;
  int layer, heads;  // heads of a key-value head
  AttentionBatch batch;
  float* parts;  // null, or for each part, token and head: its maximum, its sum, its headDim weighted values
  __device__ const T* row(const std::int32_t* table, int position, int which, int kvHead) const {
    return static_cast<const T*>(cache.data) +
           cache.offset(table[position / cache.blockSize], layer, which, kvHead) +
           position % cache.blockSize * cache.headDim;
  }
};

// The state of one pass of softmax: largest score, sum of exp(score - largest), and the thread's share of the
// sum of values weighted alike.
struct Softmax {
  float largest = -INFINITY, sum = 0, values[kElements] = {};

  // Adds a state that belongs behind this one.
  __device__ void merge(const Softmax& next) {
    const float together = fmaxf(largest, next.largest);
    const float mine = expf(largest - together), theirs = expf(next.largest - together);
    sum = sum * mine + next.sum * theirs;
    for (int i = 0; i < kElements; ++i) values[i] = values[i] * mine + next.values[i] * theirs;
    largest = together;
  }
};

// Sixteen bytes of a row, or as many elements as are left, as floats.
template <class T>
__device__ void readElements(const T* from, float (&to)[16 / sizeof(T)]) {
  const uint4 bits = *reinterpret_cast<const uint4*>(from);
  const T* elements = reinterpret_cast<const T*>(&bits);
  for (int i = 0; i < static_cast<int>(16 / sizeof(T)); ++i) to[i] = toFloat(elements[i]);
}

// group: heads of this block, a power of two at least their number; the rest repeat the last one and are not
// stored.
template <class T, int group>
struct Block {
  float query[group][kMostHeadDim];
  float scores[group][kTile];  // then probabilities
  float scaling[group], largest[group], sum[group];
};

// The states of one part of the context, for positions [first, last]; all threads take part.
template <class T, int group>
__device__ void attendPart(const Attention<T>& a, Block<T, group>& block, const std::int32_t* table,
                           int kvHead, int first, int last, Softmax (&states)[group]) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, warp = thread / kWarp;
  const int headDim = a.cache.headDim;
  for (int head = 0; head < group; ++head) states[head] = {};
  if (thread < group) block.largest[thread] = -INFINITY, block.sum[thread] = 0;
  for (int tile = first / kTile * kTile; tile <= last; tile += kTile) {
    // Two threads share a key, a half of its elements each.
    const int position = tile + thread / 2, half = headDim / 2, from = thread % 2 * half;
    const bool isSeen = position >= first && position <= last;
    float products[group] = {};
    if (isSeen) {
      const T* key = a.row(table, position, 0, kvHead) + from;
      constexpr int kVector = 16 / sizeof(T);
      if (half % kVector == 0) {
        for (int i = 0; i < half; i += kVector) {
          float elements[kVector];
          readElements(key + i, elements);
          for (int j = 0; j < kVector; ++j)
            for (int head = 0; head < group; ++head)
              products[head] = fmaf(block.query[head][from + i + j], elements[j], products[head]);
        }
      } else {
        for (int i = 0; i < half; ++i)
          for (int head = 0; head < group; ++head)
            products[head] = fmaf(block.query[head][from + i], toFloat(key[i]), products[head]);
      }
    }
    for (int head = 0; head < group; ++head) {
      const float product = products[head] + __shfl_xor_sync(~0u, products[head], 1);
      if (thread % 2 == 0) block.scores[head][thread / 2] = isSeen ? product * a.batch.scale : -INFINITY;
    }
    __syncthreads();

    // A warp takes every fourth head. A tile has at least one position that is seen, so the maximum is a
    // number.
    for (int head = warp; head < group; head += kThreads / kWarp) {
      const float one = block.scores[head][lane], two = block.scores[head][lane + kWarp];
      const float before = block.largest[head];
      const float largest = fmaxf(before, warpMax(fmaxf(one, two)));
      const float p = expf(one - largest), q = expf(two - largest);
      const float sum = warpSum(p + q);
      block.scores[head][lane] = p;
      block.scores[head][lane + kWarp] = q;
      if (lane == 0) {
        const float scaling = expf(before - largest);
        block.scaling[head] = scaling;
        block.sum[head] = block.sum[head] * scaling + sum;
        block.largest[head] = largest;
      }
    }
    __syncthreads();

    const int begin = max(first, tile), end = min(last, tile + kTile - 1);
    for (int i = 0; i < kElements; ++i) {
      const int element = thread + i * kThreads;
      if (element >= headDim) break;
      for (int head = 0; head < group; ++head) states[head].values[i] *= block.scaling[head];
      for (int seen = begin; seen <= end; ++seen) {
        const float value = toFloat(a.row(table, seen, 1, kvHead)[element]);
        for (int head = 0; head < group; ++head)
          states[head].values[i] = fmaf(block.scores[head][seen - tile], value, states[head].values[i]);
      }
    }
    __syncthreads();
  }
  for (int head = 0; head < group; ++head) {
    states[head].largest = block.largest[head];
    states[head].sum = block.sum[head];
  }
  __syncthreads();
}

// blockIdx: token, key-value head and the part of its heads, part of the context (if they are computed
// apart).
template <class T, int group>
__global__ void __launch_bounds__(kThreads) attentionKernel(const __grid_constant__ Attention<T> a) {
  __shared__ Block<T, group> block;
  const int thread = static_cast<int>(threadIdx.x);
  const int token = static_cast<int>(blockIdx.x), headDim = a.cache.headDim;
  const int groups = (a.heads + group - 1) / group;
  const int kvHead = static_cast<int>(blockIdx.y) / groups;
  const int firstHead = kvHead * a.heads + static_cast<int>(blockIdx.y) % groups * group;
  const int endHead = min((kvHead + 1) * a.heads, firstHead + group);
  const std::int32_t* table = a.batch.tables + std::int64_t{a.batch.sequences[token]} * a.batch.tableWidth;
  const int last = a.batch.positions[token];
  const int first = a.batch.slidingWindow > 0 ? max(0, last - a.batch.slidingWindow + 1) : 0;
  const bool isSplit = a.parts != nullptr;
  int firstPart = first / kAttentionPart, lastPart = last / kAttentionPart;
  if (isSplit) {
    const int part = static_cast<int>(blockIdx.z);
    if (part < firstPart || part > lastPart) return;
    firstPart = lastPart = part;
  }
  for (int i = thread; i < group * headDim; i += kThreads) {
    const int head = min(firstHead + i / headDim, endHead - 1);
    block.query[i / headDim][i % headDim] = toFloat(a.q.at(token, head)[i % headDim]);
  }
  __syncthreads();

  Softmax all[group], states[group];
  for (int part = firstPart; part <= lastPart; ++part) {
    attendPart(a, block, table, kvHead, max(first, part * kAttentionPart),
               min(last, (part + 1) * kAttentionPart - 1), states);
    for (int head = 0; head < group; ++head) {
      if (part == firstPart)
        all[head] = states[head];
      else
        all[head].merge(states[head]);
    }
  }
  const int tokens = static_cast<int>(gridDim.x), allHeads = static_cast<int>(gridDim.y) / groups * a.heads;
  for (int i = 0; i < group; ++i) {  // a constant number: the states stay in registers
    const int head = firstHead + i;
    if (head >= endHead) break;
    const Softmax& state = all[i];
    float* part =
        isSplit ? a.parts + ((std::int64_t{blockIdx.z} * tokens + token) * allHeads + head) * (headDim + 2)
                : nullptr;
    if (isSplit && thread == 0) part[0] = state.largest, part[1] = state.sum;
    for (int j = 0; j < kElements; ++j) {
      const int element = thread + j * kThreads;
      if (element >= headDim) break;
      if (isSplit)
        part[2 + element] = state.values[j];
      else
        a.out.at(token, head)[element] = fromFloat<T>(state.values[j] / state.sum);
    }
  }
}

// blockIdx: token, head.
template <class T>
__global__ void __launch_bounds__(kThreads) mergeKernel(const __grid_constant__ Attention<T> a) {
  const int thread = static_cast<int>(threadIdx.x), headDim = a.cache.headDim;
  const int token = static_cast<int>(blockIdx.x), head = static_cast<int>(blockIdx.y);
  const int last = a.batch.positions[token];
  const int first = a.batch.slidingWindow > 0 ? max(0, last - a.batch.slidingWindow + 1) : 0;
  Softmax all;
  for (int part = first / kAttentionPart; part <= last / kAttentionPart; ++part) {
    const float* from =
        a.parts + ((std::int64_t{part} * gridDim.x + token) * gridDim.y + head) * (headDim + 2);
    Softmax state;
    state.largest = from[0];
    state.sum = from[1];
    for (int i = 0; i < kElements; ++i)
      if (thread + i * kThreads < headDim) state.values[i] = from[2 + thread + i * kThreads];
    if (part == first / kAttentionPart)
      all = state;
    else
      all.merge(state);
  }
  for (int i = 0; i < kElements; ++i)
    if (thread + i * kThreads < headDim)
      a.out.at(token, head)[thread + i * kThreads] = fromFloat<T>(all.values[i] / all.sum);
}

template <class T, int group>
void launch(const Attention<T>& a, int tokens, int kvHeads, cudaStream_t stream) {
  const int groups = (a.heads + group - 1) / group;
  const int parts = a.parts != nullptr ? (a.batch.mostContext - 1) / kAttentionPart + 1 : 1;
  attentionKernel<T, group><<<dim3(static_cast<unsigned>(tokens), static_cast<unsigned>(kvHeads * groups),
                                   static_cast<unsigned>(parts)),
                              kThreads, 0, stream>>>(a);
  if (a.parts != nullptr)
    mergeKernel<T><<<dim3(static_cast<unsigned>(tokens), static_cast<unsigned>(kvHeads * a.heads)), kThreads,
                     0, stream>>>(a);
}

}  // namespace

std::int64_t attentionWorkspace(const TensorView& q, const PagedKv& cache, const AttentionBatch& batch,
                                int multiprocessors) {
  constexpr int kBlocksEach = 4;  // that keep a multiprocessor busy
  const std::int64_t parts = (batch.mostContext - 1) / kAttentionPart + 1;
  if (parts == 1 || q.extent(0) * cache.kvHeads >= std::int64_t{kBlocksEach} * multiprocessors) return 0;
  return parts * q.extent(0) * q.extent(1) * (cache.headDim + 2);
}

void attention(const TensorView& q, const PagedKv& cache, int layer, const AttentionBatch& batch,
               const TensorView& out, float* workspace, cudaStream_t stream) {
  VITRINE_CHECK(cache.headDim <= kMostHeadDim);
  withElement(q.type(), [&](auto element) {
    using T = decltype(element);
    const int heads = static_cast<int>(q.extent(1)) / cache.kvHeads, tokens = static_cast<int>(q.extent(0));
    const Attention<T> a{rowsOf<const T>(q), rowsOf<T>(out), cache, layer, heads, batch, workspace};
    if (heads == 1)
      launch<T, 1>(a, tokens, cache.kvHeads, stream);
    else if (heads == 2)
      launch<T, 2>(a, tokens, cache.kvHeads, stream);
    else if (heads <= 4)
      launch<T, 4>(a, tokens, cache.kvHeads, stream);
    else
      launch<T, 8>(a, tokens, cache.kvHeads, stream);
  });
}

}  // namespace vitrine::cuda
