// The float32 product: one fused multiply-add after another over the inputs, ascending, from zero; then the
// bias.
//
// That is the CPU's order (cpu/README.md), so both give the same bits. A warp takes a panel of 32 outputs,
// one a lane, and up to eight rows of x: a weight is read once for the eight.
#include "backends/cuda/elements.cuh"
#include "backends/cuda/packed_layout.h"
#include "backends/cuda/queue.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kWarps = 4;
constexpr int kRows = 8;

__global__ void fmaKernel(Rows<const float> x, std::int64_t rows, const float* panels, std::int64_t inputs,
                          std::int64_t outputs, const float* bias, Rows<float> out) {
  beginKernel();
  const int lane = static_cast<int>(threadIdx.x) % kPanelOutputs;
  const std::int64_t panel = std::int64_t{blockIdx.x} * kWarps + threadIdx.x / kPanelOutputs;
  const std::int64_t output = panel * kPanelOutputs + lane;
  if (panel * kPanelOutputs >= outputs) return;
  const std::int64_t first = std::int64_t{blockIdx.y} * kRows;
  const float* weights = panels + panel * kPanelOutputs * inputs + lane;
  const float* from[kRows];
  for (int row = 0; row < kRows; ++row) from[row] = x.at(min(first + row, rows - 1));
  float sums[kRows] = {};
  for (std::int64_t i = 0; i < inputs; ++i) {
    const float weight = weights[i * kPanelOutputs];
    for (int row = 0; row < kRows; ++row) sums[row] = fmaf(from[row][i], weight, sums[row]);
  }
  if (output >= outputs) return;
  for (int row = 0; row < kRows && first + row < rows; ++row)
    out.at(first + row)[output] = bias != nullptr ? sums[row] + bias[output] : sums[row];
}

}  // namespace

void fmaProduct(const TensorView& x, const PackedMatrix& matrix, const TensorView& bias,
                const TensorView& out, const Queue& queue) {
  const std::int64_t panels = (matrix.outputs + kPanelOutputs - 1) / kPanelOutputs;
  const dim3 grid(static_cast<unsigned>((panels + kWarps - 1) / kWarps),
                  static_cast<unsigned>((x.extent(0) + kRows - 1) / kRows));
  enqueue(queue, fmaKernel, grid, kWarps * kPanelOutputs, 0, rowsOf<const float>(x), x.extent(0),
          static_cast<const float*>(matrix.data), matrix.inputs, matrix.outputs,
          bias.empty() ? nullptr : bias.f32(), rowsOf<float>(out));
}

}  // namespace vitrine::cuda
