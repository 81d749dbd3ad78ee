// What follows from an inspected model: memory at a context, the speed that a machine's bandwidth allows, the
// types of its weights, the layers of its tensors. The command line and the window show the same figures.
//
// Pure functions. Thread: any. Read next: inspect.h, machine_roof.h.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vitrine/inspect.h"
#include "vitrine/machine_roof.h"

namespace vitrine {

// Of one sequence with `context` tokens in float32; bytes.
inline std::int64_t kvBytesAt(const InspectedModel& model, std::int64_t context) {
  return context * model.kvBytesPerToken;
}

// For one more token of that sequence: each weight that takes part, and each key and value, once.
inline std::int64_t bytesReadAt(const InspectedModel& model, std::int64_t context) {
  return model.bytesReadPerToken + kvBytesAt(model, context);
}

// Tokens a second of one sequence, were reading all there is to do: no machine of this bandwidth is faster.
inline double tokensPerSecondAtMost(const InspectedModel& model, std::int64_t context,
                                    const MachineRoof& roof) {
  const std::int64_t bytes = std::max<std::int64_t>(bytesReadAt(model, context), 1);
  return roof.gbpsOf(bytes) * 1e9 / static_cast<double>(bytes);
}

struct TypeShare {
  std::string type;        // "Q4_K"
  int tensors = 0;         // of that type
  std::int64_t bytes = 0;  // of all of them
  double share = 0;        // of the model's bytes, 0..1
};
// The type with the most bytes first.
inline std::vector<TypeShare> typeShares(const InspectedModel& model) {
  std::vector<TypeShare> shares;
  for (const InspectedTensor& tensor : model.tensors) {
    auto found = std::ranges::find(shares, tensor.type, &TypeShare::type);
    if (found == shares.end()) found = shares.insert(found, TypeShare{tensor.type, 0, 0, 0});
    ++found->tensors;
    found->bytes += tensor.bytes;
  }
  for (TypeShare& one : shares)
    one.share = static_cast<double>(one.bytes) / static_cast<double>(std::max<std::int64_t>(model.bytes, 1));
  std::ranges::stable_sort(shares, std::greater(), &TypeShare::bytes);
  return shares;
}

// The layer that a tensor belongs to, from 0, by its name in a GGUF file or a folder; -1: none.
inline int layerOf(std::string_view tensor) {
  for (const std::string_view begin : {std::string_view("blk."), std::string_view("model.layers.")}) {
    if (!tensor.starts_with(begin)) continue;
    int layer = -1;
    const char* const end = tensor.data() + tensor.size();
    const auto [rest, error] = std::from_chars(tensor.data() + begin.size(), end, layer);
    if (error == std::errc() && rest != end && *rest == '.') return layer;
  }
  return -1;
}

}  // namespace vitrine
