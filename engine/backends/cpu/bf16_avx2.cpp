// With AVX2: a bfloat16 is the upper half of a float32, so a vector of pairs is two of floats, and each input
// is a fused multiply-add. Compiled for these instructions, and called where the machine has them. Read next:
// bf16-inl.h.
#include <immintrin.h>

#include "backends/cpu/bf16-inl.h"
#include "backends/cpu/bf16_sets.h"

namespace vitrine::cpu {
namespace {

struct Avx2Bf16 {
  static constexpr int kLanes = 8, kSums = 8, kManyPanels = 1;
  using Floats = __m256;
  using Pairs = __m256i;
  struct Pair {
    __m256 first, second;
  };

  static __m256 firsts(__m256i pairs) { return _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16)); }
  static __m256 seconds(__m256i pairs) {
    return _mm256_castsi256_ps(_mm256_and_si256(pairs, _mm256_set1_epi32(static_cast<int>(0xFFFF0000U))));
  }
  static Floats loadSums(const float* p) { return _mm256_loadu_ps(p); }
  static void storeSums(Floats sums, float* p) { _mm256_storeu_ps(p, sums); }
  static Pairs load(const std::uint16_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  static Pair broadcast(const std::uint16_t* pair) {
    std::int32_t both;
    std::memcpy(&both, pair, sizeof both);
    const __m256i all = _mm256_set1_epi32(both);
    return {firsts(all), seconds(all)};
  }
  static Floats dot(Floats sum, Pairs weights, const Pair& x) {
    return _mm256_fmadd_ps(seconds(weights), x.second, _mm256_fmadd_ps(firsts(weights), x.first, sum));
  }
};

}  // namespace

constinit const Bf16Kernels kAvx2Bf16Kernels = bf16KernelsOf<Avx2Bf16>("AVX2");

}  // namespace vitrine::cpu
