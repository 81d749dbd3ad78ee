// The instruction sets that the products of pairs are compiled for; bf16_products.cpp chooses among them.
#pragma once

#include "backends/cpu/bf16_products.h"

namespace vitrine::cpu {

// Constants, made by the compiler: code of theirs would run at the start, on a machine that may lack the set.
extern const Bf16Kernels kAmxBf16Kernels, kAvx512Bf16Kernels, kAvx2Bf16Kernels;  // on x86-64 alone
extern const Bf16Kernels kBfdotKernels, kNeonBf16Kernels;                        // on AArch64 alone
extern const Bf16Kernels kPortableBf16Kernels;

}  // namespace vitrine::cpu
