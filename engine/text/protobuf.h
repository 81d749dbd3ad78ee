// The wire format of protocol buffers, as much as a tokenizer.model needs: varints, fixed 32 bits, byte
// strings.
//
// Thread: values.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace vitrine::protobuf {

struct Field {
  std::uint32_t number = 0;
  std::uint64_t varint = 0;  // of a number; a fixed one as its bits
  std::string_view bytes;    // of a string or a message
  bool isBytes = false;

  float asFloat() const {
    const auto bits = static_cast<std::uint32_t>(varint);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  std::int32_t asInt() const { return static_cast<std::int32_t>(varint); }
};

// Reads the fields of a message one after the other; ok() turns false where the bytes make no sense.
class Reader {
 public:
  explicit Reader(std::string_view message) : m_rest(message) {}
  bool next(Field& field);  // false at the end and after an error
  bool ok() const { return m_ok; }

 private:
  bool varint(std::uint64_t& value);
  bool fixed(std::size_t bytes, std::uint64_t& value);

  std::string_view m_rest;
  bool m_ok = true;
};

void putVarint(std::string& out, std::uint32_t number, std::uint64_t value);
void putFloat(std::string& out, std::uint32_t number, float value);
void putBytes(std::string& out, std::uint32_t number, std::string_view bytes);

}  // namespace vitrine::protobuf
