// Reads or writes all bytes at an offset of a file, with as many system calls as that takes. On failure
// false, with errno: 0 when the file ends too early, ENOSPC when a write makes no progress. Thread: any.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace vitrine {

inline bool readAll(int file, void* bytes, std::size_t count, std::int64_t offset) {
  auto* to = static_cast<std::byte*>(bytes);
  while (count > 0) {
    const ssize_t done = ::pread(file, to, count, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = 0;
    if (done <= 0) return false;
    to += done, count -= static_cast<std::size_t>(done), offset += done;
  }
  return true;
}

inline bool writeAll(int file, const void* bytes, std::size_t count, std::int64_t offset) {
  const auto* from = static_cast<const std::byte*>(bytes);
  while (count > 0) {
    const ssize_t done = ::pwrite(file, from, count, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = ENOSPC;
    if (done <= 0) return false;
    from += done, count -= static_cast<std::size_t>(done), offset += done;
  }
  return true;
}

}  // namespace vitrine
