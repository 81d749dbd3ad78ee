// InputFile: a large regular file of which parts are read, such as the tensors of a weight file.
//
// Parts are copied (pread), not mapped. When a mapped file shrinks, an access behind its end kills the
// program; a short read is an ordinary error. (Packed weights are mapped for a moment: cpu/mapped_copy.h.)
// The file must not change after it was opened: a mixture of two models would give wrong answers and no
// error. Thread: any, read() is const.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace vitrine {

// What tells a file from every other, and from itself before a change.
struct FileIdentity {
  std::filesystem::path path;  // absolute
  std::uint64_t inode = 0;
  std::int64_t bytes = 0, writtenNs = 0, changedNs = 0;  // changed: its times, name or mode, too (ctime)
};

class InputFile {
 public:
  // Throws EngineError: kFileNotFound; kFileUnreadable (no regular file, no permission, empty).
  explicit InputFile(std::filesystem::path path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  std::size_t size() const {
    return static_cast<std::size_t>(m_opened.st_size);
  }  // bytes, when it was opened

  FileIdentity identity() const;  // when it was opened

  int descriptor() const { return m_descriptor; }

  // Fills `out` with the bytes from `offset` on; `what` says in an error what was read ("tensor
  // lm_head.weight"). Throws EngineError: kFileCorrupt when the file became shorter or was written to,
  // kFileUnreadable when the disk fails.
  void read(std::size_t offset, std::span<std::byte> out, const std::string& what) const;

 private:
  void requireUnchanged(const std::string& what) const;

  std::filesystem::path m_path;
  int m_descriptor = -1;
  struct stat m_opened {};
};

// A file or pipe of any length, a part at a time. Throws what readWholeFile() throws (vitrine/files.h) but
// for its limit.
void readChunks(const std::filesystem::path& path, const std::function<void(std::string_view)>& accept);

}  // namespace vitrine
