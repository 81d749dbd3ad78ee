#include "models/safetensors_writer.h"

#include <nlohmann/json.hpp>

namespace vitrine {
namespace {

const char* typeName(DType type) {
  switch (type) {
    case DType::kF32:
      return "F32";
    case DType::kBf16:
      return "BF16";
    case DType::kF16:
      return "F16";
    case DType::kI32:
      return "I32";
  }
  return "";
}

}  // namespace

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& path,
                                     const std::vector<SafetensorsSpec>& tensors)
    : m_file(path) {
  nlohmann::json header = {{"__metadata__", {{"format", "pt"}}}};
  for (const SafetensorsSpec& tensor : tensors) {
    std::uint64_t bytes = dtypeBytes(tensor.type);
    for (const std::int64_t extent : tensor.shape) bytes *= static_cast<std::uint64_t>(extent);
    header[tensor.name] = {{"dtype", typeName(tensor.type)},
                           {"shape", tensor.shape},
                           {"data_offsets", {m_needed, m_needed + bytes}}};
    m_needed += bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the data then start aligned
  std::string length(8, '\0');
  for (int i = 0; i < 8; ++i) length[i] = static_cast<char>(text.size() >> (8 * i) & 0xff);
  m_file.write(length);
  m_file.write(text);
}

void SafetensorsWriter::finish() {
  VITRINE_CHECK(m_written == m_needed);
  m_file.finish();
}

}  // namespace vitrine
