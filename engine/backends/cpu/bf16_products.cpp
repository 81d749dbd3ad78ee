#include "backends/cpu/bf16_products.h"

#include <vector>

#include "backends/cpu/amx.h"
#include "backends/cpu/bf16_sets.h"

#ifdef VITRINE_CPU_ARM
#include <sys/auxv.h>
#endif

namespace vitrine::cpu {
namespace {

std::vector<const Bf16Kernels*> setsOfThisMachine() {
  std::vector<const Bf16Kernels*> sets;
#ifdef VITRINE_CPU_X86
  if (hasAmx()) sets.push_back(&kAmxBf16Kernels);
  if (__builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw"))
    sets.push_back(&kAvx512Bf16Kernels);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back(&kAvx2Bf16Kernels);
#endif
#ifdef VITRINE_CPU_ARM
  if ((getauxval(AT_HWCAP2) & HWCAP2_BF16) != 0) sets.push_back(&kBfdotKernels);
  sets.push_back(&kNeonBf16Kernels);
#endif
  sets.push_back(&kPortableBf16Kernels);
  return sets;
}

}  // namespace

std::span<const Bf16Kernels* const> bf16Kernels() {
  static const std::vector<const Bf16Kernels*> sets = setsOfThisMachine();
  return sets;
}

}  // namespace vitrine::cpu
