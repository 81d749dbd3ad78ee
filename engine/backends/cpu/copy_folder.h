// CopyFolder: the folder of packed copies, and how much of the disk they may take.
//
// A new copy is refused where it would leave less than a part of the disk free, and the copies that were used
// least recently go until all of them are within the limit: a copy costs a slower start when it is missed,
// and a full disk costs more. Use is noted as the time of the file (access times are often off). Several
// processes may do all of this at once: a file that another one has removed is no error. Thread: any. Read
// next: packed_copies.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace vitrine::cpu {

struct CopyLimits {
  // Of a copy: packing less takes a tenth of a second (README.md).
  std::int64_t leastBytes = std::int64_t{128} << 20;
  std::int64_t mostBytes = std::int64_t{32} << 30;  // of all copies
  int freePercent = 10;                             // of the disk, which stay free
};

class CopyFolder {
 public:
  CopyFolder(std::filesystem::path folder, CopyLimits limits)
      : m_folder(std::move(folder)), m_limits(limits) {}

  const CopyLimits& limits() const { return m_limits; }
  std::filesystem::path place(const std::string& model) const;  // of that model's copy
  void noteUse(const std::filesystem::path& copy) const;

  // Makes the folder, and room for a copy of so many bytes at `place`, whose place another copy may have now.
  // Throws EngineError(kIo) where there is none.
  void makeRoom(const std::filesystem::path& place, std::int64_t bytes) const;

 private:
  void removeLeastUsed(const std::filesystem::path& place, std::int64_t bytes) const;

  std::filesystem::path m_folder;
  CopyLimits m_limits;
};

}  // namespace vitrine::cpu
