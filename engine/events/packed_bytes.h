// PackedWriter, PackedReader: bytes of whole numbers and of what lies in memory, to a string and back.
//
// Whole numbers take as few bytes as they need: seven bits in each, the lowest first (LEB128). Thread:
// values. Read next: packed_fields.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace vitrine {

class PackedWriter {
 public:
  explicit PackedWriter(std::string& out) : m_out(out) {}

  void raw(const void* from, std::size_t size) { m_out.append(static_cast<const char*>(from), size); }
  void whole(std::uint64_t value) {
    std::array<char, 10> bytes;
    std::size_t size = 0;
    for (; value > 127; value >>= 7) bytes[size++] = static_cast<char>(value | 128);
    bytes[size++] = static_cast<char>(value);
    raw(bytes.data(), size);
  }
  std::size_t size() const { return m_out.size(); }

 private:
  std::string& m_out;
};

[[noreturn]] void damaged();  // throws EngineError(kFileCorrupt)

// Behind the end: damaged().
class PackedReader {
 public:
  explicit PackedReader(std::string_view in) : m_in(in) {}

  bool atEnd() const { return m_in.empty(); }
  void raw(void* to, std::size_t size) {
    require(size);
    std::memcpy(to, m_in.data(), size);
    m_in.remove_prefix(size);
  }
  std::uint64_t whole() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      require(shift < 64 ? 1 : m_in.size() + 1);
      const auto byte = static_cast<unsigned char>(m_in.front());
      m_in.remove_prefix(1);
      value |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) return value;
    }
  }
  // Of items that take a byte each at least.
  std::size_t count() {
    const std::uint64_t count = whole();
    require(count);
    return static_cast<std::size_t>(count);
  }

 private:
  void require(std::uint64_t bytes) const {
    if (bytes > m_in.size()) damaged();
  }

  std::string_view m_in;
};

}  // namespace vitrine
