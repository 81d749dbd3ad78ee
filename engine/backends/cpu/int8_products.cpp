#include "backends/cpu/int8_products.h"

#include <vector>

#include "backends/cpu/amx.h"
#include "backends/cpu/int8_sets.h"

#ifdef VITRINE_CPU_ARM
#include <sys/auxv.h>
#endif

namespace vitrine::cpu {
namespace {

std::vector<const Int8Kernels*> setsOfThisMachine() {
  std::vector<const Int8Kernels*> sets;
#ifdef VITRINE_CPU_X86
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl")) {
    if (hasAmx()) sets.push_back(&kAmxKernels);
    sets.push_back(&kVnniKernels);
  }
  // Every processor with AVX2 widens float16, too (F16C).
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back(&kAvx2Kernels);
#endif
#ifdef VITRINE_CPU_ARM
  if ((getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0) sets.push_back(&kUsdotKernels);
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) sets.push_back(&kSdotKernels);
#endif
  sets.push_back(&kPortableKernels);
  return sets;
}

}  // namespace

std::span<const Int8Kernels* const> int8Kernels() {
  static const std::vector<const Int8Kernels*> sets = setsOfThisMachine();
  return sets;
}

}  // namespace vitrine::cpu
