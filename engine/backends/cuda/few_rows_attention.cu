// Causal attention on tensor cores for few rows, as a decoded token has them: the heads that share a
// key-value head, sixteen at most. It is bound by the memory, so four warps share the work on a tile
// (shared_rows.cuh).
//
// A decoded token's heads may come as the product leaves them. A block norms and turns those that it attends
// with, and the one that has the token's own tile brings its key and value into the cache: as the kernel of
// heads.cu does, which would take as long to begin as all of that takes here.
//
// Where there are few sequences, each tile of a context has a block of threads of its own, and the last one
// to end merges the states of all. Otherwise a block walks through its context, the next tile on its way.
#include <algorithm>

#include "backends/cuda/heads.cuh"
#include "backends/cuda/shared_rows.cuh"

namespace vitrine::cuda {
namespace {

template <class T, class Stored, int width>
__device__ void readQueries(const Attention<T, Stored>& a, const AttentionRows& rows, int kvHead,
                            Queries<T, width>& to) {
  constexpr int kVector = 8, kVectors = width / kVector;
  for (int i = static_cast<int>(threadIdx.x); i < kMmaRows * kVectors; i += kTileWarps * kWarp) {
    const int row = i / kVectors, element = i % kVectors * kVector;
    union {
      uint4 bits;
      T values[kVector];
    } read;
    read.bits = {};
    if (row < rows.tokens * a.group) {
      const T* const from = a.q.at(rows.first + row / a.group, kvHead * a.group + row % a.group) + element;
      if (a.hasVectors && element < a.cache.headDim)
        read.bits = *reinterpret_cast<const uint4*>(from);
      else
        for (int j = 0; j < kVector; ++j)
          if (element + j < a.cache.headDim) read.values[j] = from[j];
    }
    *reinterpret_cast<uint4*>(&to.rows[row][element]) = read.bits;
  }
}

template <class T>
struct Unprepared {
  Rows<const T> k, v;                // no data: heads are prepared
  const float *queryNorm, *keyNorm;  // null: none
  float eps;
  Rows<const float> cos, sin;
};

// A row of `headDim` elements to another place, by a warp, two at a time; `zeros`: how many elements become
// zeros behind it.
template <class T>
__device__ void copyRow(const T* from, T* to, int headDim, int zeros) {
  for (int i = static_cast<int>(threadIdx.x) % kWarp; i < (headDim + zeros) / 2; i += kWarp)
    reinterpret_cast<unsigned*>(to)[i] = i < headDim / 2 ? reinterpret_cast<const unsigned*>(from)[i] : 0;
}

// A token's key or value into the cache, and, if `tile` is not null, into that row of the tile, by a warp.
// place: where the key begins.
template <int width, class T>
__device__ void keepRow(const Attention<T, T>& a, const std::int32_t*, int, int, std::int64_t place,
                        int which, const T* row, T* tile) {
  T* const cache = static_cast<T*>(a.cache.data) + place;
  copyRow(row, cache + which * a.valuesBehind(), a.cache.headDim, 0);
  if (tile != nullptr) copyRow(row, tile, a.cache.headDim, width - a.cache.headDim);
}
template <int width, class T>
__device__ void keepRow(const Attention<T, Code>& a, const std::int32_t* table, int kvHead, int position,
                        std::int64_t place, int which, const T* row, T* tile) {
  const int headDim = a.cache.headDim, lane = static_cast<int>(threadIdx.x) % kWarp;
  char* const data = static_cast<char*>(a.cache.data);
  Code* const cached = reinterpret_cast<Code*>(data) + place + which * a.valuesBehind();
  const float scale = quantizeHead<width>(
      headDim, [&](int i, int) { return toFloat(row[i]); },
      [&](int i, Code code) {
        cached[i] = code;
        if (tile != nullptr) codesIn<width>(tile)[i] = code;
      });
  if (lane == 0)
    *reinterpret_cast<float*>(data + a.scalePlaceOf(table, position, kvHead) + which * a.scalesBehind()) =
        scale;
  if (tile == nullptr) return;
  if (lane == 0) scaleIn<width>(tile) = scale;
  for (int i = headDim + lane; i < width; i += kWarp) codesIn<width>(tile)[i] = 0;
}

// A decoded token's queries, normed and turned, into `queries`. tile: the one of its own position, null where
// another block has that: then the key and the value go there, and into the cache. The row behind the
// queries, whose scores are not used, is where the key is turned.
template <class T, class Stored, int width>
__device__ void prepareToken(const Attention<T, Stored>& a, const Unprepared<T>& heads, int token,
                             const std::int32_t* table, int kvHead, Queries<T, width>& queries, bool isOwn,
                             Tile<T, width>* tile, int position) {
  const int headDim = a.cache.headDim, warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t place = a.placeOf(table, position, kvHead);
  for (int i = warp; i < a.group + (isOwn ? 2 : 0); i += kTileWarps) {
    if (i > a.group) {
      keepRow<width>(a, table, kvHead, position, place, 1, heads.v.at(token, kvHead),
                     tile != nullptr ? tile->values[position % kTile] : nullptr);
      continue;
    }
    T* const row = queries.rows[i];
    copyRow(i < a.group ? a.q.at(token, kvHead * a.group + i) : heads.k.at(token, kvHead), row, headDim,
            width - headDim);
    __syncwarp();
    turnHead<width>(headDim, i < a.group ? heads.queryNorm : heads.keyNorm, heads.eps, heads.cos.at(token),
                    heads.sin.at(token), row);
    if (i < a.group) continue;
    keepRow<width>(a, table, kvHead, position, place, 0, row,
                   tile != nullptr ? tile->keys[position % kTile] : nullptr);
  }
}

// The states of the rows' tiles become what attention gives.
template <class T, class Stored>
__device__ void mergeRows(const Attention<T, Stored>& a, const AttentionRows& rows, int kvHead) {
  const int headDim = a.cache.headDim;
  for (int i = static_cast<int>(threadIdx.x); i < rows.tokens * a.group * headDim; i += kTileWarps * kWarp) {
    const int row = i / headDim, token = rows.first + row / a.group, head = kvHead * a.group + row % a.group;
    a.out.at(token, head)[i % headDim] = fromFloat<T>(mergedElement(
        a.states, token, head, i % headDim, seenFrom(a.batch.positions[token], a.batch.slidingWindow)));
  }
}

// The queries are in registers before the warps tell each other anything: so three blocks of threads with two
// tiles each find room on a multiprocessor.
template <class T, int width>
union Room {
  Queries<T, width> queries;
  SharedByWarps shared;
};

// Blocks of threads that a multiprocessor shall have room for: where tiles are computed apart there are few;
// else as many for codes as there are for numbers, which the compiler gives up for speed.
template <class T, class Stored, int width, bool isSplit>
constexpr int kLeastBlocks = std::is_same_v<T, Stored> || isSplit ? 0
                             : width > 64                         ? 4
                                                                  : 5;

// blockIdx: block of rows, key-value head, tile (if they are computed apart). ended: for each block of rows
// and key-value head how many tiles have their state; 0 before and afterwards.
template <class T, class Stored, int width, bool isSplit, int room>
__global__ void __launch_bounds__(kTileWarps* kWarp, (kLeastBlocks<T, Stored, width, isSplit>))
    fewRowsKernel(const __grid_constant__ Attention<T, Stored> a, const __grid_constant__ Unprepared<T> heads,
                  int* ended) {
#if __CUDA_ARCH__ >= 800
  extern __shared__ uint4 memory[];
  __shared__ alignas(16) Room<T, width> shared;
  auto* tiles = reinterpret_cast<Tile<T, width>*>(memory);  // one, or two
  letNextBegin();
  const AttentionRows rows = a.rowsOf(static_cast<int>(blockIdx.x));
  const int kvHead = static_cast<int>(blockIdx.y);
  const std::int32_t* table = a.tableOf(rows);
  const Seen seen = a.seenBy(rows);
  if (seen.last < 0) return;  // padding
  int tile = seen.firstTile(), lastTile = seen.lastTile();
  const int count = lastTile - tile + 1;
  if (isSplit) {
    if (static_cast<int>(blockIdx.z) < tile || static_cast<int>(blockIdx.z) > lastTile) return;
    tile = lastTile = static_cast<int>(blockIdx.z);
  }
  // The lists of a step, and keys and values of earlier steps, are there before the kernel in front has
  // ended; and a sequence's new tokens are all this block's.
  const int firstNew = a.batch.positions[rows.first];
  const bool fetchesNew = (tile + 1) * kTile > firstNew, prepares = heads.k.data != nullptr;
  const bool isEarly = a.cache.headDim % 8 == 0 || !fetchesNew;
  const bool isSecondEarly = room > 1 && isEarly && (tile + 2) * kTile <= firstNew;
  if (!isEarly) waitForPrevious();
  fetchFirst<room>(a, tiles, table, kvHead, tile, seen, Seen{0, isEarly ? firstNew - 1 : seen.last});
  if (isSecondEarly) {
    commitCopies();
    fetchSecond(a, tiles, tile, lastTile);
  }
  if (isEarly) waitForPrevious();
  if (prepares) {
    prepareToken(a, heads, rows.first, table, kvHead, shared.queries, !isSplit || fetchesNew,
                 fetchesNew ? &tiles[0] : nullptr, firstNew);
  } else {
    if (isEarly && fetchesNew) fetchRows(a, tiles[0], table, kvHead, tile, firstNew, seen.last);
    readQueries(a, rows, kvHead, shared.queries);
  }
  if (!isSecondEarly) {
    commitCopies();
    if (prepares && room > 1) __syncthreads();  // the second tile may have the new key
    if (room > 1) fetchSecond(a, tiles, tile, lastTile);
  }
  __syncthreads();
  SharedRows<T, width, WholeBlock> shares(a, rows, kvHead, shared.queries, shared.shared);

  if constexpr (isSplit) {
    waitForCopies<0>();
    __syncthreads();
    openTile(a, tiles[0]);
    shares.attend(tiles[0], tile);
    storeState(a, tile, shares);
    __threadfence();
    __syncthreads();
    int* const mine = ended + blockIdx.x * gridDim.y + blockIdx.y;
    if (threadIdx.x == 0) {
      shared.shared.isLast = atomicAdd(mine, 1) == count - 1;
      if (shared.shared.isLast) *mine = 0;
    }
    __syncthreads();
    if (!shared.shared.isLast) return;
    __threadfence();
    mergeRows(a, rows, kvHead);
  } else {
    walk<room>(a, tiles, table, kvHead, tile, lastTile, seen, shares);
  }
#else
  __trap();  // not launched before compute capability 8.0
#endif
}

using One = std::integral_constant<int, 1>;
using Two = std::integral_constant<int, 2>;

// Blocks of threads that the GPU runs at a time, each with room for so many tiles.
template <class T, class Stored, int width, int room>
int blocksAtOnce() {
  static const int count = [] {
    constexpr std::size_t kShared = sizeof(Tile<T, width>) * room;
    const auto kernel = fewRowsKernel<T, Stored, width, false, room>;
    allowShared(kernel, static_cast<int>(kShared));
    int device = 0, multiprocessors = 0, each = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kTileWarps * kWarp, kShared);
    return std::max(1, multiprocessors * each);
  }();
  return count;
}
// Whether so many blocks, which walk through contexts, have room for one tile each instead of two. Both keep
// the memory busy, one by what other blocks fetch meanwhile. But blocks come in rounds, of which the last one
// is seldom full: the way counts in which less room for blocks is left empty.
template <class T, class Stored, int width>
bool hasRoomForOne(int blocks) {
  const auto filled = [blocks](int atOnce) { return (blocks + atOnce - 1) / atOnce * atOnce; };
  return filled(blocksAtOnce<T, Stored, width, 1>()) < filled(blocksAtOnce<T, Stored, width, 2>());
}

template <class T, class Stored>
void attend(const Attention<T, Stored>& a, const Unprepared<T>& heads, const AttentionBlocks& blocks,
            int* ended, const Queue& queue) {
  if (blocks.warps > 1) return promptAttention(a, blocks.count, blocks.warps, queue);
  withKernelOf(a, [&](auto width, auto isSplit) {
    const auto launch = [&](auto room) {
      launchAttention<width(), isSplit(), room()>(fewRowsKernel<T, Stored, width(), isSplit(), room()>, a,
                                                  blocks.count, kTileWarps * kWarp, queue, heads, ended);
    };
    if constexpr (isSplit())
      launch(One());
    else
      hasRoomForOne<T, Stored, width()>(blocks.count * a.cache.kvHeads) ? launch(One()) : launch(Two());
  });
}

}  // namespace

