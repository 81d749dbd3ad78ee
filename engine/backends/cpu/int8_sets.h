// The instruction sets that the products of quads are compiled for; int8_products.cpp chooses among them.
#pragma once

#include "backends/cpu/int8_products.h"

namespace vitrine::cpu {

// Constants, made by the compiler: code of theirs would run at the start, on a machine that may lack the set.
extern const Int8Kernels kAmxKernels, kVnniKernels, kAvx2Kernels;  // on x86-64 alone
extern const Int8Kernels kUsdotKernels, kSdotKernels;              // on AArch64 alone
extern const Int8Kernels kPortableKernels;

}  // namespace vitrine::cpu
