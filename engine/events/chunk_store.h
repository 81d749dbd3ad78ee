// ChunkStore: stores texts compressed (zstd), and reads them back one by one.
//
// The texts lie in an unnamed file of `folder`, which vanishes with the program even when that is killed.
// They lie in memory instead when the file cannot be created, and as long as less than kSpareBytes of the
// disk are free: no text is lost. Thread: one.
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

  const std::filesystem::path& folder() const { return m_folder; }
  std::int64_t bytesInFile() const { return m_fileBytes; }
  std::int64_t bytesInMemory() const { return m_memoryBytes; }
  // Why texts lie in memory that should lie in the file; empty without a fault.
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
