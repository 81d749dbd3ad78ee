// Causal attention over the paged cache without tensor cores: float32, heads that are too wide for the other
// kernel, GPUs before compute capability 8.0. Grouped-query aware (arXiv 2305.13245). The order of sums:
// tile_softmax.cuh.
//
// A block of threads takes a token and the heads that share a key-value head, so a key is read once for them
// all.
#include <algorithm>

#include "backends/cuda/kv_codes.cuh"
#include "backends/cuda/tile_softmax.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kElements = kMostHeadDim / kThreads;  // of a head, for a thread

// Stored: what the cache keeps, T or codes.
template <class T, class Stored>
struct Attention {
  static constexpr bool kHasCodes = !std::is_same_v<T, Stored>;

  Rows<const T> q;
  Rows<T> out;
  PagedKv cache;
  int layer, heads;  // heads of a key-value head
  AttentionBatch batch;
  TileStates states;
  // which: 0 a position's key, 1 its value.
  __device__ const Stored* row(const std::int32_t* table, int position, int which, int kvHead) const {
    const auto* const data = static_cast<const Stored*>(cache.data);
    if constexpr (kHasCodes)
      return data + cache.codesAt(table[position / cache.blockSize], layer, which, kvHead) +
             position % cache.blockSize * cache.headDim;
    else
      return data + cache.offset(table[position / cache.blockSize], layer, which, kvHead) +
             position % cache.blockSize * cache.headDim;
  }
  // What its codes are multiplied by; 1 where there are none.
  __device__ float scale(const std::int32_t* table, int position, int which, int kvHead) const {
    if constexpr (!kHasCodes) return 1;
    const std::int64_t begin = cache.scalesAt(table[position / cache.blockSize], layer, which, kvHead);
    return reinterpret_cast<const float*>(static_cast<const char*>(cache.data) +
                                          begin)[position % cache.blockSize];
  }
};

// An element of a row as a float, and several: sixteen bytes, or eight codes.
template <class T>
__device__ float elementOf(T stored, float) {
  return toFloat(stored);
}
template <class T>
__device__ float elementOf(Code stored, float scale) {
  return toFloat(numberOf<T>(stored, scale));
}
template <class T>
__device__ void readElements(const T* from, float, float (&to)[16 / sizeof(T)]) {
  const uint4 bits = *reinterpret_cast<const uint4*>(from);
  const T* elements = reinterpret_cast<const T*>(&bits);
  for (int i = 0; i < static_cast<int>(16 / sizeof(T)); ++i) to[i] = toFloat(elements[i]);
}
template <class T>
__device__ void readElements(const Code* from, float scale, float (&to)[8]) {
  const uint2 bits = *reinterpret_cast<const uint2*>(from);
  const Code* codes = reinterpret_cast<const Code*>(&bits);
  for (int i = 0; i < 8; ++i) to[i] = elementOf<T>(codes[i], scale);
}

// group: heads of this block, a power of two at least their number; the rest repeat the last one and are not
// stored.
template <int group>
struct Block {
  float query[group][kMostHeadDim];
  float scores[group][kTile];  // then probabilities
  float largest[group], sum[group];
};

// Sums of values, the thread's share.
template <int group>
using Values = float[group][kElements];

// The state of a tile, of which positions [first, last] are seen; all threads take part.
template <class T, class Stored, int group>
__device__ void attendTile(const Attention<T, Stored>& a, Block<group>& block, const std::int32_t* table,
                           int kvHead, int tile, int first, int last, Values<group>& values) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, warp = thread / kWarp;
  const int headDim = a.cache.headDim;
  // Two threads share a key, a half of its elements each.
  const int position = tile * kTile + thread / 2, half = headDim / 2, from = thread % 2 * half;
  const bool isSeen = position >= first && position <= last;
  float products[group] = {};
  if (isSeen) {
    const Stored* key = a.row(table, position, 0, kvHead) + from;
    const float scale = a.scale(table, position, 0, kvHead);
    constexpr int kVector = Attention<T, Stored>::kHasCodes ? 8 : 16 / sizeof(T);
    if (half % kVector == 0) {
      for (int i = 0; i < half; i += kVector) {
        float elements[kVector];
        readElements<T>(key + i, scale, elements);
        for (int j = 0; j < kVector; ++j)
          for (int head = 0; head < group; ++head)
            products[head] = fmaf(block.query[head][from + i + j], elements[j], products[head]);
      }
    } else {
      for (int i = 0; i < half; ++i)
        for (int head = 0; head < group; ++head)
          products[head] = fmaf(block.query[head][from + i], elementOf<T>(key[i], scale), products[head]);
    }
  }
  for (int head = 0; head < group; ++head) {
    const float product = products[head] + __shfl_xor_sync(~0u, products[head], 1);
    if (thread % 2 == 0)
      block.scores[head][thread / 2] = isSeen ? product * (a.batch.scale * kLog2E) : -INFINITY;
  }
  __syncthreads();

  // A warp takes every fourth head. A position of the tile is seen, so the maximum is a number.
  for (int head = warp; head < group; head += kThreads / kWarp) {
    const float one = block.scores[head][lane], two = block.scores[head][lane + kWarp];
    const float largest = warpMax(fmaxf(one, two));
    const float p = exp2f(one - largest), q = exp2f(two - largest);
    const float sum = warpSum(p + q);
    block.scores[head][lane] = p;
    block.scores[head][lane + kWarp] = q;
    if (lane == 0) block.largest[head] = largest, block.sum[head] = sum;
  }
  __syncthreads();

  for (int i = 0; i < kElements; ++i) {
    const int element = thread + i * kThreads;
    for (int head = 0; head < group; ++head) values[head][i] = 0;
    if (element >= headDim) continue;
    for (int seen = first; seen <= last; ++seen) {
      const Stored stored = a.row(table, seen, 1, kvHead)[element];
      const float value = elementOf<T>(stored, a.scale(table, seen, 1, kvHead));
      for (int head = 0; head < group; ++head)
        values[head][i] = fmaf(block.scores[head][seen - tile * kTile], value, values[head][i]);
    }
  }
}

