#include "formats/quantize.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "formats/small_floats.h"

namespace vitrine {

std::uint16_t quantizeGroup(std::span<const float> group, int bits, std::int8_t* values) {
  VITRINE_CHECK(bits == 8 || bits == 4);
  float largest = 0;
  bool finite = true;
  for (const float weight : group) {
    finite = finite && std::isfinite(weight);
    if (std::abs(weight) > std::abs(largest)) largest = weight;
  }
  if (!finite) {
    std::fill_n(values, group.size(), std::int8_t{1});
    return floatToBf16(std::numeric_limits<float>::quiet_NaN());
  }
  const std::uint16_t rounded = floatToBf16(bits == 8 ? std::abs(largest) / 127 : largest / -8);
  const float scale = bf16ToFloat(rounded);
  const float least = bits == 8 ? -127 : -8, most = bits == 8 ? 127 : 7;
  for (std::size_t i = 0; i < group.size(); ++i)
    values[i] =
        static_cast<std::int8_t>(scale == 0 ? 0 : std::clamp(std::nearbyint(group[i] / scale), least, most));
  return rounded;
}

void quantizeInPlace(std::span<float> weights, int bits) {
  std::int8_t values[kQuantGroup];
  for (std::size_t begin = 0; begin < weights.size(); begin += kQuantGroup) {
    const auto group = weights.subspan(begin, std::min<std::size_t>(kQuantGroup, weights.size() - begin));
    const float scale = bf16ToFloat(quantizeGroup(group, bits, values));
    for (std::size_t i = 0; i < group.size(); ++i) group[i] = scale * static_cast<float>(values[i]);
  }
}

}  // namespace vitrine
