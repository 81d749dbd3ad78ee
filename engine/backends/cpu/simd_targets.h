// Which instruction sets the kernels are compiled for; include before hwy/foreach_target.h.
//
// Each target compiles the whole file again, so only those that change float32 arithmetic are listed: the
// compiler's baseline, SSE4, AVX2, AVX-512 on x86-64 and NEON on arm64. Scalable vectors (SVE) are left out
// because the kernels keep arrays of vectors in registers.
#pragma once

#include "hwy/detect_targets.h"

// Highway's names differ between 1.0 and 1.2; one it does not know is no target.
#ifdef HWY_AVX3_ZEN4
#define VITRINE_HWY_ZEN4 HWY_AVX3_ZEN4
#else
#define VITRINE_HWY_ZEN4 0
#endif
#ifdef HWY_AVX3_SPR
#define VITRINE_HWY_SPR HWY_AVX3_SPR
#else
#define VITRINE_HWY_SPR 0
#endif
#ifdef HWY_AVX10_2
#define VITRINE_HWY_AVX10 HWY_AVX10_2
#else
#define VITRINE_HWY_AVX10 0
#endif
#ifdef HWY_NEON_BF16
#define VITRINE_HWY_NEON_BF16 HWY_NEON_BF16
#else
#define VITRINE_HWY_NEON_BF16 0
#endif

// A build for one machine (VITRINE_SIMD) leaves out the others; the baseline stays, for a machine without
// that set.
#ifdef VITRINE_HWY_ONLY
#define VITRINE_HWY_OTHERS ((HWY_SSE4 | HWY_AVX2 | HWY_AVX3) & ~VITRINE_HWY_ONLY)
#else
#define VITRINE_HWY_OTHERS 0
#endif

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS                                                                               \
  (VITRINE_HWY_OTHERS | HWY_SSSE3 | HWY_AVX3_DL | VITRINE_HWY_ZEN4 | VITRINE_HWY_SPR | VITRINE_HWY_AVX10 | \
   HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | VITRINE_HWY_NEON_BF16)
