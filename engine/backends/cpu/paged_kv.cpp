#include "backends/cpu/paged_kv.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "formats/small_floats.h"

namespace vitrine::cpu {
namespace {

// codes[i * stride] = round(x[i] / scale), ties to even; returns the scale. A token with a number that is not
// finite gets NaN as its scale, so that tokens that see it become NaN, as with float32.
float quantize(const float* x, int n, std::int8_t* codes, std::int64_t stride) {
  float largest = 0;
  bool finite = true;
  for (int i = 0; i < n; ++i) {
    largest = std::max(largest, std::abs(x[i]));
    finite = finite && std::isfinite(x[i]);
  }
  const float inverse = finite && largest > 0 ? 127.0f / largest : 0.0f;
  // A largest so small that its inverse overflows is nothing beside any other token's.
  const bool stored = std::isfinite(inverse) && inverse > 0;
  for (int i = 0; i < n; ++i)
    codes[i * stride] = stored ? static_cast<std::int8_t>(std::nearbyint(x[i] * inverse)) : std::int8_t{0};
  if (!finite) return std::numeric_limits<float>::quiet_NaN();
  return stored ? largest / 127.0f : 0.0f;
}

}  // namespace

PagedKv::PagedKv(const KvCacheShape& s) : KvCache(s) {
  VITRINE_CHECK(s.layers > 0 && s.numBlocks >= 0 && s.blockSize > 0 && s.kvHeads > 0 && s.headDim > 0);
  VITRINE_CHECK(s.elementsPerBlock() / s.layers % 4 == 0 ||
                s.type != KvType::kInt8);  // scales lie on whole floats
  // One block more than asked is the padding that the kernels may read.
  constexpr std::int64_t kPaddingBytes = kReadPadding * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t factors[] = {std::int64_t{s.numBlocks} + 1 + kPaddingBytes / s.bytesPerBlock(),
                                  s.bytesPerBlock()};
  m_memory = allocateBytes(factors, "the KV cache");
}

KvHead PagedKv::head(int layer, int head, const std::int32_t* table) const {
  const std::int64_t size = shape.elementBytes();
  const char* base = block(0) + shape.bytesPerBlock() / shape.layers * layer;
  const std::int64_t all = shape.kvHeads * headElements();
  KvHead kv{shape.type,
            base + head * headElements() * size,
            base + (all + head * headElements()) * size,
            nullptr,
            nullptr,
            shape.bytesPerBlock(),
            table};
  if (shape.type != KvType::kInt8) return kv;
  const auto* scales = reinterpret_cast<const float*>(base + 2 * all);
  kv.keyScales = scales + head * shape.blockSize;
  kv.valueScales = scales + (shape.kvHeads + head) * shape.blockSize;
  return kv;
}

void PagedKv::store(std::int64_t slot, int layer, int head, const float* key, const float* value) const {
  const std::int64_t offset = slot % shape.blockSize,
                     inBlock = slot / shape.blockSize * shape.bytesPerBlock();
  const KvHead kv = this->head(layer, head, nullptr);
  // The cache owns what its readers see as constant.
  const auto at = [inBlock](const void* pointer) {
    return const_cast<char*>(static_cast<const char*>(pointer)) + inBlock;
  };
  const std::int64_t valueAt = offset * shape.headDim;
  if (shape.type == KvType::kInt8) {
    auto* keys = reinterpret_cast<std::int8_t*>(at(kv.keys)) + offset;
    auto* values = reinterpret_cast<std::int8_t*>(at(kv.values)) + valueAt;
    reinterpret_cast<float*>(at(kv.keyScales))[offset] = quantize(key, shape.headDim, keys, shape.blockSize);
    reinterpret_cast<float*>(at(kv.valueScales))[offset] = quantize(value, shape.headDim, values, 1);
    return;
  }
  const auto put = [&](auto* keys, auto* values, const auto& stored) {
    for (int i = 0; i < shape.headDim; ++i) {
      keys[offset + std::int64_t{i} * shape.blockSize] = stored(key[i]);
      values[valueAt + i] = stored(value[i]);
    }
  };
  if (shape.type == KvType::kBf16)
    put(reinterpret_cast<std::uint16_t*>(at(kv.keys)), reinterpret_cast<std::uint16_t*>(at(kv.values)),
        floatToBf16);
  else
    put(reinterpret_cast<float*>(at(kv.keys)), reinterpret_cast<float*>(at(kv.values)), std::identity());
}

}  // namespace vitrine::cpu
