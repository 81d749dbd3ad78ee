// MappedFile: a whole file as read-only memory (mmap), unmapped when it goes. Pages are read when touched.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace vitrine {

class MappedFile {
 public:
  // Throws EngineError: kFileNotFound, kFileUnreadable (no regular file, no permission, empty).
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return m_bytes; }
  const std::filesystem::path& path() const { return m_path; }
  // Touching a page beyond the end of a file that shrank would kill the program, so whoever is about to read
  // asks first. Throws EngineError(kFileCorrupt).
  void requireWhole() const;

 private:
  std::filesystem::path m_path;
  int m_descriptor = -1;
  std::span<const std::byte> m_bytes;
};

}  // namespace vitrine
