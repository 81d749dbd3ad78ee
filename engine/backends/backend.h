// Backend: the dozen operations a decoder needs, over tensor views.
//
// The decoder is written once against this; cpu/ (our SIMD kernels) and torch/ (ATen, the reference)
// implement it, and cuda/ on an NVIDIA GPU. Activations are float32 on the CPU, on a GPU the type of the
// weights; the residual stream, biases, norms and logits are float32 everywhere. Every operation adds in one
// order, whatever the number of rows, so that a row's result never depends on the batch around it
// (BatchInvariance::kOff gives that up). Views may be slices of wider matrices: rows any distance apart, the
// last axis dense. Weights of norms and biases are float32. Errors: shapes are checked (a bug,
// VITRINE_CHECK); allocation failure is EngineError(kOutOfMemory). Thread: one thread at a time. Read next:
// models/decoder.h, which calls it; cpu/README.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "backends/fused_operands.h"
#include "backends/weight_copies.h"
#include "core/logits_row.h"
#include "core/tensor.h"
#include "formats/block_types.h"
#include "vitrine/devices.h"
#include "vitrine/events/forward.h"
#include "vitrine/machine_roof.h"
#include "vitrine/options.h"

namespace vitrine {

// How a weight matrix is kept: as floats, or quantized in groups (formats/quantize.h). Activations are
// float32 with each; a product may round them for itself (Compute).
enum class WeightFormat : std::uint8_t { kF32, kBf16, kF16, kInt8, kInt4 };
inline constexpr int kWeightFormats = 5;

// A weight matrix in the layout that is fastest for its backend; packLinear() makes it once.
class LinearWeight {
 public:
  virtual ~LinearWeight() = default;
  std::int64_t inFeatures = 0, outFeatures = 0, bytes = 0;
  Operation operation = Operation::kOther;  // the decoder's step that multiplies by it
  Compute arithmetic = Compute::kF32;       // of its products on a processor
};

// The keys and values of every layer, in blocks; the layout is the backend's own.
//
// KvType::kBf16 rounds to the nearest, ties to even; a NaN and an infinity stay what they are.
//
// KvType::kInt8 stores a number x as round(x / scale), with one float scale for each head, key or value, and
// slot of a block: scale = max |x| / 127 over the head's dimension. Why not one scale for a whole block and
// head: a block fills token by token, so its largest number is known only when it is full. A scale that grows
// would round earlier tokens again, and what a query sees of them would depend on how far the block was
// filled when it looked, that is, on where chunks end; a scale fixed by the first token would cut off later
// ones. So a block carries as many scales as it has slots, what is stored of a token depends on that token
// alone, and the law holds to the bit. It costs 4 bytes on headDim: a head of 64 takes 68 bytes instead of
// 256.
struct KvCacheShape {
  int layers = 0, numBlocks = 0, blockSize = 0, kvHeads = 0, headDim = 0;
  KvType type = KvType::kSame;
  DType element = DType::kF32;  // of KvType::kSame, the type of the backend's activations
  std::int64_t elementsPerBlock() const { return std::int64_t{2} * layers * blockSize * kvHeads * headDim; }
  std::int64_t scalesPerBlock() const {
    return type == KvType::kInt8 ? std::int64_t{2} * layers * blockSize * kvHeads : 0;
  }
  std::int64_t elementBytes() const {
    if (type == KvType::kInt8) return 1;
    return static_cast<std::int64_t>(dtypeBytes(type == KvType::kBf16 ? DType::kBf16 : element));
  }
  std::int64_t bytesPerBlock() const { return elementsPerBlock() * elementBytes() + scalesPerBlock() * 4; }
};
class KvCache {
 public:
  explicit KvCache(KvCacheShape s) : shape(s) {}
  virtual ~KvCache() = default;
  virtual std::int64_t blockBytes() const = 0;  // that one block of all layers takes
  const KvCacheShape shape;
};

// One ragged batch: the new tokens of every sequence of a step, one after another. T tokens, S sequences.
struct RaggedBatch {
  std::span<const std::int32_t> positions;      // [T] of each token in its sequence
  std::span<const std::int32_t> slots;          // [T] where its KV goes: block * blockSize + offset
  std::span<const std::int32_t> queryStart;     // [S + 1] first token of each sequence in the batch
  std::span<const std::int32_t> contextLength;  // [S] tokens it can see, this step's included
  std::span<const std::int32_t> blockTables;    // [S, tableWidth], rows padded with -1
  int tableWidth = 0;
  // For a sequence with evicted blocks, `positions` are indices into the remaining tokens. Then this is [T],
  // the positions of its tokens in the text, by which queries and keys are rotated; empty: `positions` are
  // those,
  std::span<const std::int32_t> rotaryPositions = {};
  // and this is [S, tableWidth], the number of blocks evicted after each block of the table: its keys are now
  // that much nearer than the positions they were rotated for; empty: none.
  std::span<const std::int32_t> blockShifts = {};
  // For heavy hitters: [S], where attention() adds the attention scores of each block of the table, float
  // [layers, kvHeads, scoreWidth]: the probabilities that the batch's tokens give to the block, summed over
  // its positions and the heads of a group, token by token in order. Empty: not wanted. Null: not for this
  // sequence.
  std::span<float* const> attentionScores = {};
  int scoreWidth = 0;
};

struct AttentionParameters {
  float scale = 1;        // of q·k, usually 1/sqrt(headDim)
  int slidingWindow = 0;  // a token sees itself and the window-1 before it; 0: everything before it
  // [most shift + 1, headDim / 2] the cosine and sine of the angles of 0, 1, 2, ... blocks, for a batch with
  // blockShifts: for a block shifted by n a query is rotated back by row n. Empty otherwise.
  TensorView turnCos = {}, turnSin = {};
};

struct BlockCopy {
  std::int32_t from, to;
};

// Operations that a backend may record once and repeat: equal values stand for the same layers over the same
// memory and cache. The batch, which differs, is beginStep()'s.
struct RepeatedLayers {
  std::uint64_t memory = 0;  // of the activations: a new number whenever it is allocated anew
  int first = 0, last = 0;   // layers
  const TensorView& hidden;
  const KvCache& cache;
};

// Digests of rows of logits, made where they lie: begun, and waited for later, while other operations follow.
// An object holds those of one step.
class LogitsDigests {
 public:
  virtual ~LogitsDigests() = default;
  // Begins what the wishes [R] want to know of rows of logits [R, vocabulary], but for those that are wanted
  // whole. What was begun before is forgotten. Operations that follow may overwrite the logits.
  virtual void begin(const TensorView& logits, std::span<const RowWish> wishes) = 0;
  // Waits for it, and fills `out` [R], but for rows that are wanted whole.
  virtual void finish(std::span<LogitsDigest> out) = 0;
  // For the next embed() or embedRows(): an id below 0, -1 - r, stands for the most likely token of row r, a
  // digested one, of what was begun last. It need not have been waited for.
  virtual void giveTokens() = 0;
};

class OperationMeter;

class Backend {
 public:
  virtual ~Backend() = default;
  virtual OperationMeter* meter() { return nullptr; }  // null: it does not measure itself (timed_backend.h)
  virtual std::string name() const = 0;                // "cpu", "torch"
  virtual std::string device() const = 0;              // for people: "AVX-512, int8 products, 2 threads"
  virtual int threads() const = 0;                     // of the host; 0: a GPU computes
  // Of a device with memory of its own; nothing: the host's.
  virtual std::optional<DeviceMemory> memory() const { return std::nullopt; }
  virtual void resetPeak() {}
  // The limits of a device of its own, for products of this backend's activations and for a working set of
  // `modelBytes`, measured between two steps; nothing: the processor's hold (vitrine/machine_roof.h).
  virtual std::optional<MachineRoof> measureRoof(std::int64_t /*modelBytes*/,
                                                 const RoofProgress& /*progress*/) {
    return std::nullopt;
  }
  // Of what products read, and of keys and values. linear() writes this type or float32, as `out` is.
  virtual DType activations() const { return DType::kF32; }
  // Waits for the operations so far, but not for copies of blocks to and from the host (finishCopies()): a
  // GPU computes while its caller goes on.
  virtual void finish() {}