// blockIdx: token, key-value head and the part of its heads, tile (if they are computed apart).
template <class T, class Stored, int group>
__global__ void __launch_bounds__(kThreads) attentionKernel(const __grid_constant__ Attention<T, Stored> a) {
  beginKernel();
  __shared__ Block<group> block;
  const int thread = static_cast<int>(threadIdx.x), token = static_cast<int>(blockIdx.x);
  const int headDim = a.cache.headDim, groups = (a.heads + group - 1) / group;
  const int kvHead = static_cast<int>(blockIdx.y) / groups;
  const int firstHead = kvHead * a.heads + static_cast<int>(blockIdx.y) % groups * group;
  const int endHead = min((kvHead + 1) * a.heads, firstHead + group);
  const std::int32_t* table = a.batch.tables + std::int64_t{a.batch.sequences[token]} * a.batch.tableWidth;
  const Seen seen = seenFrom(a.batch.positions[token], a.batch.slidingWindow);
  if (seen.last < 0) return;  // padding
  const bool isSplit = a.states.data != nullptr;
  int firstTile = seen.firstTile(), lastTile = seen.lastTile();
  if (isSplit) {
    const int tile = static_cast<int>(blockIdx.z);
    if (tile < firstTile || tile > lastTile) return;
    firstTile = lastTile = tile;
  }
  for (int i = thread; i < group * headDim; i += kThreads) {
    const int head = min(firstHead + i / headDim, endHead - 1);
    block.query[i / headDim][i % headDim] = toFloat(a.q.at(token, head)[i % headDim]);
  }
  __syncthreads();

  float largest[group], sum[group];
  Values<group> all = {}, values;
  for (int head = 0; head < group; ++head) largest[head] = -INFINITY, sum[head] = 0;
  for (int tile = firstTile; tile <= lastTile; ++tile) {
    attendTile(a, block, table, kvHead, tile, max(seen.first, tile * kTile),
               min(seen.last, (tile + 1) * kTile - 1), values);
    if (isSplit) break;  // the state is stored as it is
    for (int head = 0; head < group; ++head) {
      const Merging merging(largest[head], block.largest[head]);
      sum[head] = merging(sum[head], block.sum[head]);
      for (int i = 0; i < kElements; ++i) all[head][i] = merging(all[head][i], values[head][i]);
      largest[head] = merging.largest;
    }
    __syncthreads();
  }
  for (int i = 0; i < group; ++i) {  // a constant number: the states stay in registers
    const int head = firstHead + i;
    if (head >= endHead) break;
    float* state = isSplit ? a.states.at(static_cast<int>(blockIdx.z), token, head) : nullptr;
    if (isSplit && thread == 0) state[0] = block.largest[i], state[1] = block.sum[i];
    for (int j = 0; j < kElements; ++j) {
      const int element = thread + j * kThreads;
      if (element >= headDim) break;
      if (isSplit)
        state[2 + element] = values[i][j];
      else
        a.out.at(token, head)[element] = fromFloat<T>(all[i][j] / sum[i]);
    }
  }
}

template <int group, class T, class Stored>
void launch(const Attention<T, Stored>& a, int tokens, int kvHeads, const Queue& queue) {
  const int groups = (a.heads + group - 1) / group;
  const int tiles = a.states.data != nullptr ? a.batch.tiles() : 1;
  enqueue(queue, attentionKernel<T, Stored, group>,
          dim3(static_cast<unsigned>(tokens), static_cast<unsigned>(kvHeads * groups),
               static_cast<unsigned>(tiles)),
          kThreads, 0, a);
  if (a.states.data != nullptr) launchMerge(a.states, a.out, a.batch, queue);
}

}  // namespace

void fmaAttention(const TensorView& q, const PagedKv& cache, int layer, const AttentionBatch& batch,
                  const TensorView& out, float* states, const Queue& queue) {
  const auto run = [&](auto element, auto stored) {
    using T = decltype(element);
    const int heads = static_cast<int>(q.extent(1)) / cache.kvHeads, tokens = static_cast<int>(q.extent(0));
    const Attention<T, decltype(stored)> a{rowsOf<const T>(q),
                                           rowsOf<T>(out),
                                           cache,
                                           layer,
                                           heads,
                                           batch,
                                           {states, tokens, static_cast<int>(q.extent(1)), cache.headDim}};
    if (heads == 1)
      launch<1>(a, tokens, cache.kvHeads, queue);
    else if (heads == 2)
      launch<2>(a, tokens, cache.kvHeads, queue);
    else if (heads <= 4)
      launch<4>(a, tokens, cache.kvHeads, queue);
    else
      launch<8>(a, tokens, cache.kvHeads, queue);
  };
  withElement(q.type(), [&](auto element) {
    withStored<decltype(element)>(cache, [&](auto stored) { run(element, stored); });
  });
}

}  // namespace vitrine::cuda
