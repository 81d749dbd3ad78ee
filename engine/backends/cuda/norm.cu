// RMSNorm (arXiv 1910.07467), alone and behind the addition to the residual stream.
//
// A row's sum of squares is spread over the threads, element i to thread i mod their number, each ascending,
// and then over the tree of reduce.cuh. The number of threads depends on the width alone: a warp for a head,
// eight warps for a hidden state.
#include "backends/cuda/elements.cuh"
#include "backends/cuda/formulas.cuh"
#include "backends/cuda/queue.cuh"
#include "backends/cuda/reduce.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kWarps = 8;

template <class X, class Out, int threads>
__global__ void rmsNormKernel(Rows<const X> x, const float* weight, float eps, Rows<Out> out,
                              std::int64_t width) {
  beginKernel();
  const X* from = x.at(blockIdx.x, blockIdx.y);
  Out* to = out.at(blockIdx.x, blockIdx.y);
  float squares = 0;
  for (std::int64_t i = threadIdx.x; i < width; i += threads) {
    const float value = toFloat(from[i]);
    squares = fmaf(value, value, squares);
  }
  const float sum = blockSum<threads / kWarp>(squares);
  const float scale = normScale(sum, width, eps);
  for (std::int64_t i = threadIdx.x; i < width; i += threads)
    to[i] = fromFloat<Out>(toFloat(from[i]) * scale * weight[i]);
}

// Each thread reads back the elements that it has written itself.
template <class Delta, class Out, int threads>
__global__ void addRmsNormKernel(Rows<float> residual, Rows<const Delta> delta, const float* weight,
                                 float eps, Rows<Out> out, std::int64_t width) {
  beginKernel();
  float* sums = residual.at(blockIdx.x);
  const Delta* added = delta.at(blockIdx.x);
  Out* to = out.at(blockIdx.x);
  float squares = 0;
  for (std::int64_t i = threadIdx.x; i < width; i += threads) {
    const float value = sums[i] + toFloat(added[i]);
    sums[i] = value;
    squares = fmaf(value, value, squares);
  }
  const float sum = blockSum<threads / kWarp>(squares);
  const float scale = normScale(sum, width, eps);
  for (std::int64_t i = threadIdx.x; i < width; i += threads)
    to[i] = fromFloat<Out>(sums[i] * scale * weight[i]);
}

// Calls `work` with the number of threads for a row, as a constant.
template <class Work>
void withThreads(std::int64_t width, const Work& work) {
  if (width <= kNarrowNorm)
    work(std::integral_constant<int, kWarp>());
  else
    work(std::integral_constant<int, kWarps * kWarp>());
}

}  // namespace

void rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out,
             const Queue& queue) {
  const std::int64_t width = x.extent(x.rank() - 1);
  const dim3 grid(static_cast<unsigned>(x.extent(0)), x.rank() == 3 ? static_cast<unsigned>(x.extent(1)) : 1);
  withElement(x.type(), [&](auto from) {
    withElement(out.type(), [&](auto to) {
      withThreads(width, [&](auto threads) {
        enqueue(queue, rmsNormKernel<decltype(from), decltype(to), threads()>, grid, threads(), 0,
                rowsOf<const decltype(from)>(x), weight.f32(), eps, rowsOf<decltype(to)>(out), width);
      });
    });
  });
}

void addRmsNorm(const TensorView& residual, const TensorView& delta, const TensorView& weight, float eps,
                const TensorView& out, const Queue& queue) {
  const std::int64_t width = residual.extent(1);
  withElement(delta.type(), [&](auto added) {
    withElement(out.type(), [&](auto to) {
      withThreads(width, [&](auto threads) {
        enqueue(queue, addRmsNormKernel<decltype(added), decltype(to), threads()>,
                static_cast<unsigned>(residual.extent(0)), threads(), 0, rowsOf<float>(residual),
                rowsOf<const decltype(added)>(delta), weight.f32(), eps, rowsOf<decltype(to)>(out), width);
      });
    });
  });
}

}  // namespace vitrine::cuda
