// The matrix product over blocks of GGUF files in panels (block_panels.h): widened in registers to the floats
// that they stand for, to the bit. A single row, a token's decode, is widened as it is multiplied; several
// rows share a widened stretch of a panel, which stays in the first-level cache. Read next: linear-inl.h.
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/block_kernels.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include "backends/cpu/block_panels.h"
#include "backends/cpu/linear-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr std::int64_t kHalves = 2 * kPanelColumns;  // bytes of a float16 for each column

template <BlockType Type>
struct Block {
  static constexpr bool kScaled = true;
  static constexpr int kMostFew = 1;
  static constexpr std::int64_t kRowBytes = panelBytes(Type).row, kScaleSpan = panelBytes(Type).span,
                                kScaleBytes = panelBytes(Type).record;
  static HWY_INLINE const std::uint8_t* record(const std::uint8_t* scales, std::int64_t k) {
    return scales + k / kScaleSpan * kScaleBytes;
  }
};

// --- the scales of a group of inputs, for vector v of a panel's columns

template <BlockType Type>
struct OneScale : Block<Type> {
  static constexpr bool kOffset = false;
  static constexpr std::int64_t kGroup = 32;
  static HWY_INLINE Vec scale(const std::uint8_t* scales, std::int64_t k, int v) {
    const std::uint8_t* const halves = Block<Type>::record(scales, k);
    if constexpr (Type == BlockType::kMxfp4)
      return widenBf16(reinterpret_cast<const std::uint16_t*>(halves) + v * int{kLanes});
    else
      return widenHalf(halves, v);
  }
};

template <BlockType Type>
struct ScaleAndMinimum : OneScale<Type> {
  static constexpr bool kOffset = true;
  static HWY_INLINE Vec offset(const std::uint8_t* scales, std::int64_t k, int v) {
    return widenHalf(Block<Type>::record(scales, k) + kHalves, v);
  }
};

// The block's scale times the group's: Q4_K and Q5_K have pairs of bytes for 8 groups of 32 inputs.
template <BlockType Type>
struct ScalesOfScales : Block<Type> {
  static constexpr bool kOffset = true;
  static constexpr std::int64_t kGroup = 32;
  static HWY_INLINE Vec product(const std::uint8_t* scales, std::int64_t k, int v, int which) {
    const std::uint8_t* const record = Block<Type>::record(scales, k);
    const std::uint8_t* const bytes =
        record + 2 * kHalves + (k % 256 / kGroup * 2 + which) * kPanelColumns + v * int{kLanes};
    const auto small = hn::PromoteTo(I32(), hn::LoadU(U8(), bytes));
    return hn::Mul(widenHalf(record + which * kHalves, v), hn::ConvertTo(F32(), small));
  }
  static HWY_INLINE Vec scale(const std::uint8_t* scales, std::int64_t k, int v) {
    return product(scales, k, v, 0);
  }
  static HWY_INLINE Vec offset(const std::uint8_t* scales, std::int64_t k, int v) {
    return hn::Neg(product(scales, k, v, 1));
  }
};

// Q2_K has both in the halves of a byte, for 16 groups of 16 inputs.
struct HalfByteScales : Block<BlockType::kQ2K> {
  static constexpr bool kOffset = true;
  static constexpr std::int64_t kGroup = 16;
  static HWY_INLINE hn::Vec<U32> pairs(const std::uint8_t* scales, std::int64_t k, int v) {
    const std::uint8_t* const bytes = record(scales, k) + 2 * kHalves + k % 256 / kGroup * kPanelColumns;
    return hn::PromoteTo(U32(), hn::LoadU(U8(), bytes + v * int{kLanes}));
  }
  static HWY_INLINE Vec scale(const std::uint8_t* scales, std::int64_t k, int v) {
    return hn::Mul(widenHalf(record(scales, k), v), wholeNumbers<0>(pairs(scales, k, v), 15));
  }
  static HWY_INLINE Vec offset(const std::uint8_t* scales, std::int64_t k, int v) {
    const Vec minimum = wholeNumbers<0>(hn::ShiftRight<4>(pairs(scales, k, v)), 15);
    return hn::Neg(hn::Mul(widenHalf(record(scales, k) + kHalves, v), minimum));
  }
};

// Signed bytes for groups of Group inputs.
template <BlockType Type, std::int64_t Group>
struct SignedScales : Block<Type> {
  static constexpr bool kOffset = false;
  static constexpr std::int64_t kGroup = Group;
  static HWY_INLINE Vec scale(const std::uint8_t* scales, std::int64_t k, int v) {
    const std::uint8_t* const block = Block<Type>::record(scales, k);
    return hn::Mul(widenHalf(block, v), widenBytes(block + kHalves + k % 256 / kGroup * kPanelColumns, v));
  }
};