std::int64_t attentionStates(const TensorView& q, const AttentionBatch& batch) {
  return batch.tiles() * q.extent(0) * q.extent(1) * TileStates::floatsOf(static_cast<int>(q.extent(2)));
}

bool preparesInAttention(const HeadsOfTokens& heads, const PagedKv& cache) {
  constexpr int kVector = 8;
  return cache.headDim % kVector == 0 && heads.q.extent(1) / cache.kvHeads < kMmaRows &&
         isInVectors(heads.q, 2) && isInVectors(heads.k, 2) && isInVectors(heads.v, 2);
}

void tensorCoreAttention(const TensorView& q, const UnpreparedHeads* heads, const PagedKv& cache, int layer,
                         const AttentionBatch& batch, const AttentionBlocks& blocks, const TensorView& out,
                         const AttentionMemory& memory, const Queue& queue) {
  VITRINE_CHECK(q.type() != DType::kF32 && cache.headDim <= kMostTensorCoreHeadDim);
  const auto run = [&](auto element, auto stored) {
    using T = decltype(element);
    const Attention<T, decltype(stored)> a{
        rowsOf<const T>(q),
        rowsOf<T>(out),
        cache,
        layer,
        static_cast<int>(q.extent(1)) / cache.kvHeads,
        batch,
        {memory.states, static_cast<int>(q.extent(0)), static_cast<int>(q.extent(1)), cache.headDim},
        blocks.rows,
        isInVectors(q, 2),
        isInVectors(q, 8)};
    Unprepared<T> unprepared{};
    if (heads != nullptr) {
      VITRINE_CHECK(blocks.rows == nullptr && blocks.warps == 1);
      unprepared = {rowsOf<const T>(heads->heads.k),
                    rowsOf<const T>(heads->heads.v),
                    weightOf(heads->norms.query),
                    weightOf(heads->norms.key),
                    heads->norms.eps,
                    rowsOf<const float>(heads->cos),
                    rowsOf<const float>(heads->sin)};
    }
    attend(a, unprepared, blocks, memory.ended, queue);
  };
  if (q.type() == DType::kBf16)
    withStored<Bf16>(cache, [&](auto stored) { run(Bf16{}, stored); });
  else
    withStored<F16>(cache, [&](auto stored) { run(F16{}, stored); });
}

}  // namespace vitrine::cuda
