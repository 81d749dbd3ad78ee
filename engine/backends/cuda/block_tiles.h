// From the blocks of a GGUF file to tiles that the GPU multiplies by (tile_format.h): the same codes and
// scales in another order. On the host, while a model is loaded.
#pragma once

#include <optional>
#include <span>

#include "backends/cuda/tile_format.h"
#include "core/thread_pool.h"
#include "formats/block_types.h"

namespace vitrine::cuda {

// The smallest format that can say what all parts of a matrix do; none where a part is of floats, or of a
// type that no format, or no format of the others, fits.
std::optional<TileFormat> tileFormatOf(std::span<const WeightRows> parts);

// Fills tiles of the matrix whose outputs are those of the parts, one part behind another: `tiles` is whole
// rows of tiles, each of eight outputs and all inputs, from output 8 * first on; behind the last output are
// codes of any number. Throws what reading rows throws.
void fillBlockTiles(std::span<const WeightRows> parts, TileFormat format, std::int64_t first,
                    std::span<std::byte> tiles, ThreadPool& pool);

}  // namespace vitrine::cuda
