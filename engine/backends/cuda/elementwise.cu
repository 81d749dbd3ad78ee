// What every element has to itself: SwiGLU's gate (arXiv 2002.05202), biases, rotary positions (arXiv
// 2104.09864), and keys and values on their way into the paged cache.
#include "backends/cuda/formulas.cuh"
#include "backends/cuda/kv_codes.cuh"
#include "backends/cuda/queue.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kThreads = 256;

dim3 gridOver(const TensorView& matrix) {
  return {static_cast<unsigned>(matrix.extent(0)),
          static_cast<unsigned>((matrix.extent(1) + kThreads - 1) / kThreads)};
}

template <class T>
__global__ void gateKernel(Rows<const T> gateUp, Rows<T> out, std::int64_t width) {
  beginKernel();
  const std::int64_t i = std::int64_t{blockIdx.y} * kThreads + threadIdx.x;
  if (i >= width) return;
  out.at(blockIdx.x)[i] = gated(gateUp.at(blockIdx.x)[i], gateUp.at(blockIdx.x)[width + i]);
}

template <class T>
__global__ void biasKernel(const float* bias, Rows<T> out, std::int64_t width) {
  beginKernel();
  const std::int64_t i = std::int64_t{blockIdx.y} * kThreads + threadIdx.x;
  if (i >= width) return;
  T* const to = out.at(blockIdx.x) + i;
  *to = fromFloat<T>(toFloat(*to) + bias[i]);
}

// A block of threads takes a token; a thread a pair of elements of a head, one of each half.
template <class T>
__global__ void rotaryKernel(Rows<T> x, Rows<const float> cos, Rows<const float> sin, int heads, int half) {
  beginKernel();
  for (int i = static_cast<int>(threadIdx.x); i < heads * half; i += kThreads) {
    const int pair = i % half;
    T* first = x.at(blockIdx.x, i / half) + pair;
    rotatePair(first[0], first[half], cos.at(blockIdx.x)[pair], sin.at(blockIdx.x)[pair]);
  }
}

// blockIdx: token; keys, then values.
template <class T>
__global__ void storeKernel(Rows<const T> k, Rows<const T> v, PagedKv cache, int layer,
                            const std::int32_t* slots) {
  beginKernel();
  const int which = static_cast<int>(blockIdx.y), slot = slots[blockIdx.x];
  if (slot < 0) return;  // padding
  const Rows<const T> from = which == 0 ? k : v;
  for (int i = static_cast<int>(threadIdx.x); i < cache.kvHeads * cache.headDim; i += kThreads) {
    const int head = i / cache.headDim, element = i % cache.headDim;
    slotOf<T>(cache, slot, layer, which, head)[element] = from.at(blockIdx.x, head)[element];
  }
}

// The same as codes; a warp takes a head at a time.
template <class T>
__global__ void storeCodesKernel(Rows<const T> k, Rows<const T> v, PagedKv cache, int layer,
                                 const std::int32_t* slots) {
  beginKernel();
  const int which = static_cast<int>(blockIdx.y), slot = slots[blockIdx.x];
  if (slot < 0) return;  // padding
  const Rows<const T> from = which == 0 ? k : v;
  for (int head = static_cast<int>(threadIdx.x) / kWarp; head < cache.kvHeads; head += kThreads / kWarp) {
    const T* const numbers = from.at(blockIdx.x, head);
    storeCodes<kMostHeadDim>(cache, slot, layer, which, head,
                             [&](int i, int) { return toFloat(numbers[i]); });
  }
}

}  // namespace

void gate(const TensorView& gateUp, const TensorView& out, const Queue& queue) {
  withElement(out.type(), [&](auto element) {
    using T = decltype(element);
    enqueue(queue, gateKernel<T>, gridOver(out), kThreads, 0, rowsOf<const T>(gateUp), rowsOf<T>(out),
            out.extent(1));
  });
}

void addBias(const TensorView& bias, const TensorView& out, const Queue& queue) {
  withElement(out.type(), [&](auto element) {
    using T = decltype(element);
    enqueue(queue, biasKernel<T>, gridOver(out), kThreads, 0, bias.f32(), rowsOf<T>(out), out.extent(1));
  });
}

void rotary(const TensorView& x, const TensorView& cos, const TensorView& sin, const Queue& queue) {
  withElement(x.type(), [&](auto element) {
    using T = decltype(element);
    enqueue(queue, rotaryKernel<T>, static_cast<unsigned>(x.extent(0)), kThreads, 0, rowsOf<T>(x),
            rowsOf<const float>(cos), rowsOf<const float>(sin), static_cast<int>(x.extent(1)),
            static_cast<int>(x.extent(2) / 2));
  });
}

void storeKv(const TensorView& k, const TensorView& v, const PagedKv& cache, int layer,
             const std::int32_t* slots, const Queue& queue) {
  withElement(k.type(), [&](auto element) {
    using T = decltype(element);
    const auto kernel = cache.hasCodes ? storeCodesKernel<T> : storeKernel<T>;
    enqueue(queue, kernel, dim3(static_cast<unsigned>(k.extent(0)), 2), kThreads, 0, rowsOf<const T>(k),
            rowsOf<const T>(v), cache, layer, slots);
  });
}

}  // namespace vitrine::cuda
