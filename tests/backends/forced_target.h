// Backends of one instruction set, for what must hold on every one that is compiled.
#pragma once

#include <cstdint>

#include "backends/cpu/simd_targets.h"
#include "hwy/targets.h"

namespace vitrine::test {

// Backends made while it lives are of this instruction set.
class ForcedTarget {
 public:
  explicit ForcedTarget(std::int64_t target) { force(target); }
  ~ForcedTarget() { force(0); }

 private:
  static void force(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
  }
};

}  // namespace vitrine::test
