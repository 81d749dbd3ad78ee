// PagedKv: the keys and values of every layer on the CPU, float32, bfloat16 or int8 with scales
// (backend.h).
//
// [block][layer]{ keys [kvHead][headDim][blockSize], values [kvHead][blockSize][headDim] } and, for int8,
// behind them { key scales [kvHead][blockSize], value scales [kvHead][blockSize] }. Keys lie transposed, so
// that the scores of neighbouring slots are computed in neighbouring lanes; a block of all layers is one
// stretch of memory, so that copying it is one memcpy. Read next: attention/attention.h.
#pragma once

#include "backends/backend.h"
#include "backends/cpu/attention/attention.h"
#include "backends/cpu/host_memory.h"
#include "backends/cpu/kernels.h"

namespace vitrine::cpu {

class PagedKv final : public KvCache {
 public:
  // Throws EngineError(kOutOfMemory).
  explicit PagedKv(const KvCacheShape& shape);

  std::int64_t blockBytes() const override { return shape.bytesPerBlock(); }
  char* block(int block) const { return static_cast<char*>(m_memory.get()) + block * shape.bytesPerBlock(); }
  // What attention reads of one head of one layer; the table is the sequence's.
  KvHead head(int layer, int head, const std::int32_t* table) const;
  // Writes one token's key and value [headDim] of one head to a slot (block * blockSize + offset).
  void store(std::int64_t slot, int layer, int head, const float* key, const float* value) const;

 private:
  std::int64_t headElements() const { return std::int64_t{shape.blockSize} * shape.headDim; }

  std::shared_ptr<void> m_memory;
};

}  // namespace vitrine::cpu
