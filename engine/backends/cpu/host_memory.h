// Host memory of the CPU backend: aligned, zeroed, refused with an EngineError instead of a crash.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/tensor.h"

namespace vitrine::cpu {

// Bytes of the product of `factors`, checked for overflow and against what the machine has. `what` is for
// people: "a KV cache of 12 blocks". Throws EngineError(kOutOfMemory).
std::shared_ptr<void> allocateBytes(std::span<const std::int64_t> factors, const char* what);

// What the system could still hand out without pushing anything but cached files aside; without word of it,
// all that the machine has.
std::int64_t availableBytes();

inline constexpr std::size_t kLargePage = std::size_t{2} << 20;  // on x86-64

// Asks the system for large pages under memory that is about to be filled: a fault for each
// 4 KiB takes a quarter of the time that loading a model takes. Only while enough of them lie free: where the
// system must first move other memory together, small pages are faster.
void preferLargePages(void* memory, std::int64_t bytes);

// Copies a view of any strides to contiguous memory of the same type.
void copyContiguous(const TensorView& from, void* to);

}  // namespace vitrine::cpu
