// Which formats of tiles hold the blocks of a GGUF file, by their type. Without CUDA: the program asks where
// there is no module, too (vitrine/devices.h).
#pragma once

#include <optional>

#include "backends/cuda/tile_format.h"
#include "formats/block_types.h"

namespace vitrine::cuda {

constexpr bool holds(TileFormat format, BlockType type) {
  switch (type) {
    case BlockType::kQ80:
      return format == TileFormat::kScaled8;
    case BlockType::kQ40:
      return format == TileFormat::kScaled4 || format == TileFormat::kScaled8 ||
             format == TileFormat::kOffset6;
    case BlockType::kQ50:
      return format == TileFormat::kScaled8 || format == TileFormat::kOffset6;
    case BlockType::kQ41:
    case BlockType::kQ4K:
      return format == TileFormat::kOffset4 || format == TileFormat::kOffset6;
    case BlockType::kQ51:
    case BlockType::kQ2K:
    case BlockType::kQ3K:
    case BlockType::kQ5K:
    case BlockType::kQ6K:
      return format == TileFormat::kOffset6;
    default:
      return false;
  }
}

// The smallest format that holdsAll(format) is true of, if any.
template <class HoldsAll>
constexpr std::optional<TileFormat> smallestFormat(const HoldsAll& holdsAll) {
  for (const TileFormat format :
       {TileFormat::kScaled4, TileFormat::kOffset4, TileFormat::kOffset6, TileFormat::kScaled8})
    if (holdsAll(format)) return format;
  return {};
}

}  // namespace vitrine::cuda
