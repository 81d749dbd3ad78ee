// What the host asks of the kernels: each function checks nothing, launches on the stream and returns at
// once.
//
// Lists of numbers (token ids, rows, positions) are in device memory. Views are of device memory, activations
// in any of float32, bfloat16 and float16, norms and biases in float32. Read next: cuda_backend.h, then a
// kernel: norm.cu is the shortest, few_rows_attention.cu and tensor_core_product.cu are the ones that
// matter.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backends/cuda/tile_format.h"
#include "backends/fused_operands.h"
#include "core/logits_row.h"

namespace vitrine::cuda {

inline constexpr int kMmaRows = 16;  // of a warp's product on tensor cores

// What the choice of a kernel depends on.
struct Gpu {
  int multiprocessors = 0;
  int sharedBytes = 0;         // that a block of threads may have
  bool hasMma16 = false;       // from compute capability 8.0 on: tensor cores for bfloat16, and for attention
  bool hasWarpgroups = false;  // compute capability 9.0, and the module is built for it (wgmma.cuh)
  std::int64_t secondCache = 0;  // bytes of the second-level cache
};

// Where kernels are launched.
struct Queue {
  cudaStream_t stream = nullptr;
  bool overlaps = false;  // a kernel may begin before the one in front of it has ended (queue.cuh)
};

// Rows (rows.cu). out [T, n] = rows of table or x.
void gatherRows(const TensorView& x, const std::int32_t* rows, const TensorView& out, const Queue& queue);
// Any view as contiguous numbers of the type of `out`.
void convert(const TensorView& x, const TensorView& out, const Queue& queue);

// Norms (norm.cu).
void rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out,
             const Queue& queue);
void addRmsNorm(const TensorView& residual, const TensorView& delta, const TensorView& weight, float eps,
                const TensorView& out, const Queue& queue);

// Element by element (elementwise.cu).
void gate(const TensorView& gateUp, const TensorView& out, const Queue& queue);
// out [T, n] += bias [n], for a product that is not our own.
void addBias(const TensorView& bias, const TensorView& out, const Queue& queue);
void rotary(const TensorView& x, const TensorView& cos, const TensorView& sin, const Queue& queue);

// A weight matrix [outputs, inputs] as one of the two products reads it, both padded with zeros.
//   panels (float32):  [outputs / 32][inputs][32]
//   tiles (bf16, f16): [outputs / 8][inputs / 8][8][8], the inputs padded to a multiple of 32
//   codes (bf16):      [outputs / 8][inputs / 32] tiles of as many bytes as their format has: code_tile.cuh
//   and
//                      tile_format.h
struct PackedMatrix {
  void* data = nullptr;
  DType type = DType::kF32;
  std::int64_t outputs = 0, inputs = 0;
  TileFormat format = TileFormat::kNumbers;
  // Of codes: kExpansionBytes, which other matrices may share, for the numbers that a product of many rows
  // reads.
  void* expansion = nullptr;
  std::int64_t bytes() const;
};
inline constexpr std::int64_t kExpansionBytes = std::int64_t{1} << 25;  // stays in the second-level cache
// Writes `rows` [n, inputs], contiguous, into a matrix of numbers, from output `first` on.
void packRows(const TensorView& rows, const PackedMatrix& matrix, std::int64_t first, const Queue& queue);
// Likewise what quantization to 8 or 4 bits leaves of the rows (formats/quantize.h), into a matrix of numbers
// or of codes of so many bits (codes.cu).
void quantizeRows(const TensorView& rows, int bits, const PackedMatrix& matrix, std::int64_t first,
                  const Queue& queue);
// out [T, inputs] = outputs `ids` of the matrix: an embedding table that is packed.
void unpackRows(const PackedMatrix& matrix, const std::int32_t* ids, const TensorView& out,
                const Queue& queue);
// The same of a matrix of codes; and its tiles of outputs `first` to first + tiles - 1, each of 8 outputs and
// all inputs, as numbers (codes.cu).
void unpackCodes(const PackedMatrix& matrix, const std::int32_t* ids, const TensorView& out,
                 const Queue& queue);
