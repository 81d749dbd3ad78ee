// What every element has to itself: SwiGLU's gate (arXiv 2002.05202), rotary positions (arXiv 2104.09864),
// and keys and values on their way into the paged cache.
#include "backends/cuda/elements.cuh"
#include "backends/cuda/launch.h"

namespace vitrine::cuda {
namespace {

constexpr int kThreads = 256;

template <class T>
__global__ void gateKernel(Rows<const T> gateUp, Rows<T> out, std::int64_t width) {
  const std::int64_t i = std::int64_t{blockIdx.y} * kThreads + threadIdx.x;
  if (i >= width) return;
  const float gate = toFloat(gateUp.at(blockIdx.x)[i]), up = toFloat(gateUp.at(blockIdx.x)[width + i]);
  out.at(blockIdx.x)[i] = fromFloat<T>(gate / (1.0f + expf(-gate)) * up);
}

// A block of threads takes a token; a thread a pair of elements of a head, one of each half.
template <class T>
__global__ void rotaryKernel(Rows<T> x, Rows<const float> cos, Rows<const float> sin, int heads, int half) {
  for (int i = static_cast<int>(threadIdx.x); i < heads * half; i += kThreads) {
    const int head = i / half, pair = i % half;
    T* first = x.at(blockIdx.x, head) + pair;
    const float c = cos.at(blockIdx.x)[pair], s = sin.at(blockIdx.x)[pair];
    const float a = toFloat(first[0]), b = toFloat(first[half]);
    first[0] = fromFloat<T>(a * c - b * s);
    first[half] = fromFloat<T>(b * c + a * s);
  }
}

// blockIdx: token; keys, then values.
template <class T>
__global__ void storeKernel(Rows<const T> k, Rows<const T> v, PagedKv cache, int layer,
                            const std::int32_t* slots) {
  const int slot = slots[blockIdx.x], which = static_cast<int>(blockIdx.y);
  const int block = slot / cache.blockSize, place = slot % cache.blockSize;
  const Rows<const T> from = which == 0 ? k : v;
  for (int i = static_cast<int>(threadIdx.x); i < cache.kvHeads * cache.headDim; i += kThreads) {
    const int head = i / cache.headDim, element = i % cache.headDim;
    static_cast<T*>(cache.data)[cache.offset(block, layer, which, head) + place * cache.headDim + element] =
        from.at(blockIdx.x, head)[element];
  }
}

}  // namespace

void gate(const TensorView& gateUp, const TensorView& out, cudaStream_t stream) {
  const std::int64_t width = out.extent(1);
  const dim3 grid(static_cast<unsigned>(out.extent(0)),
                  static_cast<unsigned>((width + kThreads - 1) / kThreads));
  withElement(out.type(), [&](auto element) {
    using T = decltype(element);
    gateKernel<T><<<grid, kThreads, 0, stream>>>(rowsOf<const T>(gateUp), rowsOf<T>(out), width);
  });
}

void rotary(const TensorView& x, const TensorView& cos, const TensorView& sin, cudaStream_t stream) {
  withElement(x.type(), [&](auto element) {
    using T = decltype(element);
    rotaryKernel<T><<<static_cast<unsigned>(x.extent(0)), kThreads, 0, stream>>>(
        rowsOf<T>(x), rowsOf<const float>(cos), rowsOf<const float>(sin), static_cast<int>(x.extent(1)),
        static_cast<int>(x.extent(2) / 2));
  });
}

void storeKv(const TensorView& k, const TensorView& v, const PagedKv& cache, int layer,
             const std::int32_t* slots, cudaStream_t stream) {
  withElement(k.type(), [&](auto element) {
    using T = decltype(element);
    storeKernel<T><<<dim3(static_cast<unsigned>(k.extent(0)), 2), kThreads, 0, stream>>>(
        rowsOf<const T>(k), rowsOf<const T>(v), cache, layer, slots);
  });
}

}  // namespace vitrine::cuda
