// FileCursor: reads a binary header front to back, a piece of the file at a time, and never past its end.
//
// `what` is what is being read; an error names it, the file and the offset. Thread: one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "formats/read_bytes.h"
#include "vitrine/error.h"

namespace vitrine {

class FileCursor {
 public:
  FileCursor(std::size_t fileBytes, const ReadBytes& read, std::string_view fileName, std::size_t offset = 0)
      : m_fileBytes(fileBytes), m_read(read), m_file(fileName), m_offset(offset) {}

  std::string what;

  const std::string& file() const { return m_file; }
  std::size_t fileBytes() const { return m_fileBytes; }
  std::size_t offset() const { return m_offset; }
  std::size_t left() const { return m_fileBytes - m_offset; }
  std::string place() const { return m_file + ": " + what + " (byte " + std::to_string(m_offset) + ")"; }

  [[noreturn]] void fail(const std::string& problem) const {
    throw EngineError(ErrorCode::kFileCorrupt, place() + " " + problem, "Download the file again.");
  }

  void bytes(std::span<std::byte> out) {
    require(out.size());
    while (!out.empty()) {
      if (m_offset < m_begin || m_offset >= m_begin + m_piece.size()) fill();
      const std::size_t from = m_offset - m_begin, count = std::min(out.size(), m_piece.size() - from);
      std::memcpy(out.data(), m_piece.data() + from, count);
      out = out.subspan(count);
      m_offset += count;
    }
  }

  template <typename T>
  T number() {
    T value;
    bytes(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }

  // The length of a text, which follows, in 64 bits.
  std::size_t length(std::uint64_t most) {
    const auto length = number<std::uint64_t>();
    if (length > most) fail("holds a text of " + std::to_string(length) + " bytes");
    require(length);
    return length;
  }
  std::string text(std::uint64_t most) {
    std::string found(length(most), '\0');
    bytes(std::as_writable_bytes(std::span(found)));
    return found;
  }
  void skip(std::size_t count) {
    require(count);
    m_offset += count;
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{64} << 10;

  void require(std::size_t count) const {
    if (count > left()) fail("needs " + std::to_string(count) + " bytes, but the file ends first");
  }
  void fill() {
    m_begin = m_offset;
    m_piece.resize(std::min(kPiece, left()));
    m_read(m_begin, m_piece);
  }

  std::size_t m_fileBytes;
  const ReadBytes& m_read;
  std::string m_file;
  std::size_t m_offset, m_begin = 0;
  std::vector<std::byte> m_piece;
};

}  // namespace vitrine
