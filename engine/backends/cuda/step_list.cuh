// A step's operations as a list, as StepProgram writes it and a kernel carries it out (step_worker.cuh).
#pragma once

#include "backends/cuda/attention_tile.cuh"
#include "backends/cuda/code_tile.cuh"
#include "backends/cuda/product.cuh"
#include "backends/cuda/step_program.h"
#include "backends/cuda/tagged_words.cuh"
#include "backends/cuda/wgmma.cuh"

namespace vitrine::cuda {

inline constexpr int kSets = 2, kWarps = kSets * kSegments, kThreads = kWarps * kWarp;
inline constexpr int kAllThreads = kThreads + kWarpgroup;  // with those that ask for weights
inline constexpr int kChunk = 4;                           // tiles of weights of a stage of a ring

// How the tiles of a program's matrices are read. All have one format (code_tile.cuh):
template <class Tile>
struct OneFormat {
  static constexpr int kBytes = Tile::kBytes, kVectors = Tile::kVectors;  // of a tile, at most
  OneFormat() = default;
  __device__ explicit OneFormat(TileFormat) {}
  __device__ static constexpr int vectors() { return kVectors; }
  __device__ static void load(unsigned (&weights)[4], const uint4* tile, int lane) {
    Tile::load(weights, tile, lane);
  }
};
// Or each has one of two, as in files of mixed K types:
struct OffsetFormats {
  using Short = BlockTile<TileFormat::kOffset4>;
  using Long = BlockTile<TileFormat::kOffset6>;
  static constexpr int kBytes = Long::kBytes, kVectors = Long::kVectors;
  TileFormat format = TileFormat::kOffset6;
  OffsetFormats() = default;
  __device__ explicit OffsetFormats(TileFormat which) : format(which) {}
  __device__ int vectors() const { return format == TileFormat::kOffset6 ? Long::kVectors : Short::kVectors; }
  __device__ void load(unsigned (&weights)[4], const uint4* tile, int lane) const {
    BlockReader<true>(format).load(weights, tile, lane);
  }
};

// Of a ring.
template <class Weights>
inline constexpr int kStageVectors = kChunk* Weights::kVectors;
inline constexpr int kMostStages = 12;
inline constexpr int kHeld = 4;   // output tiles of a set whose sums are finished together
inline constexpr int kLists = 4;  // of words that pass from block to block
inline constexpr int kWidth = kMostTensorCoreHeadDim;
inline constexpr int kTileWords = kTileInputs / 2;  // of x: two numbers each

// A matrix as the rings read it.
struct alignas(16) StreamedMatrix {
  const uint4* tiles;
  int units;              // of an output tile, or of two, half the matrix apart
  int depth, segment;     // in tiles
  bool isGate, isTurned;  // isTurned: the second set takes its units first
  TileFormat format;
};

enum class StepKind : int { kProduct, kAttention };

struct ProductStep {
  const float *normWeight, *bias;  // null: none
  float eps;
  int inputs, outputs, depth, segment, units;  // depth and segment in tiles
  void* out;                                   // [rows, outStride]
  int outStride;
  Finish finish;
  bool isTurned;
  TileFormat format;
};

struct AttentionStep {
  const float *queryNorm, *keyNorm;  // null: none
  std::int64_t keysAt, valuesAt;     // of the layer, from where a block of the cache begins
  float eps, scale;
  int slidingWindow;
};

// `words`: of a row, in the list that the step reads and in the one that it writes.
struct alignas(16) Step {
  StepKind kind;
  int wordsIn, wordsOut;
  ProductStep multiply;
  AttentionStep attend;
};
inline constexpr int kSteps = 8;       // of which a block has the descriptions
inline constexpr int kStepsAhead = 3;  // that they are brought before they are read

// Where things lie in a block's shared memory, in bytes.
struct SharedPlaces {
  int stages;
  int xAt, floatsAt, partialAt, normAt, tileAt, bytes;
};

// What all layers' attention has in common.
template <class T>
struct HeadsOfLayers {
  Rows<const float> cos, sin;
  int tiles, queryHeads, kvHeads, headDim, blockSize;
  std::int64_t blockElements;
  Attention<T> attention;  // but for the layer, scale and window
};

template <class T>
struct Program {
  const Step* steps;
  const StreamedMatrix* matrices;
  int stepCount, matrixCount, rows;
  const unsigned* input;  // what the first step reads: rows of words
  std::int64_t inputStride;
  HeadsOfLayers<T> heads;
  Word *lists, *states;
  std::uint64_t* times;    // of the beginning and of ends; null: none are wanted
  std::int64_t listWords;  // of a list
  std::uint32_t firstTag;  // of the words that the first step writes; those that it reads have one less
  SharedPlaces places;
};

}  // namespace vitrine::cuda
