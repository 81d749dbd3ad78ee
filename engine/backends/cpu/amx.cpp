#include "backends/cpu/amx.h"

#if defined(__linux__) && defined(VITRINE_CPU_X86)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace vitrine::cpu {
namespace {

#if defined(__linux__) && defined(VITRINE_CPU_X86)
bool askForTiles() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned kBf16 = 1U << 22, kTile = 1U << 24, kInt8 = 1U << 25, kAll = kBf16 | kTile | kInt8;
  if ((d & kAll) != kAll) return false;
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}
#else
bool askForTiles() { return false; }
#endif

}  // namespace

bool hasAmx() {
  static const bool has = askForTiles();
  return has;
}

}  // namespace vitrine::cpu
