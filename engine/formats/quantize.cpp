#include "formats/quantize.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.h"
#include "formats/small_floats.h"

namespace vitrine {

std::uint16_t quantizeGroup(std::span<const float> group, int bits, std::int8_t* values) {
  VITRINE_CHECK(bits == 8 || bits == 4);
  // The order of magnitudes is that of their bits, with infinities and NaNs behind all numbers.
  std::int32_t most = 0;
  for (const float weight : group) most = std::max(most, std::bit_cast<std::int32_t>(weight) & 0x7FFFFFFF);
  const float magnitude = std::bit_cast<float>(most);
  if (!std::isfinite(magnitude)) {
    std::fill_n(values, group.size(), std::int8_t{1});
    return floatToBf16(std::numeric_limits<float>::quiet_NaN());
  }
  // int4 has -8 and no 8: the first of the largest weights becomes that. Of zeros it is 0, and never -0.
  const auto first = [&] {
    if (magnitude == 0) return 0.0f;
    return *std::ranges::find_if(group, [&](float weight) { return std::abs(weight) == magnitude; });
  };
  const std::uint16_t rounded = floatToBf16(bits == 8 ? magnitude / 127 : first() / -8);
  const float scale = bf16ToFloat(rounded);
  if (scale == 0) {
    std::fill_n(values, group.size(), std::int8_t{0});
    return rounded;
  }
  const float least = bits == 8 ? -127 : -8, greatest = bits == 8 ? 127 : 7;
  // The last bits of 1.5 * 2^23 hold the nearest whole number, the even one of two.
  constexpr float kShift = 0x1.8p23f;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const float whole = (group[i] / scale + kShift) - kShift;
    values[i] = static_cast<std::int8_t>(std::min(std::max(whole, least), greatest));
  }
  return rounded;
}

void quantizeInPlace(std::span<float> weights, int bits, std::int64_t groupOf) {
  const auto most = static_cast<std::size_t>(groupOf);
  std::vector<std::int8_t> values(most);
  for (std::size_t begin = 0; begin < weights.size(); begin += most) {
    const auto group = weights.subspan(begin, std::min(most, weights.size() - begin));
    const float scale = bf16ToFloat(quantizeGroup(group, bits, values.data()));
    for (std::size_t i = 0; i < group.size(); ++i) group[i] = scale * static_cast<float>(values[i]);
  }
}

}  // namespace vitrine
