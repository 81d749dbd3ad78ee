// A hook before every `new` of a test program: a program with allocations.cpp among its sources replaces
// operator new and delete in all their forms at once, since a sanitizer checks that the two match. Aligned
// forms stay as they are. Thread: the rule runs on the thread that allocates.
#pragma once

#include <cstddef>

namespace vitrine::test {

enum class NewForm { kThrowing, kNothrow };  // kNothrow: as tensors of a checkpoint are asked for

// False makes this allocation fail: with bad_alloc, or null for kNothrow. It must not allocate itself.
using AllocationRule = bool (*)(std::size_t bytes, NewForm form);
extern AllocationRule allocationRule;  // null, as at the start: every allocation may be

}  // namespace vitrine::test
