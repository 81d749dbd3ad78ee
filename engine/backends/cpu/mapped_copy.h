// MappedCopy: a file of packed weights in memory: first where the system's cache has it, then in large pages.
//
// A file that the system has cached is there at once when it is mapped; read into fresh memory it takes two
// to ten times as long (README.md). But a pass over large pages is a seventh faster, and while it is mapped a
// file that is cut short would end the program. So moveNext() copies one stretch after another into memory of
// the program's own, and puts that in the mapping's place. The addresses stay, and whatever reads them
// meanwhile sees the same bytes: the system exchanges the pages at once (mremap). Thread: moveNext() one at a
// time; reading any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/input_file.h"

namespace vitrine::cpu {

class MappedCopy {
 public:
  // Throws EngineError(kOutOfMemory) where the file cannot be mapped.
  explicit MappedCopy(const InputFile& file);
  ~MappedCopy();
  MappedCopy(const MappedCopy&) = delete;
  MappedCopy& operator=(const MappedCopy&) = delete;

  std::span<const std::byte> bytes() const { return {m_begin, m_bytes}; }

  // Moves a stretch of 16 MiB. False: all is moved, or little memory is left, and the rest stays mapped: the
  // system can take back pages of a file.
  bool moveNext();
  std::size_t movedBytes() const { return m_moved; }

 private:
  std::byte* m_reserved = nullptr;  // addresses, among which the mapping begins with a large page
  std::size_t m_reservedBytes = 0;
  std::byte* m_begin = nullptr;
  std::size_t m_bytes = 0, m_moved = 0;
};

}  // namespace vitrine::cpu
