// Weight matrices in the layouts of launch.h, from rows and back; codes are made in codes.cu.
#include <algorithm>

#include "backends/cuda/code_tile.cuh"
#include "backends/cuda/queue.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kThreads = 256;

// A block of threads takes a row.
template <class From, class To>
__global__ void packKernel(const From* rows, To* packed, PackedLayout layout, std::int64_t first) {
  beginKernel();
  const std::int64_t row = blockIdx.x;
  for (std::int64_t i = threadIdx.x; i < layout.inputs; i += kThreads)
    packed[layout.at(first + row, i)] = fromFloat<To>(toFloat(rows[row * layout.inputs + i]));
}

template <class From, class To>
__global__ void unpackKernel(const From* packed, PackedLayout layout, const std::int32_t* ids, Rows<To> out) {
  beginKernel();
  const std::int64_t row = ids[blockIdx.x];
  for (std::int64_t i = threadIdx.x; i < layout.inputs; i += kThreads)
    out.at(blockIdx.x)[i] = fromFloat<To>(toFloat(packed[layout.at(row, i)]));
}

}  // namespace

std::int64_t PackedMatrix::bytes() const {
  const PackedLayout layout(*this);
  if (format == TileFormat::kNumbers) return layout.elements() * static_cast<std::int64_t>(dtypeBytes(type));
  std::int64_t tileBytes = 0;
  withCodeTile(format, [&](auto tile) { tileBytes = decltype(tile)::kBytes; });
  return layout.elements() / (kTileOutputs * kTileInputs) * tileBytes;
}

void packRows(const TensorView& rows, const PackedMatrix& matrix, std::int64_t first, const Queue& queue) {
  withElement(rows.type(), [&](auto from) {
    withElement(matrix.type, [&](auto to) {
      enqueue(queue, packKernel<decltype(from), decltype(to)>, static_cast<unsigned>(rows.extent(0)),
              kThreads, 0, static_cast<const decltype(from)*>(rows.data()),
              static_cast<decltype(to)*>(matrix.data), PackedLayout(matrix), first);
    });
  });
}

void unpackRows(const PackedMatrix& matrix, const std::int32_t* ids, const TensorView& out,
                const Queue& queue) {
  if (matrix.format != TileFormat::kNumbers) return unpackCodes(matrix, ids, out, queue);
  withElement(matrix.type, [&](auto from) {
    withElement(out.type(), [&](auto to) {
      enqueue(queue, unpackKernel<decltype(from), decltype(to)>, static_cast<unsigned>(out.extent(0)),
              kThreads, 0, static_cast<const decltype(from)*>(matrix.data), PackedLayout(matrix), ids,
              rowsOf<decltype(to)>(out));
    });
  });
}

}  // namespace vitrine::cuda