  virtual Tensor allocate(DType type, std::initializer_list<std::int64_t> shape) = 0;
  virtual Tensor upload(const TensorView& host) = 0;  // same type; a copy
  // As float32; waits for the result. A backend whose activations are float32 wants a contiguous view.
  virtual void download(const TensorView& device, float* host) = 0;
  // Null: this backend's memory is the host's, where a row is read as it lies. The backend must outlive them.
  virtual std::unique_ptr<LogitsDigests> makeDigests() { return nullptr; }
  // Matrices [out_i, in] (f32, bf16, f16) one above another become one weight [sum of out_i, in] in `format`.
  virtual std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> hostParts,
                                                   WeightFormat format) = 0;
  // The same of matrices in blocks, or floats as they are; they stay packed, each in its own type. Reads the
  // rows from several threads, and throws what reading them throws.
  virtual std::unique_ptr<LinearWeight> packBlocks(std::span<const WeightRows> parts) = 0;
  // Where it keeps what the two have made for the next start. Null: nowhere.
  virtual WeightCopies* copies() { return nullptr; }
  // Throws EngineError(kUnsupported) for a type of KV this backend does not store.
  virtual std::unique_ptr<KvCache> allocateKv(const KvCacheShape& shape) = 0;
  // The batch for storeKv() and attention(), until the next call; its spans must stay valid. A
  // sequence's positions ascend; its table names a block of the pool for every position some token sees.
  virtual void beginStep(const RaggedBatch& batch) = 0;

