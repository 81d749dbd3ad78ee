// Between the product for queries, keys and values and attention: norm (Qwen3's), rotation, the way into the
// cache, in one kernel. Each alone takes longer to begin than to compute.
#include "backends/cuda/heads.cuh"
#include "backends/cuda/kv_codes.cuh"
#include "backends/cuda/queue.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kWarps = 4;
constexpr int kVector = 4;  // elements that a lane moves together

template <class T>
struct Heads {
  Rows<T> q, k;
  Rows<const T> v;
  int queryHeads, tokens;
  const float *queryNorm, *keyNorm;  // null: none
  float eps;
  Rows<const float> cos, sin;
  PagedKv cache;
  int layer;
  const std::int32_t* slots;
  bool hasVectors;  // heads may be moved four elements at a time
};

template <class T>
struct alignas(kVector * sizeof(T)) Vector {
  T elements[kVector];
};

// A head's elements from one place to another, by a warp.
template <class T>
__device__ void moveHead(const Heads<T>& a, const T* from, T* to) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp, headDim = a.cache.headDim;
  if (a.hasVectors) {
    for (int i = lane * kVector; i < headDim; i += kWarp * kVector)
      *reinterpret_cast<Vector<T>*>(to + i) = *reinterpret_cast<const Vector<T>*>(from + i);
  } else {
    for (int i = lane; i < headDim; i += kWarp) to[i] = from[i];
  }
}

// A warp takes a head of a token: of the queries, then of the keys, then of the values. each: elements that a
// lane has in its registers; 0: heads that are not so even lie in shared memory meanwhile. Stored: T, or
// codes.
template <class T, class Stored, int each>
__global__ void __launch_bounds__(kWarps* kWarp) headsKernel(const __grid_constant__ Heads<T> a) {
  beginKernel();
  const int warp = static_cast<int>(threadIdx.x) / kWarp, lane = static_cast<int>(threadIdx.x) % kWarp;
  const int heads = a.queryHeads + 2 * a.cache.kvHeads;
  const int number = static_cast<int>(blockIdx.x) * kWarps + warp, token = number / heads;
  if (token >= a.tokens) return;
  const int slot = a.slots[token];
  if (slot < 0) return;  // padding
  const int keyHead = number % heads - a.queryHeads, valueHead = keyHead - a.cache.kvHeads;
  constexpr bool kHasCodes = !std::is_same_v<T, Stored>;
  if (valueHead >= 0) {
    const T* const value = a.v.at(token, valueHead);
    if constexpr (kHasCodes)
      storeCodes<kMostHeadDim>(a.cache, slot, a.layer, 1, valueHead,
                               [&](int i, int) { return toFloat(value[i]); });
    else
      moveHead(a, value, slotOf<T>(a.cache, slot, a.layer, 1, valueHead));
    return;
  }
  const bool isKey = keyHead >= 0;
  T* const place = isKey ? a.k.at(token, keyHead) : a.q.at(token, number % heads);
  T* const cached = isKey && !kHasCodes ? slotOf<T>(a.cache, slot, a.layer, 0, keyHead) : nullptr;
  const float* const weight = isKey ? a.keyNorm : a.queryNorm;
  if constexpr (each > 0) {
    T elements[each];
#pragma unroll
    for (int j = 0; j < each; ++j) elements[j] = place[lane + j * kWarp];
    turnElements(elements, weight, a.eps, a.cos.at(token), a.sin.at(token));
#pragma unroll
    for (int j = 0; j < each; ++j) place[lane + j * kWarp] = elements[j];
    if (!isKey) return;
    if constexpr (kHasCodes) {
      storeCodes<each * kWarp>(a.cache, slot, a.layer, 0, keyHead,
                               [&](int, int j) { return toFloat(elements[j]); });
    } else {
#pragma unroll
      for (int j = 0; j < each; ++j) cached[lane + j * kWarp] = elements[j];
    }
  } else {
    __shared__ alignas(16) T rows[kWarps][kMostHeadDim];
    T* const row = rows[warp];
    moveHead(a, place, row);
    __syncwarp();
    turnHead<kMostHeadDim>(a.cache.headDim, weight, a.eps, a.cos.at(token), a.sin.at(token), row);
    moveHead(a, row, place);
    if (!isKey) return;
    if constexpr (kHasCodes)
      storeCodes<kMostHeadDim>(a.cache, slot, a.layer, 0, keyHead,
                               [&](int i, int) { return toFloat(row[i]); });
    else
      moveHead(a, row, cached);
  }
}

// Calls `work` with the number of elements that a lane has, as a constant.
template <class Work>
void withElementsOf(int headDim, const Work& work) {
  switch (headDim) {
    case 64:
      return work(std::integral_constant<int, 64 / kWarp>());
    case 128:
      return work(std::integral_constant<int, 128 / kWarp>());
    case 256:
      return work(std::integral_constant<int, 256 / kWarp>());
    default:
      return work(std::integral_constant<int, 0>());
  }
}

}  // namespace

void prepareHeads(const HeadsOfTokens& heads, const HeadNorms& norms, const TensorView& cos,
                  const TensorView& sin, const PagedKv& cache, int layer, const std::int32_t* slots,
                  const Queue& queue) {
  const bool hasVectors =
      isInVectors(heads.q, kVector) && isInVectors(heads.k, kVector) && isInVectors(heads.v, kVector);
  withElement(heads.q.type(), [&](auto element) {
    using T = decltype(element);
    const Heads<T> a{rowsOf<T>(heads.q),
                     rowsOf<T>(heads.k),
                     rowsOf<const T>(heads.v),
                     static_cast<int>(heads.q.extent(1)),
                     static_cast<int>(heads.q.extent(0)),
                     weightOf(norms.query),
                     weightOf(norms.key),
                     norms.eps,
                     rowsOf<const float>(cos),
                     rowsOf<const float>(sin),
                     cache,
                     layer,
                     slots,
                     hasVectors};
    const int warps = a.tokens * (a.queryHeads + 2 * cache.kvHeads);
    withElementsOf(cache.headDim, [&](auto each) {
      const auto kernel = cache.hasCodes ? headsKernel<T, Code, each()> : headsKernel<T, T, each()>;
      enqueue(queue, kernel, static_cast<unsigned>((warps + kWarps - 1) / kWarps), kWarps * kWarp, 0, a);
    });
  });
}

}  // namespace vitrine::cuda
