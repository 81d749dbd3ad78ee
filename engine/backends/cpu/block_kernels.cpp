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

template <BlockType Type>
struct Block {
  static constexpr bool kScaled = true;
  static constexpr int kMostFew = 1;
  static constexpr PanelBits kBits = panelBits(Type);
  static constexpr std::int64_t kRowBytes = kBits.chunkBytes() / kChunk, kScaleSpan = kBits.span,
                                kScaleBytes = kBits.record;
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
    return widenHalf(Block<Type>::record(scales, k) + kHalfRow, v);
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
        record + 2 * kHalfRow + (k % 256 / kGroup * 2 + which) * kPanelColumns + v * int{kLanes};
    const auto small = hn::PromoteTo(I32(), hn::LoadU(U8(), bytes));
    return hn::Mul(widenHalf(record + which * kHalfRow, v), hn::ConvertTo(F32(), small));
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
    const std::uint8_t* const bytes = record(scales, k) + 2 * kHalfRow + k % 256 / kGroup * kPanelColumns;
    return hn::PromoteTo(U32(), hn::LoadU(U8(), bytes + v * int{kLanes}));
  }
  static HWY_INLINE Vec scale(const std::uint8_t* scales, std::int64_t k, int v) {
    return hn::Mul(widenHalf(record(scales, k), v), wholeNumbers<0>(pairs(scales, k, v), 15));
  }
  static HWY_INLINE Vec offset(const std::uint8_t* scales, std::int64_t k, int v) {
    const Vec minimum = wholeNumbers<0>(hn::ShiftRight<4>(pairs(scales, k, v)), 15);
    return hn::Neg(hn::Mul(widenHalf(record(scales, k) + kHalfRow, v), minimum));
  }
};

// Signed bytes for groups of Group inputs.
template <BlockType Type, std::int64_t Group>
struct SignedScales : Block<Type> {
  static constexpr bool kOffset = false;
  static constexpr std::int64_t kGroup = Group;
  static HWY_INLINE Vec scale(const std::uint8_t* scales, std::int64_t k, int v) {
    const std::uint8_t* const block = Block<Type>::record(scales, k);
    return hn::Mul(widenHalf(block, v), widenBytes(block + kHalfRow + k % 256 / kGroup * kPanelColumns, v));
  }
};

// --- the values, for vector v of an input's columns

// The bits of input k in a plane of Bits bits, as the last of each lane, with others above.
template <int Bits>
HWY_INLINE hn::Vec<U32> planeBits(const std::uint8_t* plane, std::int64_t k, int v) {
  constexpr std::int64_t kQuads = 8 / Bits;
  const std::int64_t quad = k % kChunk / kQuad;
  const std::uint8_t* const row = plane + quad / kQuads * kQuadRow + v * int{kLanes} * kQuad;
  const auto lanes = hn::LoadU(U32(), reinterpret_cast<const std::uint32_t*>(row));
  return hn::ShiftRightSame(lanes, static_cast<int>(k % kQuad * 8 + quad % kQuads * Bits));
}

// The bits of both planes.
template <BlockType Type>
HWY_INLINE hn::Vec<U32> storedBits(const std::uint8_t* panel, std::int64_t k, int v) {
  constexpr PanelBits kBits = panelBits(Type);
  const U32 d;
  const std::uint8_t* const chunk = panel + k / kChunk * kBits.chunkBytes();
  const auto low = planeBits<kBits.lower>(chunk, k, v);
  if constexpr (kBits.upper == 0) {
    return low;
  } else {
    const auto high = hn::And(planeBits<kBits.upper>(chunk + kBits.lowerBytes(), k, v),
                              hn::Set(d, (1u << kBits.upper) - 1));
    return hn::OrAnd(hn::ShiftLeft<kBits.lower>(high), low, hn::Set(d, (1u << kBits.lower) - 1));
  }
}

// bits - Bias
template <class Scales, BlockType Type, int Bias>
struct Whole : Scales {
  static HWY_INLINE Vec widen(const std::uint8_t* panel, std::int64_t k, int v) {
    constexpr PanelBits kBits = panelBits(Type);
    return wholeNumbers<Bias>(storedBits<Type>(panel, k, v), (1u << (kBits.lower + kBits.upper)) - 1);
  }
};

struct Q80 : OneScale<BlockType::kQ80> {
  static HWY_INLINE Vec widen(const std::uint8_t* panel, std::int64_t k, int v) {
    const auto signFlipped = hn::Xor(storedBits<BlockType::kQ80>(panel, k, v), hn::Set(U32(), 128));
    return wholeNumbers<128>(signFlipped, 255);
  }
};

template <BlockType Type, int Bias>
using Simple = Whole<OneScale<Type>, Type, Bias>;
template <BlockType Type>
using WithMinimum = Whole<ScaleAndMinimum<Type>, Type, 0>;
template <BlockType Type>
using OfScales = Whole<ScalesOfScales<Type>, Type, 0>;
template <BlockType Type, int Bias>
using BySigned = Whole<SignedScales<Type, 16>, Type, Bias>;

// Four bits that name one of 16 levels.
template <BlockType Type, class Scales = OneScale<Type>>
struct Levels : Scales {
  static HWY_INLINE Vec widen(const std::uint8_t* panel, std::int64_t k, int v) {
    const auto names = hn::And(storedBits<Type>(panel, k, v), hn::Set(U32(), 15));
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(F32(),
                   static_cast<float>(static_cast<std::int8_t>(blockLevels(Type)[hn::GetLane(names)])));
#else
    const hn::Repartition<std::uint8_t, U32> bytes;
    const auto levels =
        hn::TableLookupBytes(hn::LoadDup128(bytes, blockLevels(Type)), hn::BitCast(bytes, names));
    // The last byte of each lane is the level, the others that of the first name.
    return hn::ConvertTo(
        F32(), hn::ShiftRight<24>(hn::BitCast(I32(), hn::ShiftLeft<24>(hn::BitCast(U32(), levels)))));
#endif
  }
};

}  // namespace

const BlockKernels* blockTable() {
  static constexpr BlockKernels table = {
      {nullptr, nullptr, nullptr, linear<Q80>, linear<Simple<BlockType::kQ40, 8>>,
       linear<WithMinimum<BlockType::kQ41>>, linear<Simple<BlockType::kQ50, 16>>,
       linear<WithMinimum<BlockType::kQ51>>, linear<Whole<HalfByteScales, BlockType::kQ2K, 0>>,
       linear<BySigned<BlockType::kQ3K, 4>>, linear<OfScales<BlockType::kQ4K>>,
       linear<OfScales<BlockType::kQ5K>>, linear<BySigned<BlockType::kQ6K, 32>>,
       linear<Levels<BlockType::kIq4Nl>>,
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
