#include "events/chunk_store.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "core/whole_io.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

// The window's thread packs: higher levels cost more time than they save space.
constexpr int kLevel = 1;

std::string packed(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);  // finds what a faulty disk has changed
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), text.data(), text.size());
  if (ZSTD_isError(size)) throw std::bad_alloc();
  return {out.data(), size};
}

// The file has no name from the beginning where the file system supports it; elsewhere the name is removed at
// once.
int openUnnamed(const std::filesystem::path& folder) {
#ifdef O_TMPFILE
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (file >= 0) return file;
#endif
  std::string name = (folder / "recording-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

ChunkStore::ChunkStore(std::filesystem::path folder) : m_folder(std::move(folder)) {}

ChunkStore::~ChunkStore() {
  if (m_file >= 0) ::close(m_file);
}

bool ChunkStore::open() {
  if (m_file < 0) m_file = openUnnamed(m_folder);
  return m_file >= 0;
}

bool ChunkStore::write(const std::string& packed) {
  struct statvfs disk {};
  if (!open()) return false;
  if (::fstatvfs(m_file, &disk) == 0 &&
      static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize) < kSpareBytes) {
    errno = ENOSPC;
    return false;
  }
  return writeAll(m_file, packed.data(), packed.size(), m_fileBytes);
}

ChunkStore::Place ChunkStore::put(std::string_view text) {
  std::string bytes = packed(text);
  Place place{0, bytes.size(), text.size(), false};
  if (!m_folder.empty()) {
    place.inFile = write(bytes);
    if (!place.inFile) m_complaint = m_folder.string() + ": " + std::strerror(errno);
  }
  if (place.inFile) {
    place.at = std::exchange(m_fileBytes, m_fileBytes + static_cast<std::int64_t>(bytes.size()));
  } else {
    place.at = static_cast<std::int64_t>(m_inMemory.size());
    m_memoryBytes += static_cast<std::int64_t>(bytes.size());
    m_inMemory.push_back(std::move(bytes));
  }
  return place;
}

std::string ChunkStore::get(const Place& place) const {
  std::string read;
  if (place.inFile) {
    read.resize(place.packedBytes);
    if (!readAll(m_file, read.data(), read.size(), place.at))
      throw EngineError(ErrorCode::kIo,
                        "the recording in " + m_folder.string() +
                            " cannot be read: " + (errno == 0 ? "it was cut short" : std::strerror(errno)),
                        "Check the disk; the machine itself is not harmed.");
  }
  const std::string& bytes = place.inFile ? read : m_inMemory.at(static_cast<std::size_t>(place.at));
  std::string text(place.plainBytes, '\0');
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) || size != text.size())
    throw EngineError(ErrorCode::kFileCorrupt, "the recording in " + m_folder.string() + " was changed",
                      "Check the disk; the machine itself is not harmed.");
  return text;
}

}  // namespace vitrine