void expandTiles(const PackedMatrix& matrix, std::int64_t first, std::int64_t tiles, void* to,
                 const Queue& queue);
// What becomes of a product's sums, bias added.
enum class Finish : std::uint8_t {
  kStore,  // out [T, outputs]
  kAdd,    // out [T, outputs] += sums, float32
  kGate    // out [T, outputs / 2] = silu(the first half) * the second half, both rounded to the type of out
};
// out [T, outputs] = x [T, inputs] · matrixᵀ + bias (empty: none); x has the matrix's type.
void fmaProduct(const TensorView& x, const PackedMatrix& matrix, const TensorView& bias,
                const TensorView& out, const Queue& queue);
// Whether Finish::kGate is there for so many rows of x; and whether x may be a norm that is still to be
// computed.
bool gatesInProduct(const PackedMatrix& matrix, std::int64_t rows, const Gpu& gpu);
bool normsInProduct(const PackedMatrix& matrix, std::int64_t rows);
// norm: x is rmsNorm(residual), and is not there yet; null: it is.
void tensorCoreProduct(const TensorView& x, const ResidualNorm* norm, const PackedMatrix& matrix,
                       const TensorView& bias, const TensorView& out, Finish finish, const Gpu& gpu,
                       const Queue& queue);

// Keys and values in blocks, each [layers][2][kvHeads][blockSize][headDim], so that a block is one piece of
// memory: elements of the activations' type, or int8 codes and behind them, of each row of headDim codes, its
// scale: float [layers][2][kvHeads][blockSize] (kv_codes.cuh).
struct PagedKv {
  void* data = nullptr;
  bool hasCodes = false;
  int layers = 0, kvHeads = 0, blockSize = 0, headDim = 0;
  __host__ __device__ std::int64_t headElements() const { return std::int64_t{blockSize} * headDim; }
  __host__ __device__ std::int64_t blockElements() const {
    return std::int64_t{layers} * 2 * kvHeads * headElements();
  }
  // Where the slots of a head begin: which 0 keys, 1 values.
  __host__ __device__ std::int64_t offset(std::int64_t block, int layer, int which, int head) const {
    return block * blockElements() + ((std::int64_t{layer} * 2 + which) * kvHeads + head) * headElements();
  }
  // The same of codes and of scales, in bytes.
  __host__ __device__ std::int64_t codedBlockBytes() const {
    return blockElements() + std::int64_t{layers} * 2 * kvHeads * scaleBytes();
  }
  __host__ __device__ std::int64_t scaleBytes() const { return std::int64_t{blockSize} * 4; }  // of a head
  __host__ __device__ std::int64_t codesAt(std::int64_t block, int layer, int which, int head) const {
    return block * codedBlockBytes() + offset(0, layer, which, head);
  }
  __host__ __device__ std::int64_t scalesAt(std::int64_t block, int layer, int which, int head) const {
    return block * codedBlockBytes() + blockElements() +
           ((std::int64_t{layer} * 2 + which) * kvHeads + head) * scaleBytes();
  }
};
// Keys and values [T, kvHeads, headDim] to the slots (block * blockSize + offset) of a layer.
void storeKv(const TensorView& k, const TensorView& v, const PagedKv& cache, int layer,
             const std::int32_t* slots, const Queue& queue);

// Queries and keys as attention wants them, and keys and values into the cache (heads.cu): the composition of
// rmsNorm, rotary and storeKv, bit by bit.
void prepareHeads(const HeadsOfTokens& heads, const HeadNorms& norms, const TensorView& cos,
                  const TensorView& sin, const PagedKv& cache, int layer, const std::int32_t* slots,
                  const Queue& queue);

// Positions whose attention is computed by itself; a context's tiles are merged in order (tile_softmax.cuh).
inline constexpr int kAttentionTile = 64;
inline constexpr int kMostHeadDim = 256, kMostTensorCoreHeadDim = 128;

