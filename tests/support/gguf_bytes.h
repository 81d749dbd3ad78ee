// GGUF files put together by hand, right and wrong ones: byte by byte, so that no writer's caution is in the
// way of a wrong one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/gguf_file.h"

namespace vitrine::test {

template <typename T>
std::string raw(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}
inline std::string rawText(std::string_view text) {
  return raw(std::uint64_t{text.size()}) + std::string(text);
}

class GgufBytes {
 public:
  std::uint32_t version = 3;
  std::uint64_t alignment = 32;
  std::string keys, infos, data;
  std::uint64_t keyCount = 0, tensorCount = 0;

  // `value` as it stands in the file behind its type.
  GgufBytes& key(std::string_view name, GgufType type, const std::string& value) {
    keys += rawText(name) + raw(static_cast<std::uint32_t>(type)) + value;
    ++keyCount;
    return *this;
  }
  GgufBytes& text(std::string_view name, std::string_view value) {
    return key(name, GgufType::kString, rawText(value));
  }
  GgufBytes& number(std::string_view name, std::uint32_t value) {
    return key(name, GgufType::kUint32, raw(value));
  }
  GgufBytes& real(std::string_view name, float value) { return key(name, GgufType::kFloat32, raw(value)); }
  GgufBytes& flag(std::string_view name, bool value) {
    return key(name, GgufType::kBool, std::string(1, value ? '\1' : '\0'));
  }
  GgufBytes& texts(std::string_view name, const std::vector<std::string>& values) {
    std::string list = raw(static_cast<std::uint32_t>(GgufType::kString)) + raw(std::uint64_t{values.size()});
    for (const std::string& value : values) list += rawText(value);
    return key(name, GgufType::kArray, list);
  }
  template <typename T>
  GgufBytes& numbers(std::string_view name, GgufType type, const std::vector<T>& values) {
    std::string list = raw(static_cast<std::uint32_t>(type)) + raw(std::uint64_t{values.size()});
    for (const T value : values) list += raw(value);
    return key(name, GgufType::kArray, list);
  }

  // `shape` as this engine has it, rows first.
  GgufBytes& tensor(std::string_view name, std::vector<std::uint64_t> shape, std::uint32_t type,
                    const std::string& bytes) {
    info(name, std::move(shape), type, data.size());
    data += bytes;
    data.resize((data.size() + alignment - 1) / alignment * alignment);
    return *this;
  }
  GgufBytes& info(std::string_view name, std::vector<std::uint64_t> shape, std::uint32_t type,
                  std::uint64_t offset) {
    std::ranges::reverse(shape);
    infos += rawText(name) + raw(static_cast<std::uint32_t>(shape.size()));
    for (const std::uint64_t extent : shape) infos += raw(extent);
    infos += raw(type) + raw(offset);
    ++tensorCount;
    return *this;
  }

  std::string bytes() const {
    std::string file = "GGUF" + raw(version) + raw(tensorCount) + raw(keyCount) + keys + infos;
    file.resize((file.size() + alignment - 1) / alignment * alignment);
    return file + data;
  }
};

inline ReadBytes readerOf(std::string_view file) {
  return [file](std::size_t offset, std::span<std::byte> out) {
    std::memcpy(out.data(), file.substr(offset, out.size()).data(), out.size());
  };
}

// The file in `bytes`, which must outlive it.
inline GgufFile openBytes(std::string_view bytes) { return {bytes.size(), readerOf(bytes), "file.gguf"}; }

}  // namespace vitrine::test
