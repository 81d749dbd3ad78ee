// The product on tensor cores, bfloat16 or float16 with float32 sums, and its kernel for few rows. The order
// of a sum, and where weights lie: product.cuh.
//
// mma m16n8k16: sixteen rows of x, eight outputs, sixteen inputs. A decoded token is one row of the sixteen,
// the other fifteen are wasted, and it does not matter: the weights are read at the memory's speed either
// way. In return a row has the same bits alone and among five hundred. Each of a block's eight warps takes a
// segment of the inputs, and no weight passes through shared memory.
#include "backends/cuda/product.cuh"
#include "backends/cuda/shared_memory.cuh"

namespace vitrine::cuda {
namespace {

// Eight inputs of a row from `input` on, zeros behind the last one. `isAligned`: the row may be read 16 bytes
// at a time, and ends with a whole tile.
template <bool isAligned, class T>
__device__ uint4 readInputs(const T* row, std::int64_t input, std::int64_t inputs) {
  if constexpr (isAligned) return *reinterpret_cast<const uint4*>(row + input);
  union {
    T values[8];
    uint4 bits;
  } read;
  read.bits = {};
  for (int i = 0; i < 8; ++i)
    if (input + i < inputs) read.values[i] = row[input + i];
  return read.bits;
}

// A block of threads: kSegments warps, `rowTiles` x 16 rows, `outputTiles` x 8 outputs.
template <class T, class Out, int rowTiles, int outputTiles, bool isAligned>
__global__ void __launch_bounds__(kSegments* kWarp)
    tensorCoreKernel(const __grid_constant__ Product<T> product, const __grid_constant__ Rows<Out> out) {
  constexpr int kRows = rowTiles * kMmaRows, kOutputs = outputTiles * kTileOutputs;
  extern __shared__ float partial[];  // [kSegments, kRows, kOutputs]
  const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
  const int group = lane / 4, part = lane % 4;
  const std::int64_t firstRow = std::int64_t{blockIdx.y} * kRows;
  const std::int64_t firstTile = std::int64_t{blockIdx.x} * outputTiles;
  const int depth = product.depth(), segment = product.segmentDepth();
  const int first = warp * segment, end = min(first + segment, depth);

  // Rows and tiles past the end are read as the last one, and not stored.
  const T* rows[rowTiles][2];
  for (int tile = 0; tile < rowTiles; ++tile)
    for (int half = 0; half < 2; ++half)
      rows[tile][half] =
          product.x.at(min(firstRow + tile * kMmaRows + half * kMmaRows / 2 + group, product.rows - 1));
  const std::int64_t lastTile = (product.outputs - 1) / kTileOutputs;
  const uint4* tiles[outputTiles];
  for (int tile = 0; tile < outputTiles; ++tile)
    tiles[tile] = reinterpret_cast<const uint4*>(product.tiles) +
                  min(firstTile + tile, lastTile) * depth * kWarp + lane;

  float sums[rowTiles][outputTiles][4] = {};
#pragma unroll 4
  for (int block = first; block < end; ++block) {
    uint4 weights[outputTiles];
    for (int tile = 0; tile < outputTiles; ++tile) weights[tile] = __ldg(tiles[tile] + block * kWarp);
    for (int row = 0; row < rowTiles; ++row) {
      const std::int64_t input = std::int64_t{block} * kTileInputs + part * 8;
      const uint4 upper = readInputs<isAligned>(rows[row][0], input, product.inputs),
                  lower = readInputs<isAligned>(rows[row][1], input, product.inputs);
      for (int tile = 0; tile < outputTiles; ++tile) addTile<T>(sums[row][tile], upper, lower, weights[tile]);
    }
  }

  float* mine = partial + warp * kRows * kOutputs;
  for (int row = 0; row < rowTiles; ++row)
    for (int tile = 0; tile < outputTiles; ++tile)
      for (int i = 0; i < 4; ++i)
        mine[(row * kMmaRows + i / 2 * kMmaRows / 2 + group) * kOutputs + tile * kTileOutputs + part * 2 +
             i % 2] = sums[row][tile][i];
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kRows * kOutputs; i += kSegments * kWarp) {
    const std::int64_t row = firstRow + i / kOutputs, output = firstTile * kTileOutputs + i % kOutputs;
    if (row >= product.rows || output >= product.outputs) continue;
    float sum = 0;
    for (int other = 0; other < kSegments; ++other) sum += partial[other * kRows * kOutputs + i];
    if (product.bias != nullptr) sum += product.bias[output];
    out.at(row)[output] = fromFloat<Out>(sum);
  }
}

template <int rowTiles, int outputTiles, bool isAligned, class T, class Out>
void launch(const Product<T>& product, const Rows<Out>& out, cudaStream_t stream) {
  constexpr int kRows = rowTiles * kMmaRows, kOutputs = outputTiles * kTileOutputs;
  constexpr int kShared = kSegments * kRows * kOutputs * static_cast<int>(sizeof(float));
  const dim3 grid(static_cast<unsigned>((product.outputs + kOutputs - 1) / kOutputs),
                  static_cast<unsigned>((product.rows + kRows - 1) / kRows));
  const auto kernel = tensorCoreKernel<T, Out, rowTiles, outputTiles, isAligned>;
  [[maybe_unused]] static const bool isAllowed = allowShared(kernel, kShared);
  kernel<<<grid, kSegments * kWarp, kShared, stream>>>(product, out);
}

// Few rows: as many blocks as fill the GPU. More: as much work for a weight that is read as registers allow.
// Many: the kernel of tiled_product.cu, where its squares are enough for the GPU.
template <class T, class Out>
void chooseKernel(const Product<T>& product, const Rows<Out>& out, bool isAligned, const Gpu& gpu,
                  cudaStream_t stream) {
  constexpr std::int64_t kSquare = 64;
  const std::int64_t squares =
      (product.rows + kSquare - 1) / kSquare * ((product.outputs + kSquare - 1) / kSquare);
  if (!isAligned) return launch<1, 1, false>(product, out, stream);
  if (product.rows > kSquare && gpu.hasMma16 && squares >= gpu.multiprocessors)
    return tiledProduct(product, out, gpu.multiprocessors, stream);
  if (product.rows > 2 * kMmaRows) return launch<4, 4, true>(product, out, stream);
  if (product.rows > kMmaRows) return launch<2, 2, true>(product, out, stream);
  if (product.outputs >= kSquare * kTileOutputs * gpu.multiprocessors)
    return launch<1, 4, true>(product, out, stream);
  launch<1, 1, true>(product, out, stream);
}

}  // namespace

void tensorCoreProduct(const TensorView& x, const PackedMatrix& matrix, const TensorView& bias,
                       const TensorView& out, const Gpu& gpu, cudaStream_t stream) {
  const bool isAligned = matrix.inputs % kTileInputs == 0 && x.stride(0) % 8 == 0 &&
                         reinterpret_cast<std::uintptr_t>(x.data()) % 16 == 0;
  const auto run = [&](auto element, auto result) {
    using T = decltype(element);
    const Product<T> product{rowsOf<const T>(x), static_cast<const T*>(matrix.data),
                             x.extent(0),        matrix.inputs,
                             matrix.outputs,     bias.empty() ? nullptr : bias.f32()};
    chooseKernel(product, rowsOf<decltype(result)>(out), isAligned, gpu, stream);
  };
  VITRINE_CHECK(x.type() == matrix.type && (out.type() == matrix.type || out.type() == DType::kF32));
  const bool isFloat = out.type() == DType::kF32;
  if (matrix.type == DType::kBf16)
    isFloat ? run(Bf16{}, float{}) : run(Bf16{}, Bf16{});
  else
    isFloat ? run(F16{}, float{}) : run(F16{}, F16{});
}

}  // namespace vitrine::cuda
