#include "execution/swap_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "core/check.h"
#include "core/checksum64.h"
#include "core/whole_io.h"
#include "execution/swap_file_name.h"

namespace vitrine {
namespace {

constexpr std::int64_t kFirstRecord = 4096;  // the header's page
constexpr std::uint64_t kRecordMagic = 0x6b636f6c42764b56;

struct RecordHeader {
  std::uint64_t magic, serial;
  std::int32_t sequence, index;
  std::uint64_t checksum;
};

std::uint64_t checksumOf(const RecordHeader& header, std::span<const std::byte> block) {
  RecordHeader owner = header;
  owner.checksum = 0;
  return checksum64(block, checksum64(std::as_bytes(std::span(&owner, 1)), 0));
}

}  // namespace

SwapFile::SwapFile(std::filesystem::path folder, std::int64_t blockBytes, Name name)
    : m_folder(std::move(folder)), m_blockBytes(blockBytes), m_name(name) {}

SwapFile::~SwapFile() { close(); }

void SwapFile::close() {
  if (!m_path.empty()) ::unlink(m_path.c_str());
  if (m_file >= 0) ::close(m_file);
  m_path.clear();
  m_file = -1;
}

std::int64_t SwapFile::recordBytes() const {
  return static_cast<std::int64_t>(sizeof(RecordHeader)) + m_blockBytes;
}

std::int64_t SwapFile::offsetOf(int slot) const { return kFirstRecord + slot * recordBytes(); }

bool SwapFile::createWithoutName() {
#ifdef O_TMPFILE
  m_file = ::open(m_folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
#endif
  return m_file >= 0;
}

// Locked before the header is written, so that no engine takes it for a dead process's file in between.
void SwapFile::createWithName() {
  static std::atomic<int> files = 0;
  const std::filesystem::path path = m_folder / swapFileName(ownProcess(), ++files);
  m_file = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (m_file < 0) failWriting("cannot make a swap file", errno);
  m_path = path;
  if (::flock(m_file, LOCK_EX | LOCK_NB) != 0) failWriting("cannot lock the swap file", errno);
}

void SwapFile::create() {
  if (m_name == Name::kVisible || !createWithoutName()) createWithName();
  const SwapFileHeader header = swapFileHeader(ownProcess(), m_blockBytes);
  if (!writeAll(m_file, &header, sizeof header, 0)) failWriting("cannot write to the swap file", errno);
}

// Without a file when it could not even be made whole.
void SwapFile::failWriting(const std::string& what, int error) {
  if (m_serialOf.empty()) close();
  throw EngineError(ErrorCode::kIo, what + " in " + m_folder.string() + ": " + std::strerror(error),
                    "name a folder with free space with --swap-folder, or give more --host-swap");
}

void SwapFile::failReading(SwapKey key, const std::string& what) const {
  throw EngineError(ErrorCode::kFileCorrupt,
                    "block " + std::to_string(key.index) + " of sequence " + std::to_string(key.sequence) +
                        " did not come back from the swap file in " + m_folder.string() + ": " + what,
                    "the answer is not in danger, since its tokens are computed again; check the disk");
}

void SwapFile::probe() {
  create();
  close();
}

void SwapFile::write(int slot, SwapKey key, std::span<const std::byte> block) {
  VITRINE_CHECK(static_cast<std::int64_t>(block.size()) == m_blockBytes && slot >= 0);
  if (m_file < 0) create();
  m_record.resize(static_cast<std::size_t>(recordBytes()));
  RecordHeader header{kRecordMagic, ++m_writes, key.sequence, key.index, 0};
  header.checksum = checksumOf(header, block);
  std::memcpy(m_record.data(), &header, sizeof header);
  std::memcpy(m_record.data() + sizeof header, block.data(), block.size());
  if (static_cast<std::size_t>(slot) >= m_serialOf.size())
    m_serialOf.resize(static_cast<std::size_t>(slot) + 1);
  m_serialOf[static_cast<std::size_t>(slot)] = 0;
  if (!writeAll(m_file, m_record.data(), m_record.size(), offsetOf(slot)))
    failWriting("cannot write to the swap file", errno);
  m_serialOf[static_cast<std::size_t>(slot)] = header.serial;
}

void SwapFile::read(int slot, SwapKey key, std::span<std::byte> block) {
  VITRINE_CHECK(static_cast<std::int64_t>(block.size()) == m_blockBytes && m_file >= 0);
  const std::uint64_t serial = m_serialOf.at(static_cast<std::size_t>(slot));
  m_record.resize(static_cast<std::size_t>(recordBytes()));
  if (!readAll(m_file, m_record.data(), m_record.size(), offsetOf(slot)))
    failReading(key, errno == 0 ? "the file was truncated" : std::strerror(errno));
  RecordHeader header{};
  std::memcpy(&header, m_record.data(), sizeof header);
  const std::span<const std::byte> content = std::span(m_record).subspan(sizeof header);
  if (header.magic != kRecordMagic || header.serial != serial || header.sequence != key.sequence ||
      header.index != key.index)
    failReading(key, "another record stands in its place");
  if (header.checksum != checksumOf(header, content)) failReading(key, "its checksum differs");
  std::memcpy(block.data(), content.data(), content.size());
}

}  // namespace vitrine