// --- the values, for vector v of an input's columns

// Bits for each of columns v kLanes, ... as the last bits of each lane, with others above: column c's begin
// with bit c Bits of `packed`.
template <int Bits>
HWY_INLINE hn::Vec<U32> unpacked(const std::uint8_t* packed, int v) {
  const U32 d;
  const int bit = v * int{kLanes} * Bits;
  std::uint32_t word;
  __builtin_memcpy(&word, packed + bit / 32 * 4, sizeof word);
  const auto shifts =
      hn::Add(hn::Mul(hn::Iota(d, 0), hn::Set(d, Bits)), hn::Set(d, static_cast<std::uint32_t>(bit % 32)));
  return hn::Shr(hn::Set(d, word), shifts);
}

// The upper bits of columns v kLanes, ..., Bits for each, as they stand behind the lower four.
template <int Bits>
HWY_INLINE hn::Vec<U32> upper(const std::uint8_t* row, int v) {
  return hn::ShiftLeft<4>(hn::And(unpacked<Bits>(row + 16, v), hn::Set(U32(), (1u << Bits) - 1)));
}

template <int Bits, int Bias>
HWY_INLINE Vec widenWide(const std::uint8_t* row, int v) {
  const U32 d;
  const auto bits = hn::OrAnd(upper<Bits>(row, v), nibbles(row, v), hn::Set(d, 15));
  return wholeNumbers<Bias>(bits, 63);
}

struct Q80 : OneScale<BlockType::kQ80> {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) { return widenBytes(row, v); }
};
struct Q40 : OneScale<BlockType::kQ40> {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) { return wholeNumbers<8>(nibbles(row, v), 15); }
};
struct Q41 : ScaleAndMinimum<BlockType::kQ41> {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) { return wholeNumbers<0>(nibbles(row, v), 15); }
};
struct Q50 : OneScale<BlockType::kQ50> {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) { return widenWide<1, 16>(row, v); }
};
struct Q51 : ScaleAndMinimum<BlockType::kQ51> {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) { return widenWide<1, 0>(row, v); }
};
struct Q2K : HalfByteScales {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) {
    return wholeNumbers<0>(unpacked<2>(row, v), 3);
  }
};
struct Q3K : SignedScales<BlockType::kQ3K, 16> {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) {
    const auto third = hn::ShiftLeft<2>(unpacked<1>(row + 8, v));
    return wholeNumbers<4>(hn::OrAnd(third, unpacked<2>(row, v), hn::Set(U32(), 3)), 7);
  }
};
struct Q4K : ScalesOfScales<BlockType::kQ4K> {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) { return wholeNumbers<0>(nibbles(row, v), 15); }
};
struct Q5K : ScalesOfScales<BlockType::kQ5K> {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) { return widenWide<1, 0>(row, v); }
};
struct Q6K : SignedScales<BlockType::kQ6K, 16> {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) { return widenWide<2, 32>(row, v); }
};

// Four bits that name one of 16 levels.
template <BlockType Type, class Scales = OneScale<Type>>
struct Levels : Scales {
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) {
    const int column = v * int{kLanes};
#if HWY_TARGET == HWY_SCALAR
    const int name = column < 16 ? row[column] & 15 : row[column - 16] >> 4;
    return hn::Set(F32(), static_cast<float>(static_cast<std::int8_t>(blockLevels(Type)[name])));
#else
    const U8 d;
    const hn::CappedTag<std::uint8_t, 16> all;
    const auto pairs = hn::LoadU(d, row + column % 16);
    const auto names = hn::And(column < 16 ? pairs : hn::ShiftRight<4>(pairs), hn::Set(d, 15));
    const auto levels = hn::TableLookupBytes(hn::Load(all, blockLevels(Type)), names);
    return hn::ConvertTo(F32(), hn::PromoteTo(I32(), hn::BitCast(I8(), levels)));
#endif
  }
};

}  // namespace

const BlockKernels* blockTable() {
  static constexpr BlockKernels table = {
      {nullptr, nullptr, nullptr, linear<Q80>, linear<Q40>, linear<Q41>, linear<Q50>, linear<Q51>,
       linear<Q2K>, linear<Q3K>, linear<Q4K>, linear<Q5K>, linear<Q6K>, linear<Levels<BlockType::kIq4Nl>>,
       linear<Levels<BlockType::kIq4Xs, SignedScales<BlockType::kIq4Xs, 32>>>,
       linear<Levels<BlockType::kMxfp4>>}};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::cpu {
HWY_EXPORT(blockTable);
const BlockKernels& blockKernels() { return *HWY_DYNAMIC_DISPATCH(blockTable)(); }
}  // namespace vitrine::cpu
#endif
