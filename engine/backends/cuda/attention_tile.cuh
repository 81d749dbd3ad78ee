// A tile of keys and values on its way from the paged cache into shared memory, for the two kernels of
// attention on tensor cores.
#pragma once

#include <type_traits>

#include "backends/cuda/kv_codes.cuh"
#include "backends/cuda/mma.cuh"
#include "backends/cuda/reduce.cuh"
#include "backends/cuda/shared_memory.cuh"
#include "backends/cuda/tile_softmax.cuh"

namespace vitrine::cuda {

// Stored: what the cache keeps, T or codes.
template <class T, class Stored = T>
struct Attention {
  static constexpr bool kHasCodes = !std::is_same_v<T, Stored>;

  Rows<const T> q;
  Rows<T> out;
  PagedKv cache;
  int layer, group;  // heads of a key-value head
  AttentionBatch batch;
  TileStates states;
  const AttentionRows* blocks;  // of threads; null: each takes a sequence with one token
  bool hasPairs, hasVectors;    // queries may be read two elements at a time, or eight

  __device__ AttentionRows rowsOf(int block) const {
    return blocks != nullptr ? blocks[block] : AttentionRows{block, 1, block};
  }
  __device__ const std::int32_t* tableOf(const AttentionRows& rows) const {
    return batch.tables + std::int64_t{rows.sequence} * batch.tableWidth;
  }
  // Where a position's key begins in the cache, in elements; of a position behind the table's end, no place.
  // Its value is valuesBehind elements further.
  __device__ std::int64_t placeOf(const std::int32_t* table, int position, int kvHead) const {
    const std::int32_t block = blockOf(table, position);
    const std::int64_t begin =
        kHasCodes ? cache.codesAt(block, layer, 0, kvHead) : cache.offset(block, layer, 0, kvHead);
    return begin + position % cache.blockSize * cache.headDim;
  }
  __device__ std::int64_t valuesBehind() const { return cache.offset(0, 0, 1, 0); }
  // Of codes, where the key's scale is, in bytes; the value's is scalesBehind() further.
  __device__ std::int64_t scalePlaceOf(const std::int32_t* table, int position, int kvHead) const {
    return cache.scalesAt(blockOf(table, position), layer, 0, kvHead) + position % cache.blockSize * 4;
  }
  __device__ std::int64_t scalesBehind() const { return cache.kvHeads * cache.scaleBytes(); }
  // Positions that any of the tokens sees; they ascend.
  __device__ Seen seenBy(const AttentionRows& rows) const {
    return {seenFrom(batch.positions[rows.first], batch.slidingWindow).first,
            batch.positions[rows.first + rows.tokens - 1]};
  }
  __device__ unsigned queryPair(int token, int head, int element) const {
    if (element >= cache.headDim) return 0;
    const T* from = q.at(token, head) + element;
    if (hasPairs) return *reinterpret_cast<const unsigned*>(from);
    T pair[2] = {from[0], element + 1 < cache.headDim ? from[1] : fromFloat<T>(0)};
    return *reinterpret_cast<const unsigned*>(pair);
  }