  // out [T, hidden] = rows `ids` of table [vocabulary, hidden] (f32, bf16, f16)
  virtual void embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) = 0;
  // The same of a table that packBlocks() made, [vocabulary outputs, hidden inputs].
  virtual void embedRows(std::span<const std::int32_t> ids, const LinearWeight& table,
                         const TensorView& out) = 0;
  // out [T, n] = x / sqrt(mean(x²) + eps) * weight [n]   (RMSNorm, arXiv 1910.07467); out may be x. With x
  // [T, heads, headDim] and weight [headDim] it norms each head (Qwen3's q and k norms).
  virtual void rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out) = 0;
  // residual [T, n] += delta [T, n], then out = rmsNorm(residual)
  virtual void addRmsNorm(const TensorView& residual, const TensorView& delta, const TensorView& weight,
                          float eps, const TensorView& out) = 0;
  // out [T, outFeatures] = x [T, inFeatures] · weightᵀ + bias [outFeatures] (empty: none)
  virtual void linear(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                      const TensorView& out) = 0;
  // Rotates x [T, heads, headDim] in place, the two halves of a head together (RoPE, arXiv 2104.09864):
  // x₁' = x₁cos − x₂sin, x₂' = x₂cos + x₁sin; cos, sin [T, headDim/2]
  virtual void rotary(const TensorView& x, const TensorView& cos, const TensorView& sin) = 0;
  // Writes k, v [T, kvHeads, headDim] to the batch's slots of a layer.
  virtual void storeKv(const TensorView& k, const TensorView& v, KvCache& cache, int layer) = 0;
  // out [T, heads, headDim]: causal attention of q over each sequence's blocks; heads share kvHeads in groups
  // of heads/kvHeads (GQA, arXiv 2305.13245).
  virtual void attention(const TensorView& q, const KvCache& cache, int layer,
                         const AttentionParameters& parameters, const TensorView& out) = 0;
  // out [T, n] = silu(gateUp[:, :n]) * gateUp[:, n:]   (SwiGLU, arXiv 2002.05202)
  virtual void gate(const TensorView& gateUp, const TensorView& out) = 0;

  // Operations that follow one another in every decoder, for a backend that computes them as one. Each is
  // what stands here, to the bit; what is left in `delta` and `gateUp` is not said.
  virtual void prepareHeads(const HeadsOfTokens& heads, const HeadNorms& norms, const TensorView& cos,
                            const TensorView& sin, KvCache& cache, int layer) {
    if (!norms.query.empty()) rmsNorm(heads.q, norms.query, norms.eps, heads.q);
    if (!norms.key.empty()) rmsNorm(heads.k, norms.key, norms.eps, heads.k);
    rotary(heads.q, cos, sin);
    rotary(heads.k, cos, sin);
    storeKv(heads.k, heads.v, cache, layer);
  }
  virtual void linearAddNorm(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                             const TensorView& delta, const ResidualNorm& norm) {
    linear(x, weight, bias, delta);
    addRmsNorm(norm.residual, delta, norm.weight, norm.eps, norm.out);
  }
  virtual void linearGate(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                          const TensorView& gateUp, const TensorView& out) {
    linear(x, weight, bias, gateUp);
    gate(gateUp, out);
  }
  // Rows that the views of a step should have in which each of `sequences` has one token; at least as many. A
  // backend that repeats what it recorded knows steps of some sizes only. What is in the rows beyond the
  // tokens is not said, and changes no other row.
  virtual std::int64_t paddedRows(std::int64_t sequences) const { return sequences; }
  // Whether compareLaunches() shall be called before a step's layers.
  virtual bool comparesLaunches() const { return false; }
  // How long the operations, those of repeat(), take in each way in which this backend can launch them, and
  // the way that repeat() takes; nothing where there is one way only. Afterwards `hidden` is what it was, and
  // all else that the operations write is as if they had been done.
  virtual std::optional<LaunchesMeasured> compareLaunches(const RepeatedLayers&,
                                                          const std::function<void()>&) {
    return std::nullopt;
  }
  // Does the operations, or repeats what it recorded of them: they depend on the batch and on what is said of
  // them alone. Within, what a norm writes is read by products only.
  virtual void repeat(const RepeatedLayers&, const std::function<void()>& operations) { operations(); }

  // out [R, n] = rows of x [T, n]
  virtual void gatherRows(const TensorView& x, std::span<const std::int32_t> rows, const TensorView& out) = 0;
  // Copies whole blocks, keys and values of every layer (copy-on-write), in order.
  virtual void copyBlocks(KvCache& cache, std::span<const BlockCopy> copies) = 0;

  // Memory of the host for blocks outside the cache, not filled. For a GPU it is memory that the GPU reads
  // and writes by itself, where the system gives any. Throws std::bad_alloc.
  virtual std::shared_ptr<void> hostMemory(std::int64_t bytes) {
    return std::shared_ptr<std::byte[]>(new std::byte[static_cast<std::size_t>(bytes)]);
  }
  // A block of all layers to host memory and back, bit for bit; `host` has cache.blockBytes() bytes in an
  // order of the backend's own, in memory of hostMemory() or any other. These copies are in order among
  // themselves, and with all operations on the cache before and behind them. They may still be under way when
  // the call returns: until finishCopies() cache and `host` must stay, and the caller neither reads what is
  // copied to the host nor writes what is copied from there.
  virtual void readBlock(const KvCache& cache, std::int32_t block, void* host) = 0;
  virtual void writeBlock(KvCache& cache, std::int32_t block, const void* host) = 0;
  // Waits for the copies of blocks so far.
  virtual void finishCopies() {}
};

