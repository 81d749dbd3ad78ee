// How a warp reads a tile of a GGUF file's blocks (tile_format.h) as the bfloat16 numbers they stand for.
#pragma once

#include "backends/cuda/mma.cuh"
#include "backends/cuda/packed_layout.h"

namespace vitrine::cuda {

// Reads tiles of the two formats that have offsets, or of the two that have none. A constant format costs
// nothing; one that only the running kernel knows costs some instructions.
template <bool readsOffsets>
class BlockReader {
 public:
  __device__ explicit BlockReader(TileFormat format) : m_isLong(format == kLong) {}

  // The weight, as every product computes with it.
  __device__ Bf16 weightAt(const void* tile, int output, int input) const {
    const int square = input / kSquare, half = square / 2;
    const uint2 codes = codesOf(tile, output * 4 + input % kSquare / 2);
    return fromFloat<Bf16>(
        weightOf(groupOf(tile, output, half), half == 0 ? codes.x : codes.y, input % 2 * 2 + square % 2));
  }

  // As NumberTile's; tile: in any memory.
  __device__ void load(unsigned (&weights)[4], const void* tile, int lane) const {
    const uint2 codes = codesOf(tile, lane);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const Group group = groupOf(tile, lane / 4, half);
      const unsigned bytes = half == 0 ? codes.x : codes.y;
#pragma unroll
      for (int square = 0; square < 2; ++square)
        weights[half * 2 + square] =
            packPair(weightOf(group, bytes, square), weightOf(group, bytes, square + 2), Bf16{});
    }
  }

 private:
  static constexpr TileFormat kLong = readsOffsets ? TileFormat::kOffset6 : TileFormat::kScaled8,
                              kShort = readsOffsets ? TileFormat::kOffset4 : TileFormat::kScaled4;
  static constexpr int kLongBias = blockTileLayout(kLong).bias, kShortBias = blockTileLayout(kShort).bias,
                       kFourBits = kTileOutputs * kTileInputs / 2;  // bytes of as many codes

  // Inputs that share a scale and an offset.
  struct Group {
    float scale, offset;
  };

  // decodeBlocks() rounds the product, then the sum. Where there are offsets, a product of a scale and a code
  // has at most 23 significant bits (11 of the float16, 7 of its byte, 5 of the code), so that it is exact
  // and the fused operation the same. Where a block has none, the offset is -0, which adds nothing.
  __device__ float weightOf(const Group& group, unsigned bytes, int i) const {
    const float code = wholeNumber(bytes, i, codeBias());
    if constexpr (readsOffsets)
      return fmaf(group.scale, code, group.offset);
    else
      return group.scale * code;
  }
  __device__ int codeBias() const { return m_isLong ? kLongBias : kShortBias; }

  // Byte i, less the bias: 0x4B000000 is 2^23 as a float32, whose last place is 1.
  __device__ static float wholeNumber(unsigned bytes, int i, int bias) {
    constexpr unsigned k2To23 = 0x4B000000, kBelowIt = 0x7440;
    return __uint_as_float(__byte_perm(bytes, k2To23, kBelowIt | static_cast<unsigned>(i))) -
           __uint_as_float(k2To23 + static_cast<unsigned>(bias));
  }

  // A lane's two words of codes.
  __device__ uint2 codesOf(const void* tile, int lane) const {
    constexpr unsigned kLower = 0x0F0F0F0F, kUpper = 0x30303030;
    if constexpr (!readsOffsets)
      if (m_isLong) return static_cast<const uint2*>(tile)[lane];
    const unsigned pairs = static_cast<const unsigned*>(tile)[lane];
    uint2 words = {pairs & kLower, pairs >> 4 & kLower};
    if constexpr (readsOffsets)
      if (m_isLong) {
        const unsigned upper =
            reinterpret_cast<const std::uint16_t*>(static_cast<const char*>(tile) + kFourBits)[lane];
        words.x |= (upper << 4 | upper << 18) & kUpper;
        words.y |= (upper | upper << 14) & kUpper;
      }
    return words;
  }

  // half: of the inputs.
  __device__ Group groupOf(const void* tile, int output, int half) const {
    const char* const behind = static_cast<const char*>(tile) + kFourBits;  // four bits of each code
    if constexpr (!readsOffsets) {
      const auto* const scales = reinterpret_cast<const F16*>(m_isLong ? behind + kFourBits : behind);
      return {toFloat(scales[output]), 0};
    } else {
      const char* const scales = m_isLong ? behind + kFourBits / 2 : behind;
      const float2 halves = __half22float2(reinterpret_cast<const __half2*>(scales)[output]);
      const char* const bytes = scales + kTileOutputs * sizeof(__half2);
      unsigned all;  // for both halves, of scales and of minimums
      if (m_isLong)
        all = reinterpret_cast<const unsigned*>(bytes)[output];
      else
        all = __byte_perm(reinterpret_cast<const std::uint16_t*>(bytes)[output], 0, 0x1100);
      return {halves.x * wholeNumber(all, half, m_isLong ? kByteBias : 0),
              -(halves.y * wholeNumber(all, 2 + half, 0))};
    }
  }

  const bool m_isLong;
};

template <TileFormat format>
struct BlockTile {
  static constexpr int kBytes = blockTileLayout(format).bytes(), kVectors = kBytes / 16;
  static_assert(kBytes > 0 && kBytes % 16 == 0);
  using Reader = BlockReader<hasOffsets(format)>;

  __device__ static Bf16 weightAt(const void* tile, int output, int input) {
    return Reader(format).weightAt(tile, output, input);
  }
  __device__ static void load(unsigned (&weights)[4], const uint4* tile, int lane) {
    Reader(format).load(weights, tile, lane);
  }
};

}  // namespace vitrine::cuda