 private:
  __device__ std::int32_t blockOf(const std::int32_t* table, int position) const {
    return table[min(position / cache.blockSize, batch.tableWidth - 1)];
  }
};

// Rows of keys and values in shared memory, `width` elements each, behind the last one zeros. They begin in
// different banks. Codes come into the second half of the row that their numbers will fill, and what belongs
// to them behind it (codesIn(), scaleIn()); openTile() makes numbers of them.
template <class T, int width>
struct Tile {
  static constexpr int kStride = width + 8;
  T keys[kTile][kStride], values[kTile][kStride];
  std::int64_t places[kTile];  // of the keys in the cache, in elements
};
inline constexpr std::int64_t kUnseen = -1, kElsewhere = -2;  // in place of a place

// Of a row of a tile, before it is opened: codes, their scale, and, of a key, the place of that.
template <int width, class T>
__device__ Code* codesIn(T* row) {
  static_assert(sizeof(T) == 2 * sizeof(Code));
  return reinterpret_cast<Code*>(row + width / 2);
}
template <int width, class T>
__device__ float& scaleIn(T* row) {
  return *reinterpret_cast<float*>(row + width);
}
template <int width, class T>
__device__ std::int64_t& scalePlaceIn(T* row) {
  return *reinterpret_cast<std::int64_t*>(row + width + 4);
}

// Places of the rows of a tile, that a thread has looked up: a way of two reads from memory, one behind the
// other, which a block of threads has behind it when it begins to copy. A row's place is looked up once, not
// for each of its vectors.
template <class A>
class LookedUp {
 public:
  // Of the tile's positions those that are in `part` have a place.
  __device__ LookedUp(const A& a, const std::int32_t* table, int kvHead, int number, const Seen& seen,
                      const Seen& part) {
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      if (rowOf(i) >= kTile) break;
      const int position = number * kTile + rowOf(i);
      const std::int64_t place =
          a.placeOf(table, position, kvHead);  // read before it is known whether needed
      m_places[i] = position < seen.first || position > seen.last   ? kUnseen
                    : position < part.first || position > part.last ? kElsewhere
                                                                    : place;
      if constexpr (A::kHasCodes) m_scalePlaces[i] = a.scalePlaceOf(table, position, kvHead);
    }
  }
  template <class T, int width>
  __device__ void store(Tile<T, width>& tile) const {
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      if (rowOf(i) >= kTile) break;
      tile.places[rowOf(i)] = m_places[i];
      if constexpr (A::kHasCodes) scalePlaceIn<width>(tile.keys[rowOf(i)]) = m_scalePlaces[i];
    }
  }

 private:
  static constexpr int kMost = kTile / kWarp;  // rows of a thread, where a block is a warp
  static __device__ int rowOf(int i) { return static_cast<int>(threadIdx.x + i * blockDim.x); }

  std::int64_t m_places[kMost], m_scalePlaces[A::kHasCodes ? kMost : 1];
};

// Begins to copy the tile's positions that have a place; those that are not seen become zeros, since 0 times
// what lies there must be 0. All threads of the block take part; a thread has one column of vectors.
template <class T, int width>
__device__ void fetchTile(const Attention<T, T>& a, Tile<T, width>& tile) {
  constexpr int kVector = 8, kVectors = width / kVector;
  const int headDim = a.cache.headDim, thread = static_cast<int>(threadIdx.x),
            threads = static_cast<int>(blockDim.x);
  const int element = thread % kVectors * kVector;
  const T* const keys = static_cast<const T*>(a.cache.data) + element;
  const T* const values = keys + a.valuesBehind();
  const bool isCopied = headDim % kVector == 0 && element < headDim;
#pragma unroll 4
  for (int row = thread / kVectors; row < kTile; row += threads / kVectors) {
    const std::int64_t place = tile.places[row];
    if (place >= 0 && isCopied) {
      copyAsync16(&tile.keys[row][element], keys + place);
      copyAsync16(&tile.values[row][element], values + place);
    } else if (place == kUnseen || element >= headDim) {
      *reinterpret_cast<uint4*>(&tile.keys[row][element]) = {};
      *reinterpret_cast<uint4*>(&tile.values[row][element]) = {};
    } else if (place != kElsewhere) {
      for (int j = 0; j < kVector; ++j) {
        tile.keys[row][element + j] = element + j < headDim ? keys[place + j] : fromFloat<T>(0);
        tile.values[row][element + j] = element + j < headDim ? values[place + j] : fromFloat<T>(0);
      }
    }
  }
}

// Codes are copied eight at a time; a row's first thread brings its scales.
template <class T, int width>
__device__ void fetchTile(const Attention<T, Code>& a, Tile<T, width>& tile) {
  constexpr int kVector = 8, kVectors = width / kVector;
  const int headDim = a.cache.headDim, thread = static_cast<int>(threadIdx.x),
            threads = static_cast<int>(blockDim.x);
  const int element = thread % kVectors * kVector;
  const char* const data = static_cast<const char*>(a.cache.data);
  const Code* const keys = static_cast<const Code*>(a.cache.data) + element;
  const Code* const values = keys + a.valuesBehind();
  const bool isCopied = headDim % kVector == 0 && element < headDim;
#pragma unroll 2
  for (int row = thread / kVectors; row < kTile; row += threads / kVectors) {
    const std::int64_t place = tile.places[row];
    Code* const key = codesIn<width>(tile.keys[row]) + element;
    Code* const value = codesIn<width>(tile.values[row]) + element;
    if (place >= 0 && isCopied) {
      copyAsync8(key, keys + place);
      copyAsync8(value, values + place);
    } else if (place == kUnseen || element >= headDim) {
      *reinterpret_cast<uint2*>(key) = {};
      *reinterpret_cast<uint2*>(value) = {};
    } else if (place != kElsewhere) {
      for (int j = 0; j < kVector; ++j) {
        key[j] = element + j < headDim ? keys[place + j] : Code{0};
        value[j] = element + j < headDim ? values[place + j] : Code{0};
      }
    }
    if (element > 0) continue;
    if (place >= 0) {
      const char* const scale = data + scalePlaceIn<width>(tile.keys[row]);
      copyAsync4(&scaleIn<width>(tile.keys[row]), scale);
      copyAsync4(&scaleIn<width>(tile.values[row]), scale + a.scalesBehind());
    } else if (place == kUnseen) {
      scaleIn<width>(tile.keys[row]) = scaleIn<width>(tile.values[row]) = 0;
    }
  }
}