struct AttentionBatch {
  const std::int32_t* positions;  // [T] of each token in its sequence; -1: padding, a row without a token
  const std::int32_t* sequences;  // [T] of each token
  const std::int32_t* tables;     // [S, tableWidth]
  int tableWidth;
  int mostContext;  // the longest context of the batch
  float scale;
  int slidingWindow;
  __host__ __device__ int tiles() const { return (mostContext - 1) / kAttentionTile + 1; }
};
// Tokens of one sequence, neighbours in the batch, that a block of threads takes.
struct AttentionRows {
  std::int32_t first, tokens, sequence;
};
struct AttentionBlocks {
  const AttentionRows* rows = nullptr;  // [count]; null: a sequence with one token for each
  int count = 0, warps = 1;             // of a block: tokens * heads of a group <= kMmaRows * warps
};
// Where every tile of a context is computed apart; null: a block of threads walks through all tiles of its
// context. Both ways give the same bits.
struct AttentionMemory {
  float* states = nullptr;  // attentionStates() floats
  int* ended = nullptr;     // zeros, for each of AttentionBlocks and each key-value head
};
std::int64_t attentionStates(const TensorView& q, const AttentionBatch& batch);
// Causal attention: out, q [T, heads, headDim].
void fmaAttention(const TensorView& q, const PagedKv& cache, int layer, const AttentionBatch& batch,
                  const TensorView& out, float* states, const Queue& queue);
// Heads as the product for queries, keys and values leaves them.
struct UnpreparedHeads {
  HeadsOfTokens heads;
  HeadNorms norms;
  TensorView cos, sin;
};
// Whether tensorCoreAttention() of tokens that are decoded, one of each sequence, may do what prepareHeads()
// does.
bool preparesInAttention(const HeadsOfTokens& heads, const PagedKv& cache);
// For bfloat16 and float16, headDim up to kMostTensorCoreHeadDim, from compute capability 8.0 on. heads: not
// prepared yet, or null; q is theirs.
void tensorCoreAttention(const TensorView& q, const UnpreparedHeads* heads, const PagedKv& cache, int layer,
                         const AttentionBatch& batch, const AttentionBlocks& blocks, const TensorView& out,
                         const AttentionMemory& memory, const Queue& queue);

// Digests of rows of logits (digest.cu).
inline constexpr int kDigestGroup = 64;  // logits whose largest is known
struct DigestedRow {
  double sum, scaledSum;
  float max;
  std::int32_t mostLikely, isFinite, candidates;
};
struct DigestJob {
  const float* logits;  // [rows, vocabulary]
  std::int64_t stride, vocabulary;
  int rows, blocks;       // blocks: of kSumBlock logits in a row (core/exponential.h)
  const RowWish* wishes;  // [rows], in the GPU's memory
  int mostCandidates;     // of a wish
  // In the GPU's memory, for the time between kernels: of each block its best token, the largest logits of
  // its groups, and its two sums.
  unsigned long long* best;  // [rows, blocks]
  std::uint32_t* groups;     // [rows, blocks * kSumBlock / kDigestGroup]
  double* sums;              // [rows, blocks, 2]
  // In pinned memory of the host: nothing for a row that is wanted whole.
  DigestedRow* results;  // [rows]
  RankedLogit* top;      // [rows, mostCandidates]
  std::int32_t* tokens;  // [rows] the most likely ones again, in the GPU's memory
};
void digestRows(const DigestJob& job, cudaStream_t stream);
// Of a list of tokens each below 0, -1 - r, becomes tokens[r].
void fillTokens(std::int32_t* list, std::int64_t count, const std::int32_t* tokens, const Queue& queue);

// Copies `bytes`, a multiple of 16, again and again, for a measurement (bandwidth.cu).
void copyRepeatedly(const void* from, void* to, std::int64_t bytes, int times, const Gpu& gpu,
                    const Queue& queue);

}  // namespace vitrine::cuda
