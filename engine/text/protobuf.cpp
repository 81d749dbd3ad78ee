#include "text/protobuf.h"

namespace vitrine::protobuf {
namespace {

enum WireType : unsigned { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

void putRaw(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

void putTag(std::string& out, std::uint32_t number, WireType type) {
  putRaw(out, (std::uint64_t{number} << 3) | type);
}

}  // namespace

bool Reader::varint(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (m_rest.empty()) return m_ok = false;
    const auto byte = static_cast<unsigned char>(m_rest.front());
    m_rest.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return true;
  }
  return m_ok = false;
}

bool Reader::fixed(std::size_t bytes, std::uint64_t& value) {
  if (m_rest.size() < bytes) return m_ok = false;
  value = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(m_rest[i])} << (8 * i);
  m_rest.remove_prefix(bytes);
  return true;
}

bool Reader::next(Field& field) {
  if (!m_ok || m_rest.empty()) return false;
  std::uint64_t tag = 0;
  if (!varint(tag)) return false;
  field = {};
  field.number = static_cast<std::uint32_t>(tag >> 3);
  if (field.number == 0 || (tag >> 32) != 0) return m_ok = false;
  switch (tag & 7) {
    case kVarint:
      return varint(field.varint);
    case kFixed64:
      return fixed(8, field.varint);
    case kFixed32:
      return fixed(4, field.varint);
    case kBytes: {
      std::uint64_t length = 0;
      if (!varint(length)) return false;
      if (length > m_rest.size()) return m_ok = false;
      field.isBytes = true;
      field.bytes = m_rest.substr(0, static_cast<std::size_t>(length));
      m_rest.remove_prefix(static_cast<std::size_t>(length));
      return true;
    }
    default:
      return m_ok = false;  // groups, which no such file has
  }
}

void putVarint(std::string& out, std::uint32_t number, std::uint64_t value) {
  putTag(out, number, kVarint);
  putRaw(out, value);
}

void putFloat(std::string& out, std::uint32_t number, float value) {
  putTag(out, number, kFixed32);
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<char>(bits >> (8 * i)));
}

void putBytes(std::string& out, std::uint32_t number, std::string_view bytes) {
  putTag(out, number, kBytes);
  putRaw(out, bytes.size());
  out += bytes;
}

}  // namespace vitrine::protobuf