// The same of a few positions [first, last] of the tile, which are seen, and where elements are read eight at
// a time.
template <class T, int width>
__device__ void fetchRows(const Attention<T, T>& a, Tile<T, width>& tile, const std::int32_t* table,
                          int kvHead, int number, int first, int last) {
  constexpr int kVector = 8, kVectors = width / kVector;
  const int thread = static_cast<int>(threadIdx.x), element = thread % kVectors * kVector;
  const int begin = number * kTile, end = min(last - begin, kTile - 1);
  const T* const keys = static_cast<const T*>(a.cache.data) + element;
  const T* const values = keys + a.valuesBehind();
#pragma unroll 1
  for (int row = max(first - begin, 0) + thread / kVectors; row <= end;
       row += static_cast<int>(blockDim.x) / kVectors) {
    if (element >= a.cache.headDim) {
      *reinterpret_cast<uint4*>(&tile.keys[row][element]) = {};
      *reinterpret_cast<uint4*>(&tile.values[row][element]) = {};
      continue;
    }
    const std::int64_t place = a.placeOf(table, begin + row, kvHead);
    copyAsync16(&tile.keys[row][element], keys + place);
    copyAsync16(&tile.values[row][element], values + place);
  }
}
template <class T, int width>
__device__ void fetchRows(const Attention<T, Code>& a, Tile<T, width>& tile, const std::int32_t* table,
                          int kvHead, int number, int first, int last) {
  constexpr int kVector = 8, kVectors = width / kVector;
  const int thread = static_cast<int>(threadIdx.x), element = thread % kVectors * kVector;
  const int begin = number * kTile, end = min(last - begin, kTile - 1);
  const char* const data = static_cast<const char*>(a.cache.data);
#pragma unroll 1
  for (int row = max(first - begin, 0) + thread / kVectors; row <= end;
       row += static_cast<int>(blockDim.x) / kVectors) {
    Code* const key = codesIn<width>(tile.keys[row]) + element;
    Code* const value = codesIn<width>(tile.values[row]) + element;
    if (element >= a.cache.headDim) {
      *reinterpret_cast<uint2*>(key) = {};
      *reinterpret_cast<uint2*>(value) = {};
      continue;
    }
    const char* const codes = data + a.placeOf(table, begin + row, kvHead) + element;
    copyAsync8(key, codes);
    copyAsync8(value, codes + a.valuesBehind());
    if (element > 0) continue;
    const char* const scale = data + a.scalePlaceOf(table, begin + row, kvHead);
    copyAsync4(&scaleIn<width>(tile.keys[row]), scale);
    copyAsync4(&scaleIn<width>(tile.values[row]), scale + a.scalesBehind());
  }
}

// A row's eight codes from `element` on, and its scale.
template <class T, int width>
struct RowCodes {
  uint2 codes;
  float scale;

  __device__ void read(T* row, int element) {
    codes = *reinterpret_cast<const uint2*>(codesIn<width>(row) + element);
    scale = scaleIn<width>(row);
  }
  __device__ void open(T* row, int element) const {
    float low[4], high[4];
    codesToFloats(codes.x, low);
    codesToFloats(codes.y, high);
    *reinterpret_cast<uint4*>(row + element) = {
        packPair(low[0] * scale, low[1] * scale, T{}), packPair(low[2] * scale, low[3] * scale, T{}),
        packPair(high[0] * scale, high[1] * scale, T{}), packPair(high[2] * scale, high[3] * scale, T{})};
  }
};

