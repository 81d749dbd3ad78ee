// Reading and writing all bytes at a place of a file, however often the system wants to be asked. False with
// errno: what is short when reading has errno 0, a write that does nothing has ENOSPC. Thread: any.
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
