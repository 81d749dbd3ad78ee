// PagedKv: the keys and values of every layer on the CPU, float32.
//
// [block][layer][ keys [kvHead][headDim][blockSize] , values [kvHead][blockSize][headDim] ]: keys lie
// transposed, so that the scores of neighbouring slots are computed in neighbouring lanes; a block of all
// layers is one stretch of memory, so that copying it is one memcpy.
#pragma once

#include "backends/backend.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/memory.h"

namespace vitrine::cpu {

class PagedKv final : public KvCache {
 public:
  explicit PagedKv(const KvCacheShape& s) : KvCache(s) {
    VITRINE_CHECK(s.layers > 0 && s.numBlocks >= 0 && s.blockSize > 0 && s.kvHeads > 0 && s.headDim > 0);
    // One block more than asked is the padding that the kernels may read.
    const std::int64_t padded = std::int64_t{s.numBlocks} + 1 + kReadPadding / s.elementsPerBlock();
    const std::int64_t factors[] = {padded, s.layers, s.blockSize, s.kvHeads, s.headDim, 2 * sizeof(float)};
    m_memory = allocateBytes(factors, "the KV cache");
  }

  std::int64_t blockBytes() const override { return blockStride() * static_cast<std::int64_t>(sizeof(float)); }
  std::int64_t blockStride() const { return shape.elementsPerBlock(); }
  float* block(int block) const { return static_cast<float*>(m_memory.get()) + block * blockStride(); }
  // Keys of one head of one layer in a block: [headDim, blockSize]
  float* keys(int block, int layer, int head) const {
    return this->block(block) + (std::int64_t{2} * layer * shape.kvHeads + head) * headStride();
  }
  // Values of one head of one layer in a block: [blockSize, headDim]
  float* values(int block, int layer, int head) const {
    return this->block(block) + ((std::int64_t{2} * layer + 1) * shape.kvHeads + head) * headStride();
  }

 private:
  std::int64_t headStride() const { return std::int64_t{shape.blockSize} * shape.headDim; }

  std::shared_ptr<void> m_memory;
};

}  // namespace vitrine::cpu
