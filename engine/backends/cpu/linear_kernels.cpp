// The matrix product over floats and over our own int8 and int4. Read next: linear-inl.h.
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/linear_kernels.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include "backends/cpu/linear-inl.h"
#include "formats/quantize.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

struct Bf16Weights : Unscaled {  // the upper half of a float32
  static constexpr std::int64_t kRowBytes = 64;
  static HWY_INLINE Vec widen(const std::uint8_t* panel, std::int64_t k, int v) {
    return widenBf16(reinterpret_cast<const std::uint16_t*>(panel + k * kRowBytes) + v * int{kLanes});
  }
};
struct F16Weights : Unscaled {
  static constexpr std::int64_t kRowBytes = 64;
  static HWY_INLINE Vec widen(const std::uint8_t* panel, std::int64_t k, int v) {
    return widenHalf(panel + k * kRowBytes, v);
  }
};
// A bfloat16 for each group of 32 inputs and column: [groups][32].
struct Bf16Scales {
  static constexpr bool kScaled = true, kOffset = false;
  static constexpr int kMostFew = kTileRows;
  static constexpr std::int64_t kGroup = kQuantGroup, kScaleSpan = kQuantGroup, kScaleBytes = 64;
  static HWY_INLINE Vec scale(const std::uint8_t* scales, std::int64_t k, int v) {
    static_assert(kQuantGroup == kPanelColumns);
    return widenBf16(reinterpret_cast<const std::uint16_t*>(scales) + k + v * int{kLanes});
  }
};
struct Int8Weights : Bf16Scales {
  static constexpr std::int64_t kRowBytes = 32;
  static HWY_INLINE Vec widen(const std::uint8_t* panel, std::int64_t k, int v) {
    return widenBytes(panel + k * kRowBytes, v);
  }
};
struct Int4Weights : Bf16Scales {  // byte i: weight i + 8 in the lower half, weight i + 16, + 8 too, above
  static constexpr std::int64_t kRowBytes = 16;
  // Vector v of 32 halves of 16 bytes, as the last four bits of each lane, with others above.
  static HWY_INLINE Vec widen(const std::uint8_t* panel, std::int64_t k, int v) {
    const int column = v * int{kLanes};
    const auto pairs = hn::PromoteTo(U32(), hn::LoadU(U8(), panel + k * kRowBytes + column % 16));
    return wholeNumbers<8>(column < 16 ? pairs : hn::ShiftRight<4>(pairs), 15);
  }
};

}  // namespace

const LinearKernels* linearTable() {
  static constexpr LinearKernels table = {kTileRows,
                                          {linear<F32Weights>, linear<Bf16Weights>, linear<F16Weights>,
                                           linear<Int8Weights>, linear<Int4Weights>}};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::cpu {
HWY_EXPORT(linearTable);
const LinearKernels& linearKernels() { return *HWY_DYNAMIC_DISPATCH(linearTable)(); }
}  // namespace vitrine::cpu
#endif
