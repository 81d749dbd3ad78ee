#include "backends/cpu/host_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "vitrine/error.h"

namespace vitrine::cpu {
namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector

// The system hands out more than it has and ends the program when the pages are touched, so the refusal comes
// from here.
std::int64_t machineBytes() {
  static const std::int64_t bytes = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  return bytes;
}

// Of 2 MiB that lie free in one piece. Linux lists the free pieces of 4 KiB times 1, 2, 4, ... for each zone.
std::uintptr_t freeLargePages() {
  constexpr int kOrder = 9;  // 4 KiB << 9
  std::ifstream list("/proc/buddyinfo");
  std::uintptr_t found = 0;
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line.substr(std::min(line.find("zone") + 4, line.size())));
    std::string zone;
    words >> zone;
    std::uintptr_t pieces = 0;
    for (int order = 0; words >> pieces; ++order)
      if (order >= kOrder) found += pieces << (order - kOrder);
  }
  return found;
}

}  // namespace

std::int64_t availableBytes() {
  std::ifstream list("/proc/meminfo");
  std::int64_t kibibytes = 0;
  for (std::string line; std::getline(list, line);)
    if (line.starts_with("MemAvailable:") && std::istringstream(line.substr(line.find(':') + 1)) >> kibibytes)
      return kibibytes << 10;
  return machineBytes();
}

std::shared_ptr<void> allocateBytes(std::span<const std::int64_t> factors, const char* what) {
  std::int64_t bytes = 1;
  bool counted = true;
  for (std::int64_t factor : factors) {
    VITRINE_CHECK(factor >= 0);
    counted = counted && !__builtin_mul_overflow(bytes, factor, &bytes);
  }
  // calloc, since the system's fresh pages are zero already: a large KV cache costs nothing until it is used.
  char* memory = counted && bytes <= machineBytes()
                     ? static_cast<char*>(std::calloc(static_cast<std::size_t>(bytes) + kAlignment, 1))
                     : nullptr;
  if (memory == nullptr) {
    const std::string wanted = counted ? std::to_string(bytes >> 20) + " MiB; " : "";
    throw EngineError(ErrorCode::kOutOfMemory,
                      std::string("not enough memory for ") + what + " (" + wanted + "this machine has " +
                          std::to_string(machineBytes() >> 20) + " MiB)",
                      "use fewer KV blocks, a smaller model or bf16 weights");
  }
  const std::size_t past = reinterpret_cast<std::uintptr_t>(memory) % kAlignment;
  return std::shared_ptr<void>(memory + (past == 0 ? 0 : kAlignment - past),
                               [memory](void*) { std::free(memory); });
}

void preferLargePages(void* memory, std::int64_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage,
                       last = (begin + static_cast<std::uintptr_t>(bytes)) / kLargePage * kLargePage;
  if (last <= first || freeLargePages() < 2 * (last - first) / kLargePage) return;
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // without it, small pages do
#else
  static_cast<void>(memory);
  static_cast<void>(bytes);
#endif
}

void copyContiguous(const TensorView& from, void* to) {
  if (from.elements() == 0) return;
  // Contiguous elements are copied at once; the axes before them count the runs.
  const int last = from.rank() - 1;
  const bool dense = from.stride(last) == 1;
  const std::int64_t run = dense ? from.extent(last) : 1, runs = from.elements() / run;
  const auto bytes = static_cast<std::int64_t>(dtypeBytes(from.type()));
  const auto length = static_cast<std::size_t>(run * bytes);
  char* cursor = static_cast<char*>(to);
  for (std::int64_t i = 0; i < runs; ++i, cursor += length) {
    std::int64_t place = 0, rest = i;
    for (int axis = dense ? last - 1 : last; axis >= 0; rest /= from.extent(axis--))
      place += rest % from.extent(axis) * from.stride(axis);
    std::memcpy(cursor, static_cast<const char*>(from.data()) + place * bytes, length);
  }
}

}  // namespace vitrine::cpu
