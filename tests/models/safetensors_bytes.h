// Safetensors files put together by hand, right and wrong ones: a header's text and whatever follows it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/safetensors.h"

namespace vitrine::test {

inline std::string lengthBytes(std::uint64_t length) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(length >> (8 * i) & 0xff));
  return bytes;
}

inline std::string safetensors(const std::string& header, std::size_t dataBytes) {
  std::string data;
  for (std::size_t i = 0; i < dataBytes; ++i) data.push_back(static_cast<char>(i));
  return lengthBytes(header.size()) + header + data;
}

// "name":{"dtype":...}, to be put between braces.
inline std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                         const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets +
         "}";
}

inline void writeFile(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// parseSafetensors() of a file that lies in memory.
inline std::vector<SafetensorsEntry> parseBytes(std::span<const std::byte> file, std::string_view fileName) {
  const auto read = [&](std::size_t offset, std::span<std::byte> out) {
    std::ranges::copy(file.subspan(offset, out.size()), out.begin());
  };
  return parseSafetensors(file.size(), read, fileName);
}

}  // namespace vitrine::test
