// allocatePooled(), releasePooled(): objects of one size lie close together in memory.
//
// A step reads a little of every sequence. From the general heap each sequence would lie on a page of its
// own, among its tokens, and thousands of them would miss the TLB (the processor's few cached page addresses)
// in every pass. A class whose operators new and delete call
// these functions lies here. Memory of released objects is kept for later ones. Alignment: kPooledAlignment.
// Under AddressSanitizer each object has a piece of the heap of its own, so that a use after release is
// found. Thread: any.
#pragma once

#include <cstddef>

namespace vitrine {

inline constexpr std::size_t kPooledAlignment = 64;  // a cache line

void* allocatePooled(std::size_t bytes);  // throws std::bad_alloc
void releasePooled(void* object, std::size_t bytes) noexcept;

}  // namespace vitrine
