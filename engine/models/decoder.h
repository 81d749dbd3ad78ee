// Decoder: a Llama-shaped transformer, written once against backend.h for every family and backend.
//
// embed, then for each layer: norm, q k v, (q k norm), rotary, store KV, attention, output, add + norm, gate
// and up, down; then the final norm and the head, for the rows that are asked. Llama: arXiv 2302.13971,
// 2307.09288. forward() does all of it; a caller that stops early and goes on later (an early exit, arXiv
// 2404.16710) takes the parts: embed, runLayers over a range, and head after any of them, with the hidden
// states in memory of its own in between. Both ways give the same bits. Thread: one thread at a time. Read
// next: decoder.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "models/model_config.h"
#include "models/weight_source.h"
#include "vitrine/ignored_tensors.h"
#include "vitrine/packed_copy.h"

namespace vitrine {

// What a forward tells while it computes, in device memory that is good during the call.
struct LayerObserver {
  // A layer's hidden states [T, hidden]: 0 the embeddings, l after layer l, the last after the final norm (as
  // transformers counts output_hidden_states).
  std::function<void(int layer, const TensorView& hidden)> hidden = {};
  // What a layer's attention sees of the batch's tokens [T, (heads + 2 kvHeads) headDim]: queries and keys
  // behind their rotation, and values.
  std::function<void(int layer, const TensorView& qkv)> attention = {};
};

// Is told before the decoder overwrites the logits that it computed last.
class LogitsReader {
 public:
  virtual void beforeOverwrite() = 0;

 protected:
  ~LogitsReader() = default;
};

WeightFormat formatOf(DType type);  // of a matrix kept as it is

// How the weights are kept: the embedding table, and everything that multiplies. Norms and biases are
// float32.
struct WeightStorage {
  DType table = DType::kF32;
  WeightFormat matrices = WeightFormat::kF32;
  // Of a source whose matrices are in blocks: they stay packed, table included, and float matrices in it
  // become `table`; or, as stored, stay what they are.
  bool packed = true, asStored = false;
  bool inBlocks = false;  // most of the source's matrices are in blocks, and stay so

  WeightStorage(DType type);  // all in one type
  WeightStorage(DType tableType, Quantization quantization);
  WeightFormat head()
      const;  // int8 beside int4: its rounding errors reach the logits with nothing in between
};

struct LayerRange {
  int first, last;  // [first, last)
};

class Decoder {
 public:
  using Progress = std::function<bool(double fraction, const char* what)>;  // false cancels (kCancelled)

  // Packs the weights for the backend; the source may go afterwards.
  Decoder(Backend& backend, const ModelConfig& config, const WeightSource& weights, WeightStorage storage,
          const Progress& progress = {});
  ~Decoder();

  // Computes the KV of the batch's tokens and the logits of the rows of the batch named by `logitRows`:
  // returns [R, vocabulary] in device memory, valid until the next forward.
  TensorView forward(std::span<const std::int32_t> tokens, const RaggedBatch& batch, KvCache& cache,
                     std::span<const std::int32_t> logitRows, const LayerObserver& observer = {});

  // Rows that forward() computes of so many tokens: with the padding of a device (Backend::paddedRows()).
  std::int64_t paddedRows(std::int64_t tokens, std::int64_t sequences) const;

  // hidden [T, hidden], in device memory, becomes the tokens' embeddings.
  void embed(std::span<const std::int32_t> tokens, const TensorView& hidden);
  // Carries the batch's hidden states [T, hidden] through some layers, in place, and stores those layers' KV.
  void runLayers(LayerRange range, const RaggedBatch& batch, KvCache& cache, const TensorView& hidden,
                 const LayerObserver& observer = {});
  // The logits [R, vocabulary] of rows of the last runLayers(), as if its last layer were the model's last.
  TensorView head(std::span<const std::int32_t> rows);
  // The same of rows of the hidden states that an observer gets with `layer`, from within the observer: what
  // the model would say if it ended there (logit lens; nostalgebraist 2020, tuned in arXiv 2303.08112).
  TensorView exit(int layer, const TensorView& hidden, std::span<const std::int32_t> rows);

  // Of the last logits, until they are overwritten; null: none.
  void setReader(LogitsReader* reader);
  LogitsReader* reader() const;

  const ModelConfig& config() const;
  std::int64_t weightBytes() const;
  PackedCopy packedCopy() const;          // where the weights came from
  const IgnoredTensors& ignored() const;  // tensors of the source (tensor_check.h)
  KvCacheShape kvShape(int numBlocks, int blockSize, KvType type = KvType::kSame) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace vitrine
