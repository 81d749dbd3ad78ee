// Rows of a table, and numbers from one type into another.
#include "backends/cuda/elements.cuh"
#include "backends/cuda/queue.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kThreads = 256;

// A block of threads takes a row of a head. rows: which of x; null: its own.
template <class From, class To>
__global__ void rowsKernel(Rows<const From> x, const std::int32_t* rows, Rows<To> out, std::int64_t width) {
  beginKernel();
  const From* from = x.at(rows != nullptr ? rows[blockIdx.x] : blockIdx.x, blockIdx.y);
  To* to = out.at(blockIdx.x, blockIdx.y);
  for (std::int64_t i = threadIdx.x; i < width; i += kThreads) to[i] = fromFloat<To>(toFloat(from[i]));
}

}  // namespace

void gatherRows(const TensorView& x, const std::int32_t* rows, const TensorView& out, const Queue& queue) {
  const dim3 grid(static_cast<unsigned>(out.extent(0)),
                  out.rank() == 3 ? static_cast<unsigned>(out.extent(1)) : 1);
  withElement(x.type(), [&](auto from) {
    withElement(out.type(), [&](auto to) {
      enqueue(queue, rowsKernel<decltype(from), decltype(to)>, grid, kThreads, 0,
              rowsOf<const decltype(from)>(x), rows, rowsOf<decltype(to)>(out), out.extent(out.rank() - 1));
    });
  });
}

void convert(const TensorView& x, const TensorView& out, const Queue& queue) {
  gatherRows(x, nullptr, out, queue);
}

}  // namespace vitrine::cuda
