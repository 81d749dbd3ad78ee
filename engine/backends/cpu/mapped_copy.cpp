#include "backends/cpu/mapped_copy.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "backends/cpu/host_memory.h"
#include "vitrine/error.h"

namespace vitrine::cpu {
namespace {

constexpr std::size_t kStretch = std::size_t{16} << 20;
constexpr std::int64_t kLeastAvailable = std::int64_t{256} << 20;

std::size_t wholePages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

// Addresses without memory, `bytes` of them from a large page's on; null: the system gives none.
struct Reserved {
  std::byte* all = nullptr;
  std::size_t allBytes = 0;
  std::byte* begin = nullptr;
};
Reserved reserve(std::size_t bytes) {
  Reserved reserved;
  reserved.allBytes = bytes + kLargePage;
  void* const all =
      mmap(nullptr, reserved.allBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return {};
  reserved.all = static_cast<std::byte*>(all);
  const std::size_t past = reinterpret_cast<std::uintptr_t>(all) % kLargePage;
  reserved.begin = reserved.all + (past == 0 ? 0 : kLargePage - past);
  return reserved;
}

}  // namespace

MappedCopy::MappedCopy(const InputFile& file) : m_bytes(file.size()) {
  const Reserved reserved = reserve(wholePages(m_bytes));
  if (reserved.all != nullptr &&
      mmap(reserved.begin, m_bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.descriptor(), 0) != MAP_FAILED) {
    m_reserved = reserved.all;
    m_reservedBytes = reserved.allBytes;
    m_begin = reserved.begin;
    // Where the disk has it and the cache does not, all of it is read ahead; several threads by themselves
    // would ask for a piece at a time.
    madvise(m_begin, m_bytes, MADV_WILLNEED);
    return;
  }
  if (reserved.all != nullptr) munmap(reserved.all, reserved.allBytes);
  throw EngineError(ErrorCode::kOutOfMemory, "\"" + file.path().string() + "\" cannot be mapped",
                    "close other programs, or use a smaller model");
}

MappedCopy::~MappedCopy() { munmap(m_reserved, m_reservedBytes); }

bool MappedCopy::moveNext() {
#ifdef MREMAP_FIXED
  if (m_moved == m_bytes || availableBytes() < kLeastAvailable) return false;
  const std::size_t here = std::min(kStretch, m_bytes - m_moved), pages = wholePages(here);
  const Reserved room = reserve(pages);
  if (room.all == nullptr) return false;
  // What lies around it goes first: once the pages are moved, another thread may have got their addresses.
  std::byte* const end = room.begin + pages;
  if (room.begin != room.all) munmap(room.all, static_cast<std::size_t>(room.begin - room.all));
  munmap(end, room.allBytes - static_cast<std::size_t>(end - room.all));
  if (mprotect(room.begin, pages, PROT_READ | PROT_WRITE) == 0) {
    preferLargePages(room.begin, static_cast<std::int64_t>(pages));
    std::memcpy(room.begin, m_begin + m_moved, here);
    if (mprotect(room.begin, pages, PROT_READ) == 0 &&
        mremap(room.begin, pages, pages, MREMAP_MAYMOVE | MREMAP_FIXED, m_begin + m_moved) != MAP_FAILED) {
      m_moved += here;
      return true;
    }
  }
  munmap(room.begin, pages);
  return false;
#else
  return false;
#endif
}

}  // namespace vitrine::cpu
