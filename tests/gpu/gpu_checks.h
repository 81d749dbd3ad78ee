// The checks of the CUDA backend, in parts; gpu_checks.cpp runs them.
#pragma once

#include "backends/backend.h"
#include "gpu/report.h"

namespace vitrine::gpu {

inline constexpr DType kActivations[] = {DType::kF32, DType::kBf16, DType::kF16};
inline const char* typeName(DType type) {
  return type == DType::kF32 ? "f32" : type == DType::kBf16 ? "bf16" : "f16";
}

void checkDevice(Report& report);                  // its name, memory and limits
void checkOperations(Report& report);              // each operation against the CPU's
void checkProducts(Report& report);                // a row has the same bits among 1 to 512
void checkCodes(Report& report);                   // weights kept as codes, against the numbers they are
void checkDigests(Report& report);                 // of rows of logits: the host's bits, and the same answers
void checkLibrary(Report& report);                 // products by cuBLASLt, and engines with them
void checkAttention(Report& report);               // a token's too, however its context is cut, in any batch
void checkBlocks(Report& report);                  // swapped out and in, beside kernels
void checkModels(Report& report);                  // the golden models of transformers
void checkBlockModels(Report& report);             // in blocks of a GGUF file, against those of numbers
void checkOverlap(Report& report, int workloads);  // steps that overlap, against steps that do not
void checkEngines(Report& report, int workloads);  // tokens alone and together

}  // namespace vitrine::gpu