// Our own kernels; always there. threads 0: one a core. attention: one of attentionKernelNames(), empty for
// fastestAttention(). compute: the arithmetic of products, chosen already: not kAuto. Throws
// EngineError(kInvalidArgument) for another attention. copies: the folder in which packed weights are kept
// for the next start; empty: none are.
std::unique_ptr<Backend> makeCpuBackend(int threads, const std::string& attention = {},
                                        Compute compute = Compute::kF32,
                                        const std::filesystem::path& copies = {});
// By name, in that arithmetic of products: only bf16 rounds what attention multiplies.
const char* fastestAttention(Compute compute);
// Float32 arithmetic over the very numbers that int8 and int4 weights stand for in products of `compute`,
// whose groups differ from float32's: what rounding the weights costs, without what the arithmetic adds. The
// numbers are kept as float32. Other weights are those of makeCpuBackend(). Throws as that does.
std::unique_ptr<Backend> makeRoundingCpuBackend(int threads, const std::string& attention, Compute compute);
// The libtorch module, loaded on demand. attention: "reference", or empty for it too. Throws EngineError:
// kUnavailable with what is missing, kUnsupported for another attention.
std::unique_ptr<Backend> makeTorchBackend(int threads, const std::string& attention = {});
// An NVIDIA GPU's kernels, a module too. activations: float32, bfloat16 or float16. Throws EngineError:
// kUnavailable without the module, a driver or a GPU, or without cuBLASLt where it is needed; kUnsupported
// for an attention by name.
std::unique_ptr<Backend> makeCudaBackend(DType activations, const std::string& attention = {},
                                         Decoding decoding = Decoding::kAuto,
                                         BatchInvariance invariance = BatchInvariance::kOn);
// Of the GPU on which such a backend computes. Throw EngineError(kUnavailable) as it does.
std::string cudaName();
DeviceMemory cudaMemory();

}  // namespace vitrine
