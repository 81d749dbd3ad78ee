#include "models/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "vitrine/error.h"

namespace vitrine {
namespace {

[[noreturn]] void unreadable(const std::filesystem::path& path, const std::string& why) {
  throw EngineError(ErrorCode::kFileUnreadable, path.string() + " " + why,
                    "Check the file and its permissions.");
}

// O_NONBLOCK keeps a pipe put in the file's place from holding us for ever; for regular files it means
// nothing.
int openForReading(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0) return descriptor;
  if (errno == ENOENT) throw EngineError(ErrorCode::kFileNotFound, path.string() + " does not exist");
  unreadable(path, std::string("cannot be opened: ") + std::strerror(errno));
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : m_path(path), m_descriptor(openForReading(path)) {
  struct stat status {};
  std::string why;
  if (::fstat(m_descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    why = "is not a regular file";
  } else if (status.st_size == 0) {
    why = "is empty";
  } else {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, m_descriptor, 0);
    if (memory != MAP_FAILED) {
      m_bytes = {static_cast<const std::byte*>(memory), size};
      return;
    }
    why = std::string("cannot be mapped: ") + std::strerror(errno);
  }
  ::close(m_descriptor);
  unreadable(m_path, why);
}

MappedFile::~MappedFile() {
  ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
  ::close(m_descriptor);
}

void MappedFile::requireWhole() const {
  struct stat status {};
  if (::fstat(m_descriptor, &status) == 0 && static_cast<std::size_t>(status.st_size) >= m_bytes.size())
    return;
  throw EngineError(ErrorCode::kFileCorrupt, m_path.string() + " became shorter while it was read",
                    "Wait until the file is written, then load the model again.");
}

}  // namespace vitrine
