#include "backends/cpu/copy_folder.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <vector>

#include "core/checksum64.h"
#include "vitrine/error.h"

namespace vitrine::cpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".packed";
constexpr auto kLongestWriting = std::chrono::hours(6);  // a part that is older was left by a killed process

std::string inMiB(std::int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

// Removes what killed processes left, and lists the copies.
struct KnownCopy {
  fs::path path;
  fs::file_time_type used;
  std::int64_t bytes = 0;
};
std::vector<KnownCopy> copiesIn(const fs::path& folder) {
  std::vector<KnownCopy> found;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure); !failure && at != fs::directory_iterator();
       at.increment(failure)) {
    std::error_code gone;
    const fs::path path = at->path();
    const auto used = at->last_write_time(gone);
    const auto bytes = gone ? 0 : at->file_size(gone);
    if (gone) continue;
    const std::string name = path.filename().string();
    if (name.ends_with(".part") && name.find(kEnding) != std::string::npos) {
      if (fs::file_time_type::clock::now() - used > kLongestWriting) fs::remove(path, gone);
    } else if (name.ends_with(kEnding)) {
      found.push_back({path, used, static_cast<std::int64_t>(bytes)});
    }
  }
  return found;
}

}  // namespace

fs::path CopyFolder::place(const std::string& model) const {
  constexpr char kDigits[] = "0123456789abcdef";
  const std::uint64_t sum = checksum64(std::as_bytes(std::span(model)), 0);
  std::string name;
  for (int shift = 60; shift >= 0; shift -= 4) name += kDigits[sum >> shift & 15];
  return m_folder / (name + kEnding);
}

void CopyFolder::noteUse(const fs::path& copy) const {
  std::error_code ignored;  // a folder that cannot be written to gets no copies either
  fs::last_write_time(copy, fs::file_time_type::clock::now(), ignored);
}

void CopyFolder::makeRoom(const fs::path& place, std::int64_t bytes) const {
  std::error_code failure;
  const bool isNew = fs::create_directories(m_folder, failure);
  if (failure)
    throw EngineError(ErrorCode::kIo, m_folder.string() + " cannot be created: " + failure.message());
  if (isNew) fs::permissions(m_folder, fs::perms::owner_all, failure);
  if (bytes > m_limits.mostBytes)
    throw EngineError(ErrorCode::kIo, "a copy of " + inMiB(bytes) +
                                          " is larger than all copies may be together (" +
                                          inMiB(m_limits.mostBytes) + ")");
  removeLeastUsed(place, bytes);
  const fs::space_info disk = fs::space(m_folder, failure);
  if (failure)
    throw EngineError(ErrorCode::kIo, m_folder.string() + " cannot be looked at: " + failure.message());
  const auto spare = static_cast<double>(disk.capacity) * m_limits.freePercent / 100;
  if (static_cast<double>(disk.available) - static_cast<double>(bytes) < spare)
    throw EngineError(ErrorCode::kIo, "a copy of " + inMiB(bytes) + " in " + m_folder.string() +
                                          " would leave less than " + std::to_string(m_limits.freePercent) +
                                          " % of the disk free");
}

void CopyFolder::removeLeastUsed(const fs::path& place, std::int64_t bytes) const {
  std::vector<KnownCopy> copies = copiesIn(m_folder);
  std::erase_if(copies, [&](const KnownCopy& copy) { return copy.path == place; });
  std::ranges::sort(copies, {}, &KnownCopy::used);
  std::int64_t all = bytes;
  for (const KnownCopy& copy : copies) all += copy.bytes;
  for (const KnownCopy& copy : copies) {
    if (all <= m_limits.mostBytes) return;
    std::error_code ignored;
    fs::remove(copy.path, ignored);
    all -= copy.bytes;
  }
}

}  // namespace vitrine::cpu
