// SwapFile: the third tier's file: a header and then slots, each a record with one block's content.
//
// A file that has no name vanishes with its process, even with one that is killed; so the file is made
// without a name (Linux's O_TMPFILE) where the file system can do that. Elsewhere it is called
// vitrine-swap-PID-START-N.kv, is removed at the end, and what a killed process left is removed by the next
// start: such a file has our name and header, is not locked, and its process (number and start time) is
// gone. Nothing else is ever touched. A record says whose content it is and carries a checksum over that and
// all bytes: what does not come back as it was written is an error, never an answer. Errors: EngineError: kIo
// (folder, disk), kFileCorrupt (truncated, changed). Thread: one at a time. Read next: swap_store.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cache/swap_space.h"

namespace vitrine {

// A 64-bit checksum that any change of a single byte changes, made of four lanes so that it runs at the speed
// of memory.
std::uint64_t checksum64(std::span<const std::byte> bytes, std::uint64_t seed);

class SwapFile {
 public:
  enum class Name { kNone, kVisible };

  // Name::kNone falls back to a name where it must. Nothing is created before the first write().
  SwapFile(std::filesystem::path folder, std::int64_t blockBytes, Name name = Name::kNone);
  ~SwapFile();
  SwapFile(const SwapFile&) = delete;
  SwapFile& operator=(const SwapFile&) = delete;

  void probe();  // whether there can be a file: makes one and takes it away
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

// Removes swap files whose process was killed; returns how many. Says nothing of a folder it cannot read.
int removeStaleSwapFiles(const std::filesystem::path& folder);

}  // namespace vitrine
