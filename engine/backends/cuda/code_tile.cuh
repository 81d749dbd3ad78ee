// What a tile of weights, 8 outputs by 32 inputs, is in memory, and how a warp that multiplies reads it.
//
// A lane's part of a tile is eight weights: output lane / 4, and of each square of eight inputs the pair
// lane mod 4. Numbers lie as ldmatrix brings them. Codes lie in the order of lanes, so that a lane finds its
// eight together, and behind them the scales of the eight outputs; such a tile has 8.5 or 4.5 bits a weight.
//
// A code and a scale have eight significant bits each, as a bfloat16 has. So a code is exact as a bfloat16,
// and code times scale, rounded once, is the number that quantizeInPlace() (formats/quantize.h) leaves,
// rounded to bfloat16, since there the product of the two is exact: quantized weights are the same numbers,
// whether they are kept as codes or as numbers.
#pragma once

#include "backends/cuda/block_tile.cuh"
#include "backends/cuda/mma.cuh"
#include "backends/cuda/packed_layout.h"
#include "backends/cuda/reduce.cuh"

namespace vitrine::cuda {

// Tiles of packed_layout.h, of a type of 16 bits.
struct NumberTile {
  static constexpr int kBytes = kTileOutputs * kTileInputs * 2, kVectors = kBytes / 16;
  // The operands of two steps of the tensor cores: b0 and b1 for the first sixteen inputs, then for the
  // others. tile: in shared memory.
  __device__ static void load(unsigned (&weights)[4], const uint4* tile, int lane) {
    loadMatrices(weights, tile + lane);
  }
};

template <int bits>
struct CodeTile {
  static constexpr int kBits = bits, kCodeBytes = kTileOutputs * kTileInputs * bits / 8,
                       kBytes = kCodeBytes + kTileOutputs * 2, kVectors = kBytes / 16;
  static_assert((bits == 8 || bits == 4) && kBytes % 16 == 0);

  // Where a code lies; input: in the tile. A lane's pair is sixteen bits apart, so that a mask cuts it out of
  // a word.
  struct Place {
    int byte, shift;
  };
  __device__ static Place placeOf(int output, int input) {
    const int lane = output * 4 + input % kSquare / 2, square = input / kSquare, upper = input % 2 * 2;
    if constexpr (bits == 8) return {lane * 8 + square / 2 * 4 + upper + square % 2, 0};
    return {lane * 4 + upper + square / 2, square % 2 * 4};
  }
  // A code as it is stored: int8 as it is, int4 plus 8.
  __device__ static unsigned stored(int code) {
    return static_cast<unsigned>(bits == 8 ? code : code + 8) & ((1u << bits) - 1);
  }
  __device__ static const Bf16* scalesOf(const void* tile) {
    return reinterpret_cast<const Bf16*>(static_cast<const char*>(tile) + kCodeBytes);
  }

  // The weight, as every product computes with it.
  __device__ static Bf16 weightAt(const void* tile, int output, int input) {
    const Place place = placeOf(output, input);
    const int kept = static_cast<const std::uint8_t*>(tile)[place.byte] >> place.shift;
    const int code = bits == 8 ? static_cast<std::int8_t>(kept) : kept % 16 - 8;
    return fromFloat<Bf16>(toFloat(scalesOf(tile)[output]) * static_cast<float>(code));
  }

  // As NumberTile's; tile: in any memory.
  __device__ static void load(unsigned (&weights)[4], const uint4* tile, int lane) {
    const __nv_bfloat162 scale = __bfloat162bfloat162(scalesOf(tile)[lane / 4]);
    if constexpr (bits == 8) {
      const uint2 words = reinterpret_cast<const uint2*>(tile)[lane];
      weights[0] = scaledPair(words.x, scale);
      weights[1] = scaledPair(words.x >> 8, scale);
      weights[2] = scaledPair(words.y, scale);
      weights[3] = scaledPair(words.y >> 8, scale);
    } else {
      const unsigned word = reinterpret_cast<const unsigned*>(tile)[lane];
#pragma unroll
      for (int square = 0; square < 4; ++square) weights[square] = scaledPair(word >> (4 * square), scale);
    }
  }

 private:
  // The lowest bits of both halves of a word, times the scale. 0x4300 is 128 as a bfloat16, whose last place
  // is 1, and 0x4380 is 256: seven bits of a code are added to 128, and 128 is taken away, or 256 where the
  // eighth, the sign, is set. Likewise 128 + (code + 8) - 136.
  __device__ static unsigned scaledPair(unsigned word, __nv_bfloat162 scale) {
    constexpr unsigned k128 = 0x43004300, k136 = 0x43084308;
    const unsigned lifted = (word & (bits == 8 ? 0x007F007F : 0x000F000F)) | k128,
                   lift = bits == 8 ? (word & 0x00800080) | k128 : k136;
    const __nv_bfloat162 codes = __hsub2_rn(pairOf(lifted), pairOf(lift)), weights = __hmul2_rn(codes, scale);
    return *reinterpret_cast<const unsigned*>(&weights);
  }
  __device__ static __nv_bfloat162 pairOf(unsigned word) {
    return *reinterpret_cast<const __nv_bfloat162*>(&word);
  }
};

// Calls `work` with a tile of the format, which is one that quantization leaves.
template <class Work>
void withQuantizedTile(TileFormat format, const Work& work) {
  VITRINE_CHECK(format == TileFormat::kInt8 || format == TileFormat::kInt4);
  if (format == TileFormat::kInt8)
    work(CodeTile<8>());
  else
    work(CodeTile<4>());
}

// Likewise, of any codes.
template <class Work>
void withCodeTile(TileFormat format, const Work& work) {
  switch (format) {
    case TileFormat::kNumbers:
      break;
    case TileFormat::kInt8:
    case TileFormat::kInt4:
      return withQuantizedTile(format, work);
    case TileFormat::kScaled8:
      return work(BlockTile<TileFormat::kScaled8>());
    case TileFormat::kScaled4:
      return work(BlockTile<TileFormat::kScaled4>());
    case TileFormat::kOffset4:
      return work(BlockTile<TileFormat::kOffset4>());
    case TileFormat::kOffset6:
      return work(BlockTile<TileFormat::kOffset6>());
  }
  VITRINE_CHECK(false);
}

}  // namespace vitrine::cuda
