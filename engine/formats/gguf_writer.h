// GgufWriter: writes a GGUF file, version 3, front to back: keys, then the tensors' names and places, then
// their bytes, so that a model larger than memory can be written.
//
// First all keys and all tensors are named, then begin() writes them, then the bytes come in the tensors'
// order. Errors: EngineError(kIo) that names the file; without finish() nothing remains of it. Thread: one
// thread. Read next: gguf.h, the reader.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/gguf.h"
#include "vitrine/output_file.h"

namespace vitrine {

class GgufWriter {
 public:
  explicit GgufWriter(const std::filesystem::path& path) : m_file(path) {}

  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, std::uint32_t value);
  void real(std::string_view key, float value);
  void flag(std::string_view key, bool value);
  void texts(std::string_view key, std::span<const std::string> values);
  void numbers(std::string_view key, std::span<const std::int32_t> values);
  void reals(std::string_view key, std::span<const float> values);
  void flags(std::string_view key, const std::vector<bool>& values);
  void bytes(std::string_view key, std::string_view values);

  void raw(std::string_view key, GgufType type, std::string_view value);  // as it stands in another file

  // `shape` rows first; whole blocks in a row.
  void tensor(std::string_view name, BlockType type, const std::vector<std::int64_t>& shape);
  void begin();
  // The next bytes of the tensors; a tensor's may come in several calls, but no call covers two.
  void write(std::span<const std::byte> bytes);
  void finish();  // requires that every tensor's bytes were written

 private:
  void key(std::string_view name, GgufType type);
  void list(std::string_view name, GgufType type, std::size_t count);

  OutputFile m_file;
  std::string m_keys, m_infos;
  std::uint64_t m_keyCount = 0, m_offset = 0;
  std::vector<std::uint64_t> m_sizes;  // bytes of each tensor
  std::size_t m_tensor = 0;
  std::uint64_t m_written = 0;  // of the tensor
};

}  // namespace vitrine
