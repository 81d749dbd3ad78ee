#include "backends/cuda/tensor_map.h"

#include <cudaTypedefs.h>

#include <algorithm>

#include "backends/cuda/cuda_errors.h"

namespace vitrine::cuda {
namespace {

// The driver's function: it is asked for here, so that the module needs no driver to be loaded.
PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  static const auto encoder = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = {};
    constexpr const char* kName = "cuTensorMapEncodeTiled";
#if CUDART_VERSION >= 12050
    check(cudaGetDriverEntryPointByVersion(kName, &function, 12000, cudaEnableDefault, &found),
          "looking for its driver's tensor maps");
#else
    check(cudaGetDriverEntryPoint(kName, &function, cudaEnableDefault, &found),
          "looking for its driver's tensor maps");
#endif
    if (found != cudaDriverEntryPointSuccess) check(cudaErrorInsufficientDriver, kName);
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
  }();
  return encoder;
}

// dimensions: the innermost first, of which all but the first have strides.
template <int dimensions>
CUtensorMap encode(CUtensorMapDataType type, const void* data, const cuuint64_t (&sizes)[dimensions],
                   const cuuint64_t (&strides)[dimensions - 1], const cuuint32_t (&box)[dimensions],
                   CUtensorMapSwizzle swizzle) {
  cuuint32_t steps[dimensions];
  std::ranges::fill(steps, 1);
  CUtensorMap map;
  const CUresult result = encoder()(&map, type, dimensions, const_cast<void*>(data), sizes, strides, box,
                                    steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                    CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) check(cudaErrorInvalidValue, "describing a tensor");
  return map;
}

cuuint64_t size(std::int64_t number) { return static_cast<cuuint64_t>(number); }

}  // namespace

CUtensorMap rowsMap(const void* data, std::int64_t rows, std::int64_t inputs, std::int64_t stride,
                    int together) {
  constexpr cuuint32_t kInputs = 64;
  return encode<2>(CU_TENSOR_MAP_DATA_TYPE_UINT16, data, {size(inputs), size(rows)},
                   {size(stride) * sizeof(std::uint16_t)}, {kInputs, static_cast<cuuint32_t>(together)},
                   CU_TENSOR_MAP_SWIZZLE_128B);
}

CUtensorMap tilesMap(const void* data, std::int64_t bytes, std::int64_t parts, std::int64_t tiles,
                     int together) {
  constexpr cuuint32_t kBytes = 1024;
  return encode<3>(CU_TENSOR_MAP_DATA_TYPE_FLOAT64, data,
                   {size(bytes) / kMapElement, size(parts), size(tiles)}, {size(tiles * bytes), size(bytes)},
                   {kBytes / kMapElement, static_cast<cuuint32_t>(parts), static_cast<cuuint32_t>(together)},
                   CU_TENSOR_MAP_SWIZZLE_NONE);
}

}  // namespace vitrine::cuda
