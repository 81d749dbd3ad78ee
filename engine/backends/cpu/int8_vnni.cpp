// With AVX-512's VNNI. Compiled for these instructions, and called where the machine has them. Read next:
// vnni-inl.h.
#include "backends/cpu/int8_set-inl.h"
#include "backends/cpu/vnni-inl.h"

namespace vitrine::cpu {

constinit const Int8Kernels kVnniKernels = int8KernelsOf<Vnni>("AVX-512 VNNI");

}  // namespace vitrine::cpu
