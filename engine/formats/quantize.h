// Weights as small whole numbers: groups of 32 neighbouring inputs of one output share a scale (of 128 for
// the CPU's products in int8, backends/cpu/int8_products.h).
//
// w ≈ scale * value, round to nearest, after training and without data. int8: scale = max |w| / 127, values
// -127..127 (LLM.int8(), arXiv 2208.07339, in groups). int4: the weight of the largest magnitude becomes -8,
// whatever its sign, so that all of -8..7 is of use. The scale is a bfloat16: 8.5 and 4.5 bits a weight
// in all. Activations stay float32. Thread: any. Read next: backends/backend.h (WeightFormat).
#pragma once

#include <cstdint>
#include <span>

namespace vitrine {

inline constexpr std::int64_t kQuantGroup = 32;
constexpr std::int64_t quantGroups(std::int64_t weights) { return (weights + kQuantGroup - 1) / kQuantGroup; }

// Fills values[group.size()] and returns the scale's bits, bits 8 or 4. A group with a NaN or an infinity
// becomes NaN throughout.
std::uint16_t quantizeGroup(std::span<const float> group, int bits, std::int8_t* values);

// What is left of the weights of one output [in]: each replaced by scale * value, which float32 holds
// exactly.
void quantizeInPlace(std::span<float> weights, int bits, std::int64_t groupOf = kQuantGroup);

}  // namespace vitrine
