// GgufName: what the name of a GGUF file says: quantization, part of a split model, a part for pictures.
// Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace vitrine {

struct GgufName {
  std::string base;          // without folders, part and ending: "Qwen3-8B-Q4_K_M"
  std::string quantization;  // at the end of the base, upper case: "Q4_K_M"; empty: none is named
  int part = 1, parts = 1;
  bool isVision = false;  // turns pictures into embeddings for a language model; named "mmproj"
};

// Whether the name ends in ".gguf", in either case.
bool isGgufName(std::string_view path);

// Requires isGgufName(). A path may stand before the name.
GgufName readGgufName(std::string_view path);

}  // namespace vitrine
