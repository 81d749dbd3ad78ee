// GgufFile: an open GGUF file, its keys read by name, and its tensors' bytes.
//
// Like ConfigReader of models/, each complaint names the file and the key. A list is read from the file when
// it is asked for. Thread: any; const after construction. Read next: gguf.h, for why nothing is mapped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/gguf.h"
#include "formats/input_file.h"

namespace vitrine {

class GgufFile {
 public:
  // Throws EngineError: what InputFile and parseGguf() throw.
  explicit GgufFile(const std::filesystem::path& path);
  // Bytes from elsewhere; `read` must outlive the file.
  GgufFile(std::size_t fileBytes, ReadBytes read, std::string_view fileName);

  const std::string& name() const { return m_name; }        // for messages: the path
  const InputFile* input() const { return m_input.get(); }  // null: bytes from elsewhere
  const GgufHeader& header() const { return m_header; }

  bool has(std::string_view key) const { return find(key) != nullptr; }
  // Required, or with what counts when the key is not there. Throw EngineError(kFileCorrupt) naming the key
  // when it is missing, of another kind, or out of range.
  std::string text(std::string_view key) const;
  std::string textOr(std::string_view key, std::string_view fallback) const;
  std::int64_t size(std::string_view key, std::int64_t largest) const;  // 1..largest
  std::int64_t sizeOr(std::string_view key, std::int64_t fallback, std::int64_t largest) const;
  std::int64_t countOr(std::string_view key, std::int64_t fallback,
                       std::int64_t largest) const;  // 0..largest
  double number(std::string_view key) const;         // finite and above 0
  double numberOr(std::string_view key, double fallback) const;
  bool flagOr(std::string_view key, bool fallback) const;
  // Lists; empty when the key is not there. `most` bounds the entries.
  bool isList(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key, std::size_t most) const;
  std::vector<double> numbers(std::string_view key, std::size_t most) const;  // flags as 0 and 1

  // A key's value as it stands in the file, behind its type.
  std::string rawValue(const GgufKey& key) const;

  // Fills `out` with a tensor's bytes from `first` on. Throws what InputFile::read() throws.
  void read(const GgufTensor& tensor, std::size_t first, std::span<std::byte> out) const;

  [[noreturn]] void fail(std::string_view key, const std::string& problem) const;  // kFileCorrupt
  [[noreturn]] void refuse(std::string_view key, const std::string& problem,
                           const std::string& hint) const;  // kUnsupported

 private:
  const GgufValue* find(std::string_view key) const;
  const GgufArray* list(std::string_view key, std::size_t most) const;

  std::unique_ptr<InputFile> m_input;
  ReadBytes m_read;
  std::size_t m_fileBytes;
  std::string m_name;
  GgufHeader m_header;
};

// Whether --model names one file instead of a folder.
bool isModelFile(const std::filesystem::path& model);

// A model's files: one, or all parts of a split one, whose first part has the keys. Throws EngineError:
// kFileNotFound naming a missing part, kFileCorrupt, kInvalidArgument for a part that is not the first.
std::vector<std::unique_ptr<GgufFile>> openGguf(const std::filesystem::path& first);

}  // namespace vitrine
