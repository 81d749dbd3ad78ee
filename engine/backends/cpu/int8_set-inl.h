// The table of an instruction set whose struct is `Simd`; a set may read int8's bytes in a way of its own.
// Read next: int8_vnni.cpp.
#pragma once

#include "backends/cpu/int8-inl.h"
#include "backends/cpu/int8_blocks-inl.h"
#include "backends/cpu/int8_sets.h"

namespace vitrine::cpu {
namespace {

template <class Simd, class SimdOfBytes = Simd, class Bytes = Int8Quads>
constexpr Int8Kernels int8KernelsOf(const char* name) {
  return {name,
          kLinearRows,
          quantizeRow<Simd>,
          multiplyPanels<Int8Tile<SimdOfBytes, Bytes>>,
          multiplyPanels<Int8Tile<Simd, Int4Quads>>,
          Int8Peak<Simd>::kMultiplyAdds,
          Int8Peak<Simd>::run,
          partRow<Simd>,
          multiplyBlocks<Simd>};
}

}  // namespace
}  // namespace vitrine::cpu
