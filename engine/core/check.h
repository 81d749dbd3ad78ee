// VITRINE_CHECK: a broken invariant is a bug, so the program prints the condition and its place, and aborts.
// An error that a user can cause is an EngineError instead (vitrine/error.h).
// Thread: any.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace vitrine::detail {

[[noreturn]] inline void checkFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: VITRINE_CHECK failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace vitrine::detail

#define VITRINE_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::vitrine::detail::checkFailed(#condition, __FILE__, __LINE__))
