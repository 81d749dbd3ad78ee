// ChunkStore: texts put away compressed (zstd), to be asked for again one by one.
//
// They lie in a file of `folder` that has no name, so that it vanishes with the program even when that is
// killed. Where no such file can be made, and for as long as the disk is full (kSpareBytes of it are left to
// others), they lie in memory instead: nothing that was put is ever lost. Thread: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

class ChunkStore {
 public:
  static constexpr std::int64_t kSpareBytes = std::int64_t{256} << 20;

  struct Place {
    std::int64_t at = 0;  // offset in the file, or number in memory
    std::size_t packedBytes = 0, plainBytes = 0;
    bool inFile = false;
  };

  explicit ChunkStore(std::filesystem::path folder);  // empty: in memory
  ~ChunkStore();
  ChunkStore(const ChunkStore&) = delete;
  ChunkStore& operator=(const ChunkStore&) = delete;

  Place put(std::string_view text);
  std::string get(const Place& place) const;  // throws EngineError: kIo, kFileCorrupt
  void clear();                               // no place is valid any more

  std::int64_t bytesInFile() const { return m_fileBytes; }
  std::int64_t bytesInMemory() const { return m_memoryBytes; }
  // Why something lies in memory that should lie in the file; empty as long as all is well.
  const std::string& complaint() const { return m_complaint; }

 private:
  bool write(const std::string& packed);
  bool open();

  const std::filesystem::path m_folder;
  int m_file = -1;
  std::int64_t m_fileBytes = 0, m_memoryBytes = 0;
  std::vector<std::string> m_inMemory;
  std::string m_complaint;
};

}  // namespace vitrine