// Makes numbers of a tile's codes, which all threads of the block see: those of a row in their place, by
// neighbouring lanes, which have read them all before one writes. Nothing is to be done where the cache has
// numbers.
template <class T, int width>
__device__ void openTile(const Attention<T, T>&, Tile<T, width>&) {}
template <class T, int width>
__device__ void openTile(const Attention<T, Code>&, Tile<T, width>& tile) {
  constexpr int kVector = 8, kVectors = width / kVector, kAtOnce = 2;
  constexpr int kRows = kWarp / kVectors, kGroups = kTile / kRows;  // a warp has a group of rows at a time
  const int lane = static_cast<int>(threadIdx.x) % kWarp, warps = static_cast<int>(blockDim.x) / kWarp;
  const int element = lane % kVectors * kVector, row = lane / kVectors;
#pragma unroll 1
  for (int first = static_cast<int>(threadIdx.x) / kWarp; first < kGroups; first += kAtOnce * warps) {
    RowCodes<T, width> keys[kAtOnce], values[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int group = first + i * warps;
      if (group >= kGroups) break;
      keys[i].read(tile.keys[group * kRows + row], element);
      values[i].read(tile.values[group * kRows + row], element);
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int group = first + i * warps;
      if (group >= kGroups) break;
      keys[i].open(tile.keys[group * kRows + row], element);
      values[i].open(tile.values[group * kRows + row], element);
    }
  }
  __syncthreads();
}

// A lane's part of the products of a tile: loadMatrices' address for the keys of sixteen positions, and
// loadTransposed's for the values of sixteen elements.
template <class T, int width>
__device__ const T* keysAt(const Tile<T, width>& tile, int lane, int position, int element) {
  return &tile.keys[position + lane / 16 * kMmaColumns + lane % 8][element + lane / 8 % 2 * 8];
}
template <class T, int width>
__device__ const T* valuesAt(const Tile<T, width>& tile, int lane, int position, int element) {
  return &tile.values[position + lane % 16][element + lane / 16 * kMmaColumns];
}

// The two rows, eight apart, of which a lane has parts: each a token and one of its heads.
struct LaneRows {
  bool isThere[2];
  int token[2], head[2];
  Seen seen[2];

  template <class T, class Stored>
  __device__ LaneRows(const Attention<T, Stored>& a, const AttentionRows& rows, int kvHead, int firstRow) {
    for (int half = 0; half < 2; ++half) {
      const int row = firstRow + half * kMmaRows / 2 + static_cast<int>(threadIdx.x) % kWarp / 4;
      const int ofToken = rows.tokens == 1 ? 0 : row / a.group;  // a division takes some forty instructions
      isThere[half] = row < rows.tokens * a.group;
      token[half] = rows.first + min(ofToken, rows.tokens - 1);
      head[half] =
          kvHead * a.group + min(row - ofToken * a.group, a.group - 1);  // a row that is not there, too
      seen[half] = seenFrom(a.batch.positions[token[half]], a.batch.slidingWindow);
    }
  }
};

// The score of a position: -infinity where it is not seen.
__device__ inline float scoreOf(float product, float scale, int position, const Seen& seen) {
  return position >= seen.first && position <= seen.last ? product * scale : -INFINITY;
}
// The largest of a row's scores, over the four lanes that share it.
__device__ inline float rowMax(float x) {
  x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
  return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}
// The sum of a row's probabilities: each lane's of four quarters, added in their order; then over the four
// lanes.
__device__ inline float rowSum(const float (&quarters)[4]) {
  float sum = ((quarters[0] + quarters[1]) + quarters[2]) + quarters[3];
  sum += __shfl_xor_sync(~0u, sum, 1);
  return sum + __shfl_xor_sync(~0u, sum, 2);
}

// Tiles' states of a kernel's rows: `State` has the largest scores and sums of a lane's two rows, its columns
// of their weighted values, and each(), which calls a function for each row and one for each pair of
// elements.
template <class T, class Stored, class State>
__device__ void storeState(const Attention<T, Stored>& a, int tile, const State& rows) {
  rows.each(
      [&](int half, int token, int head) {
        float* state = a.states.at(tile, token, head);
        state[0] = rows.largest[half];
        state[1] = rows.sum[half];
      },
      [&](int half, int token, int head, int column, int element) {
        float* state = a.states.at(tile, token, head) + 2;
        for (int i = 0; i < 2; ++i)
          if (element + i < a.cache.headDim) state[element + i] = rows.values[column][2 * half + i];
      });
}

