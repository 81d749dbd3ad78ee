// The order in which attention adds, common to its two kernels, and the merging of tiles.
//
// A context is cut into tiles of 64 positions, from 0 on. A tile has a state of its own, from its scores
// alone: the largest score, the sum of exp(score - largest), and the sum of values weighted alike (the
// softmax of arXiv 1805.02867). Then the states are merged, tile after tile, ascending. So a token's bits
// depend on positions alone: a warp that walks through a whole context and many that take a tile each do the
// same arithmetic.
//
// Scores are in units of ln 2, so that exp is exp2, which the GPU has as an instruction.
#pragma once

#include "backends/cuda/elements.cuh"
#include "backends/cuda/queue.cuh"

namespace vitrine::cuda {

inline constexpr int kTile = kAttentionTile;
inline constexpr float kLog2E = 1.4426950408889634f;

// What a token sees, as positions.
struct Seen {
  int first, last;
  __device__ int firstTile() const { return first / kTile; }
  __device__ int lastTile() const { return last / kTile; }
};
__device__ inline Seen seenFrom(int position, int slidingWindow) {
  return {slidingWindow > 0 ? max(0, position - slidingWindow + 1) : 0, position};
}

// What is subtracted from a tile's scores: their maximum, or 0 where there is none.
__device__ inline float zeroOf(float largest) { return largest == -INFINITY ? 0 : largest; }

// Factors by which two states, the second of later positions, are scaled to their common largest score. No
// score at all is -infinity; of two such states nothing is left.
struct Merging {
  float largest, mine, theirs;
  __device__ Merging(float before, float next) : largest(fmaxf(before, next)) {
    const float zero = zeroOf(largest);
    mine = exp2f(before - zero);
    theirs = exp2f(next - zero);
  }
  __device__ float operator()(float before, float next) const { return before * mine + next * theirs; }
};

// States of tiles in memory: for each tile, token and head its largest score, its sum, its headDim weighted
// values.
struct TileStates {
  float* data;  // null: there are none
  int tokens, heads, headDim;
  static __host__ __device__ std::int64_t floatsOf(int headDim) { return headDim + 2; }
  __device__ float* at(int tile, int token, int head) const {
    return data + ((std::int64_t{tile} * tokens + token) * heads + head) * floatsOf(headDim);
  }
};

// An element of a token's head, from the states of all tiles that the token sees. Other multiprocessors wrote
// them, so they are read past the nearest cache.
__device__ inline float mergedElement(const TileStates& states, int token, int head, int element,
                                      const Seen& seen) {
  float largest = -INFINITY, sum = 0, value = 0;
#pragma unroll 4
  for (int tile = seen.firstTile(); tile <= seen.lastTile(); ++tile) {
    const float* state = states.at(tile, token, head);
    const Merging merging(largest, __ldcg(state));
    sum = merging(sum, __ldcg(state + 1));
    value = merging(value, __ldcg(state + 2 + element));
    largest = merging.largest;
  }
  return value / sum;
}

// out [T, heads, headDim] from the states of all tiles. A block of threads takes a token's head.
template <class T>
__global__ void mergeTiles(TileStates states, Rows<T> out, AttentionBatch batch) {
  beginKernel();
  const int token = static_cast<int>(blockIdx.x), head = static_cast<int>(blockIdx.y);
  const int element = static_cast<int>(threadIdx.x);
  if (element >= states.headDim || batch.positions[token] < 0) return;  // the latter is padding
  out.at(token, head)[element] = fromFloat<T>(
      mergedElement(states, token, head, element, seenFrom(batch.positions[token], batch.slidingWindow)));
}

template <class T>
void launchMerge(const TileStates& states, const Rows<T>& out, const AttentionBatch& batch,
                 const Queue& queue) {
  constexpr int kWarpLanes = 32;
  const int threads = (states.headDim + kWarpLanes - 1) / kWarpLanes * kWarpLanes;
  enqueue(queue, mergeTiles<T>,
          dim3(static_cast<unsigned>(states.tokens), static_cast<unsigned>(states.heads)), threads, 0, states,
          out, batch);
}

}  // namespace vitrine::cuda
