// The instructions of compute capability 9.0 with which four warps multiply out of shared memory, and those
// that bring their operands: PTX ISA, "wgmma", "mbarrier", "cp.async.bulk", "cp.async.bulk.tensor" and
// "cluster".
//
// They exist in code for sm_90a alone, so a kernel stands in #if defined(__CUDA_ARCH_FEAT_SM90_ALL).
#pragma once

#include <cuda.h>

#include "backends/cuda/mma.cuh"

namespace vitrine::cuda {

inline constexpr int kWarpgroup = 128;          // threads
inline constexpr int kWarpgroupOutputs = 64;    // rows of the left operand
inline constexpr int kPieceInputs = 64;         // that are brought together: two tiles of weights
inline constexpr int kPieceBytes = 8 * 8 * 16;  // of 8 rows: squares of 8 x 8, one behind the other

using Barrier = std::uint64_t;  // in shared memory

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// A barrier's phase ends after `arrivals`, when also the bytes that are expected are there.
__device__ inline void initBarrier(Barrier* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(arrivals)
               : "memory");
}
__device__ inline void arrive(Barrier* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier)) : "memory");
}
__device__ inline void arriveExpecting(Barrier* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)),
               "r"(bytes)
               : "memory");
}
// Until the phase of this parity has ended: the first phase has parity 0. A new barrier stands behind one of
// parity 1.
__device__ inline void waitFor(Barrier* barrier, unsigned parity) {
  unsigned hasEnded = 0;
  while (hasEnded == 0)
    asm volatile(
        "{\n"
        ".reg .pred ended;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
        "selp.u32 %0, 1, 0, ended;\n"
        "}"
        : "=r"(hasEnded)
        : "r"(sharedAddress(barrier)), "r"(parity)
        : "memory");
}

// Whether it has ended.
__device__ inline bool hasEnded(Barrier* barrier, unsigned parity) {
  unsigned hasEnded;
  asm volatile(
      "{\n"
      ".reg .pred ended;\n"
      "mbarrier.test_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
      "selp.u32 %0, 1, 0, ended;\n"
      "}"
      : "=r"(hasEnded)
      : "r"(sharedAddress(barrier)), "r"(parity)
      : "memory");
  return hasEnded != 0;
}

// Contiguous bytes into shared memory, by the copy engine; the barrier counts them.
__device__ inline void copyBulk(void* to, const void* from, int bytes, Barrier* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          sharedAddress(to)),
      "l"(from), "r"(bytes), "r"(sharedAddress(barrier))
      : "memory");
}

// A box of a tensor of two or three dimensions into shared memory, from the place `at` on (tensor_map.h);
// what is outside of the tensor becomes zeros.
#define VITRINE_COPY_BOX(dimensions) \
  "cp.async.bulk.tensor." dimensions ".shared::cluster.global.tile.mbarrier::complete_tx::bytes "
__device__ inline void copyTensor(void* to, const CUtensorMap& from, int2 at, Barrier* barrier) {
  asm volatile(VITRINE_COPY_BOX("2d") "[%0], [%1, {%2, %3}], [%4];" ::"r"(sharedAddress(to)), "l"(&from),
               "r"(at.x), "r"(at.y), "r"(sharedAddress(barrier))
               : "memory");
}
__device__ inline void copyTensor(void* to, const CUtensorMap& from, int3 at, Barrier* barrier) {
  asm volatile(VITRINE_COPY_BOX("3d") "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(sharedAddress(to)), "l"(&from),
               "r"(at.x), "r"(at.y), "r"(at.z), "r"(sharedAddress(barrier))
               : "memory");
}
#undef VITRINE_COPY_BOX

// Between what threads write and what wgmma or the copy engine reads.
__device__ inline void fenceProxies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// An operand in shared memory, pieces one behind the other: squares that are neighbours in the inputs lie 128
// bytes apart, those that are neighbours in the rows a piece. Sixteen inputs are kStepOfOperand of it.
__device__ inline std::uint64_t operandAt(const void* pieces) {
  constexpr std::uint64_t kUnit = 16, kNextInputs = 128 / kUnit, kNextRows = kPieceBytes / kUnit;
  return (sharedAddress(pieces) / kUnit & 0x3FFF) | kNextInputs << 16 | kNextRows << 32;
}
inline constexpr int kStepOfOperand = 2 * 128 / 16;

