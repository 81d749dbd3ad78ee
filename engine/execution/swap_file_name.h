// How a swap file is recognised: by its name, its header, and the process that they name.
//
// A process is its number and its start time, since systems use numbers again. Thread: any. Read next:
// swap_file.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vitrine {

struct ProcessId {
  std::int32_t number = 0;
  std::uint64_t startTime = 0;  // in clock ticks since the system's start; 0 when it is not known

  bool operator==(const ProcessId&) const = default;
};
ProcessId ownProcess();
bool isAlive(const ProcessId& process);

std::string swapFileName(const ProcessId& process, int count);
std::optional<ProcessId> processOfSwapFile(std::string_view name);  // none for any other name

struct SwapFileHeader {
  char magic[8];
  std::uint32_t version;
  std::int32_t processNumber;
  std::uint64_t processStart;
  std::int64_t blockBytes;
};
SwapFileHeader swapFileHeader(const ProcessId& process, std::int64_t blockBytes);
bool isSwapFileHeader(const SwapFileHeader& header, const ProcessId& process);

}  // namespace vitrine
