// SafetensorsWriter: writes a safetensors file front to back, so that a model larger than memory can be made.
// Thread: one thread. Read next: safetensors.h, the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "vitrine/output_file.h"

namespace vitrine {

struct SafetensorsSpec {
  std::string name;
  DType type = DType::kF32;
  std::vector<std::int64_t> shape;
};

class SafetensorsWriter {
 public:
  // Writes the header; the tensors' bytes then come in this order through write().
  SafetensorsWriter(const std::filesystem::path& path, const std::vector<SafetensorsSpec>& tensors);
  void write(std::span<const std::byte> bytes) {
    m_file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    m_written += bytes.size();
  }
  void finish();  // requires that every tensor's bytes were written

 private:
  OutputFile m_file;
  std::uint64_t m_needed = 0, m_written = 0;
};

}  // namespace vitrine