// An operand in shared memory whose rows of 64 inputs lie one behind another, eight at an address that 1,024
// divides. A row's 16 bytes stand in the order number XOR row mod 8, so that eight rows are read from
// different banks. Sixteen inputs are kStepOfSwizzled of it.
__device__ inline std::uint64_t swizzledAt(const void* rows) {
  constexpr std::uint64_t kUnit = 16, kNextRows = 8 * 128 / kUnit, kSwizzled = 1;
  return (sharedAddress(rows) / kUnit & 0x3FFF) | std::uint64_t{1} << 16 | kNextRows << 32 | kSwizzled << 62;
}
inline constexpr int kStepOfSwizzled = 2 * 16 / 16;

__device__ inline void beginWgmma() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void commitWgmma() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Until at most `left` groups are still computed.
template <int left>
__device__ void waitForWgmma() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}
// The compiler reads no sum before here.
template <int count>
__device__ void fenceSums(float (&sums)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}

#define VITRINE_FOUR(i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3])
#define VITRINE_SIXTEEN(i) VITRINE_FOUR(i), VITRINE_FOUR(i + 4), VITRINE_FOUR(i + 8), VITRINE_FOUR(i + 12)
#define VITRINE_NAMES_16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define VITRINE_NAMES_32 \
  VITRINE_NAMES_16       \
  ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define VITRINE_NAMES_64                                                               \
  VITRINE_NAMES_32                                                                     \
  ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define VITRINE_WGMMA_OF(columns, type, names, left, right, keeps, ...)                          \
  asm volatile(                                                                                  \
      "{\n"                                                                                      \
      ".reg .pred keeps;\n"                                                                      \
      "setp.ne.b32 keeps, " keeps                                                                \
      ", 0;\n"                                                                                   \
      "wgmma.mma_async.sync.aligned.m64n" columns "k16.f32." type "." type " {" names "}, " left \
      ", "                                                                                       \
      "" right                                                                                   \
      ", keeps, 1, 1, 0, 0;\n"                                                                   \
      "}"                                                                                        \
      : __VA_ARGS__                                                                              \
      : "l"(a), "l"(b), "r"(isKept))
// c [64, columns] = a [64, 16] · b [16, columns], plus what is in c where isKept is not 0. Of c a thread has
// rows 16 warp + lane / 4 (and that + 8) by columns 8 j + lane mod 4 * 2 (and that + 1), in the order
// columns, rows, j.
#define VITRINE_WGMMA(element, type)                                                                   \
  __device__ inline void wgmma(float(&c)[16], std::uint64_t a, std::uint64_t b, int isKept, element) { \
    VITRINE_WGMMA_OF("32", type, VITRINE_NAMES_16, "%16", "%17", "%18", VITRINE_SIXTEEN(0));           \
  }                                                                                                    \
  __device__ inline void wgmma(float(&c)[32], std::uint64_t a, std::uint64_t b, int isKept, element) { \
    VITRINE_WGMMA_OF("64", type, VITRINE_NAMES_32, "%32", "%33", "%34", VITRINE_SIXTEEN(0),            \
                     VITRINE_SIXTEEN(16));                                                             \
  }                                                                                                    \
  __device__ inline void wgmma(float(&c)[64], std::uint64_t a, std::uint64_t b, int isKept, element) { \
    VITRINE_WGMMA_OF("128", type, VITRINE_NAMES_64, "%64", "%65", "%66", VITRINE_SIXTEEN(0),           \
                     VITRINE_SIXTEEN(16), VITRINE_SIXTEEN(32), VITRINE_SIXTEEN(48));                   \
  }
VITRINE_WGMMA(Bf16, "bf16")
VITRINE_WGMMA(F16, "f16")
#undef VITRINE_FOUR
#undef VITRINE_SIXTEEN
#undef VITRINE_NAMES_16
#undef VITRINE_NAMES_32
#undef VITRINE_NAMES_64
#undef VITRINE_WGMMA_OF
#undef VITRINE_WGMMA

// An 8 x 8 matrix of 16 bits, of which lane i has row i / 4, columns i mod 4 * 2 and that + 1: transposed.
__device__ inline unsigned transposed(unsigned pair) {
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(pair));
  return pair;
}

// Clusters: blocks of threads that read each other's shared memory.
__device__ inline void meetCluster() {
  asm volatile(
      "barrier.cluster.arrive.release;\n"
      "barrier.cluster.wait.acquire;" ::
          : "memory");
}
// What block `rank` of the cluster has where this one has `at`: four numbers, at sixteen bytes.
__device__ inline float4 readFrom(const float* at, int rank) {
  float4 values;
  asm volatile(
      "{\n"
      ".reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %4, %5;\n"
      "ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [there];\n"
      "}"
      : "=f"(values.x), "=f"(values.y), "=f"(values.z), "=f"(values.w)
      : "r"(sharedAddress(at)), "r"(rank)
      : "memory");
  return values;
}

#endif

}  // namespace vitrine::cuda
