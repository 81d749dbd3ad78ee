// Floats as blocks: the types that quantizing writes. Q8_0 and Q4_0 are ggml's reference rounding, to the
// bit; Q4_K searches each group's scale and minimum by least squares, as ggml does, with a search of its own.
// Thread: any. Read next: block_types.h, the other way.
#pragma once

#include <span>

#include "formats/block_types.h"

namespace vitrine {

// F32, F16, BF16, Q8_0, Q4_0 and Q4_K.
bool canEncode(BlockType type);

// Fills rowBytes(type, weights.size()) bytes; whole blocks, a type that can be encoded, finite weights.
void encodeBlocks(BlockType type, std::span<const float> weights, std::byte* out);

// The same as Q8_0 or Q4_0 with the scale and the values of formats/quantize.h, in 8 or 4 bits.
void encodeGroups(BlockType type, std::span<const float> weights, std::byte* out);

}  // namespace vitrine
