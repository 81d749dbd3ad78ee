#include "support/allocations.h"

#include <cstdlib>
#include <new>

namespace vitrine::test {

AllocationRule allocationRule = nullptr;

namespace {

void* allocate(std::size_t bytes, NewForm form) noexcept {
  if (allocationRule != nullptr && !allocationRule(bytes, form)) return nullptr;
  return std::malloc(bytes > 0 ? bytes : 1);
}

void* allocateOrThrow(std::size_t bytes) {
  if (void* memory = allocate(bytes, NewForm::kThrowing)) return memory;
  throw std::bad_alloc();
}

}  // namespace
}  // namespace vitrine::test

using namespace vitrine::test;

void* operator new(std::size_t bytes) { return allocateOrThrow(bytes); }
void* operator new[](std::size_t bytes) { return allocateOrThrow(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, NewForm::kNothrow);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, NewForm::kNothrow);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