// Begins to copy the tile's positions that are in `part`, and looks up the next tile where it has room, too;
// fetchSecond() begins to copy that, as a group of its own. room: of so many tiles.
template <int room, class T, class Stored, int width>
__device__ void fetchFirst(const Attention<T, Stored>& a, Tile<T, width>* tiles, const std::int32_t* table,
                           int kvHead, int tile, const Seen& seen, const Seen& part) {
  const LookedUp first(a, table, kvHead, tile, seen, part);
  if (room > 1) LookedUp(a, table, kvHead, tile + 1, seen, seen).store(tiles[1]);
  first.store(tiles[0]);
  __syncthreads();
  fetchTile(a, tiles[0]);
}
template <class T, class Stored, int width>
__device__ void fetchSecond(const Attention<T, Stored>& a, Tile<T, width>* tiles, int tile, int lastTile) {
  if (tile < lastTile) fetchTile(a, tiles[1]);
  commitCopies();
}

// Merges the states of the tiles [tile, lastTile]. The first ones are on their way into `tiles`, a group of
// copies each; when one is computed, another takes its room, whose places are looked up meanwhile.
template <int room, class T, class Stored, int width, class State>
__device__ void walk(const Attention<T, Stored>& a, Tile<T, width>* tiles, const std::int32_t* table,
                     int kvHead, int tile, int lastTile, const Seen& seen, State& rows) {
  float largest[2] = {-INFINITY, -INFINITY}, sum[2] = {};
  float all[State::kColumns][4] = {};
  for (int stage = 0; tile <= lastTile; ++tile, stage = (stage + 1) % room) {
    const LookedUp next(a, table, kvHead, tile + room, seen, seen);
    waitForCopies<room - 1>();
    __syncthreads();
    openTile(a, tiles[stage]);
    next.store(tiles[stage]);
    rows.attend(tiles[stage], tile);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (half >= rows.halves()) break;
      const Merging merging(largest[half], rows.largest[half]);
      sum[half] = merging(sum[half], rows.sum[half]);
      for (int column = 0; column < State::kColumns; ++column)
        for (int i = 2 * half; i < 2 * half + 2; ++i)
          all[column][i] = merging(all[column][i], rows.values[column][i]);
      largest[half] = merging.largest;
    }
    __syncthreads();  // all warps have read the tile
    if (tile + room <= lastTile) fetchTile(a, tiles[stage]);
    commitCopies();
  }
  rows.each([](int, int, int) {},
            [&](int half, int token, int head, int column, int element) {
              T* to = a.out.at(token, head);
              for (int i = 0; i < 2; ++i)
                if (element + i < a.cache.headDim)
                  to[element + i] = fromFloat<T>(all[column][2 * half + i] / sum[half]);
            });
}

// Launches one of the kernels: for heads of up to `width` elements, with a block of threads for each tile, or
// not, and with room for so many.
template <int width, bool isSplit, int room, class T, class Stored, class Kernel, class... Arguments>
void launchAttention(Kernel kernel, const Attention<T, Stored>& a, int blocks, int threads,
                     const Queue& queue, const Arguments&... arguments) {
  constexpr int kShared = static_cast<int>(sizeof(Tile<T, width>)) * room;
  [[maybe_unused]] static const bool isAllowed = allowShared(kernel, kShared);
  enqueue(queue, kernel,
          dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(a.cache.kvHeads),
               isSplit ? static_cast<unsigned>(a.batch.tiles()) : 1),
          threads, kShared, a, arguments...);
}

// Calls `work` with the width of a kernel for the heads and with whether tiles are computed apart, as
// constants.
template <class T, class Stored, class Work>
void withKernelOf(const Attention<T, Stored>& a, const Work& work) {
  using Narrow = std::integral_constant<int, kMostTensorCoreHeadDim / 2>;
  using Wide = std::integral_constant<int, kMostTensorCoreHeadDim>;
  const bool isNarrow = a.cache.headDim <= Narrow();
  if (a.states.data != nullptr)
    isNarrow ? work(Narrow(), std::true_type()) : work(Wide(), std::true_type());
  else
    isNarrow ? work(Narrow(), std::false_type()) : work(Wide(), std::false_type());
}

// Blocks of threads with 1 to 4 warps of sixteen rows (prompt_attention.cu).
template <class T, class Stored>
void promptAttention(const Attention<T, Stored>& a, int blocks, int warps, const Queue& queue);

}  // namespace vitrine::cuda
