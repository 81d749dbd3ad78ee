// Names, headers and the search for what dead processes left behind.
#include "execution/swap_file_name.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "execution/swap_file.h"

namespace vitrine {
namespace {

constexpr std::string_view kPrefix = "vitrine-swap-", kSuffix = ".kv";
constexpr char kMagic[8] = {'V', 'I', 'T', 'R', 'S', 'W', 'A', 'P'};
constexpr std::uint32_t kVersion = 1;
constexpr int kStartTimeField = 22;  // of /proc/PID/stat

// The second field is the program's name in brackets, which may hold anything; what follows is counted from
// there.
std::uint64_t startTimeOf(std::int32_t number) {
  std::ifstream file("/proc/" + std::to_string(number) + "/stat");
  const std::string line{std::istreambuf_iterator<char>(file), {}};
  const std::size_t bracket = line.rfind(')');
  if (bracket == std::string::npos) return 0;
  std::istringstream fields(line.substr(bracket + 1));
  std::string field;
  for (int i = 3; i < kStartTimeField; ++i) fields >> field;
  std::uint64_t ticks = 0;
  return fields >> ticks ? ticks : 0;
}

template <typename Number>
bool takeNumber(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool takeWord(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// Ours, of this user, and of a process that is gone. One killed before it had written the header left less
// than one.
bool isStale(int file, const ProcessId& process) {
  struct stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) return false;
  if (isAlive(process) || ::flock(file, LOCK_EX | LOCK_NB) != 0) return false;
  SwapFileHeader header{};
  if (status.st_size < static_cast<off_t>(sizeof header)) return true;
  return ::pread(file, &header, sizeof header, 0) == static_cast<ssize_t>(sizeof header) &&
         isSwapFileHeader(header, process);
}

}  // namespace

ProcessId ownProcess() { return {::getpid(), startTimeOf(::getpid())}; }

bool isAlive(const ProcessId& process) {
  if (process.number <= 0) return false;
  if (process.startTime != 0 && startTimeOf(::getpid()) != 0)
    return startTimeOf(process.number) == process.startTime;
  return ::kill(process.number, 0) == 0 || errno != ESRCH;
}

std::string swapFileName(const ProcessId& process, int count) {
  return std::string(kPrefix) + std::to_string(process.number) + "-" + std::to_string(process.startTime) +
         "-" + std::to_string(count) + std::string(kSuffix);
}

std::optional<ProcessId> processOfSwapFile(std::string_view name) {
  ProcessId process;
  int count = 0;
  const bool ours = takeWord(name, kPrefix) && takeNumber(name, process.number) && takeWord(name, "-") &&
                    takeNumber(name, process.startTime) && takeWord(name, "-") && takeNumber(name, count) &&
                    name == kSuffix;
  return ours ? std::optional(process) : std::nullopt;
}

SwapFileHeader swapFileHeader(const ProcessId& process, std::int64_t blockBytes) {
  SwapFileHeader header{{}, kVersion, process.number, process.startTime, blockBytes};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  return header;
}

bool isSwapFileHeader(const SwapFileHeader& header, const ProcessId& process) {
  return std::memcmp(header.magic, kMagic, sizeof kMagic) == 0 && header.version == kVersion &&
         header.processNumber == process.number && header.processStart == process.startTime;
}

int removeStaleSwapFiles(const std::filesystem::path& folder) {
  int removed = 0;
  std::error_code failure;
  for (std::filesystem::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    const auto process = processOfSwapFile(it->path().filename().string());
    if (!process) continue;
    const int file = ::open(it->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) continue;
    if (isStale(file, *process) && ::unlink(it->path().c_str()) == 0) ++removed;
    ::close(file);
  }
  return removed;
}

}  // namespace vitrine
