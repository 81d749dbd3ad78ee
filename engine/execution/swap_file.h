// SwapFile: the file of the third tier: a header, then slots, each a record with the content of one block.
//
// The file has no name where the file system allows it (Linux's O_TMPFILE), so that it vanishes with its
// process, even if that is killed. Elsewhere its name is vitrine-swap-PID-START-N.kv; it is removed at the
// end, and the next start removes the files of killed processes. Such a file has this name and this header,
// is not locked, and names a process (number and start time) that no longer exists. No other file is ever
// touched. A record carries its owner and a checksum over the owner and all bytes: a record that is not as it
// was written is an error. Errors: EngineError: kIo (folder, disk), kFileCorrupt (truncated, changed).
// Thread: one at a time. Read next: swap_store.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cache/swap_space.h"

namespace vitrine {

class SwapFile {
 public:
  enum class Name { kNone, kVisible };

  // Name::kNone falls back to a name where the file system requires one. The first write() creates the file.
  SwapFile(std::filesystem::path folder, std::int64_t blockBytes, Name name = Name::kNone);
  ~SwapFile();
  SwapFile(const SwapFile&) = delete;
  SwapFile& operator=(const SwapFile&) = delete;

  // Checks that a file can be made: creates one and removes it. Throws EngineError(kIo).
  void probe();
  // `block` has blockBytes bytes. After an error the slot holds nothing; the next write tries again.
  void write(int slot, SwapKey key, std::span<const std::byte> block);
  void read(int slot, SwapKey key, std::span<std::byte> block);

  const std::filesystem::path& folder() const { return m_folder; }
  const std::filesystem::path& path() const { return m_path; }  // empty while there is no name

 private:
  void create();
  bool createWithoutName();
  void createWithName();
  [[noreturn]] void failWriting(const std::string& what, int error);
  [[noreturn]] void failReading(SwapKey key, const std::string& what) const;
  std::int64_t recordBytes() const;
  std::int64_t offsetOf(int slot) const;
  void close();

  const std::filesystem::path m_folder;
  const std::int64_t m_blockBytes;
  const Name m_name;
  std::filesystem::path m_path;
  int m_file = -1;
  std::uint64_t m_writes = 0;
  std::vector<std::uint64_t> m_serialOf;  // for each slot, of its last write; 0: none
  std::vector<std::byte> m_record;        // one, on its way
};

// Removes swap files whose process was killed; returns how many. 0 for a folder that cannot be read.
int removeStaleSwapFiles(const std::filesystem::path& folder);

}  // namespace vitrine
