// What the copy engine of compute capability 9.0 must know of a tensor of which it brings rectangles: CUDA's
// driver API, "tensor map object".
#pragma once

#include <cuda.h>

#include <cstdint>

namespace vitrine::cuda {

// Both throw EngineError, kUnavailable, where the driver refuses.
//
// Rows [rows, inputs] of two-byte elements, `stride` elements apart, of which 64 inputs of `together` rows,
// at most 256, are brought at a time: in the order of swizzledAt() (wgmma.cuh). Rows begin at multiples of 16
// bytes.
CUtensorMap rowsMap(const void* data, std::int64_t rows, std::int64_t inputs, std::int64_t stride,
                    int together);
// Packed tiles of weights (launch.h), [parts, tiles, bytes], of which 1,024 bytes of `together` tiles of each
// part are brought at a time: as [together, parts, 1024]. Places in a tile count kMapElement bytes.
CUtensorMap tilesMap(const void* data, std::int64_t bytes, std::int64_t parts, std::int64_t tiles,
                     int together);
inline constexpr int kMapElement = 8;

}  // namespace vitrine::cuda
