#include "vitrine/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "vitrine/error.h"

namespace vitrine {
namespace {

constexpr std::size_t kMostWaiting = std::size_t{1} << 16;

// The file a link leads to; the name itself when there is none.
std::filesystem::path behindLinks(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::is_symlink(path, failure)) return path;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, failure);
  return failure ? path : target;
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : m_path(path) { open(); }

OutputFile::~OutputFile() { close(); }

void OutputFile::open() {
  struct stat status {};
  const bool exists = ::stat(m_path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    fail("created");
  }
  if (exists && !S_ISREG(status.st_mode)) {
    m_descriptor = ::open(m_path.c_str(), O_WRONLY | O_CLOEXEC);
    if (m_descriptor < 0) fail("opened");
    return;
  }
  m_target = behindLinks(m_path);
  static std::atomic<int> files = 0;
  do {  // a name that is taken was left by a killed program
    m_part = m_target;
    m_part += "." + std::to_string(::getpid()) + "-" + std::to_string(++files) + ".part";
    m_descriptor = ::open(m_part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (m_descriptor < 0 && errno == EEXIST);
  if (m_descriptor < 0) fail("created");
  if (exists && ::fchmod(m_descriptor, status.st_mode & 07777) != 0)
    errno = 0;  // a file system without modes
}

void OutputFile::write(std::string_view bytes) {
  m_waiting += bytes;
  if (m_waiting.size() >= kMostWaiting) flush();
}

void OutputFile::flush() {
  std::string_view rest = m_waiting;
  while (!rest.empty()) {
    const ssize_t count = ::write(m_descriptor, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = ENOSPC;
    if (count <= 0) fail("written");
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  m_waiting.clear();
}

void OutputFile::finish() {
  flush();
  // Some file systems report a full disk only here; others not at all.
  if (::fsync(m_descriptor) != 0 && errno != EINVAL && errno != ENOTSUP) fail("written");
  if (::close(std::exchange(m_descriptor, -1)) != 0) fail("written");
  if (m_part.empty()) return;
  if (::rename(m_part.c_str(), m_target.c_str()) != 0) fail("created");
  m_part.clear();
}

void OutputFile::close() {
  if (m_descriptor >= 0) ::close(std::exchange(m_descriptor, -1));
  if (!m_part.empty()) ::unlink(m_part.c_str());
  m_part.clear();
}

void OutputFile::fail(const char* what) const {
  const int error = errno;
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw EngineError(ErrorCode::kIo, m_path.string() + " cannot be " + what + ": " + std::strerror(error),
                    full ? "Free space on the disk, or choose another folder."
                         : "Choose a folder that exists and can be written to.");
}

}  // namespace vitrine
