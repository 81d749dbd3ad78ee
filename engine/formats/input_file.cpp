#include "formats/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "vitrine/error.h"
#include "vitrine/files.h"

namespace vitrine {
namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10;

class Descriptor {
 public:
  explicit Descriptor(int number) : m_number(number) {}
  ~Descriptor() {
    if (m_number >= 0) ::close(m_number);
  }
  Descriptor(Descriptor&& other) noexcept : m_number(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return m_number; }
  int release() { return std::exchange(m_number, -1); }

 private:
  int m_number;
};

[[noreturn]] void unreadable(const std::filesystem::path& path, const std::string& why,
                             const char* hint = "Check the file and its permissions.") {
  throw EngineError(ErrorCode::kFileUnreadable, path.string() + " " + why, hint);
}

// Empty for a regular file.
const char* kindName(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

[[noreturn]] void notAFile(const std::filesystem::path& path, mode_t mode) {
  unreadable(path, std::string("is ") + kindName(mode) + ", not a file", "Put a regular file in its place.");
}

[[noreturn]] void cannotOpen(const std::filesystem::path& path, int error) {
  if (error == ENOENT || error == ENOTDIR)
    throw EngineError(ErrorCode::kFileNotFound, path.string() + " does not exist",
                      "Check the path; for a model, point --model at a Hugging Face model directory.");
  if (error == ELOOP)
    unreadable(path, "is a symbolic link loop", "Put the file itself in the place of the link.");
  struct stat status {};
  if (error == ENXIO && ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    notAFile(path, status.st_mode);  // a socket
  unreadable(path, std::string("cannot be opened: ") + std::strerror(error));
}

// With O_NONBLOCK, opening a pipe in the file's place does not block; for regular files it has no effect.
Descriptor openForReading(const std::filesystem::path& path, struct stat& status) {
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (number < 0) cannotOpen(path, errno);
  if (::fstat(number, &status) != 0) {
    const int error = errno;
    ::close(number);
    cannotOpen(path, error);
  }
  return Descriptor(number);
}

[[noreturn]] void tooLong(const std::filesystem::path& path, std::size_t mostBytes) {
  throw EngineError(
      ErrorCode::kFileCorrupt,
      path.string() + " is longer than the " + std::to_string(mostBytes) + " bytes such a file may have",
      "Check that the file is what its name says.");
}

[[noreturn]] void shorter(const std::filesystem::path& path, const std::string& what) {
  throw EngineError(ErrorCode::kFileCorrupt, path.string() + " became shorter while " + what + " was read",
                    "Wait until the file is written, then load it again.");
}

void waitForBytes(int descriptor) {
  pollfd awaited{descriptor, POLLIN, 0};
  ::poll(&awaited, 1, -1);
}

// Up to `room` bytes; 0 at the end.
std::size_t readSome(int descriptor, char* out, std::size_t room, const std::filesystem::path& path) {
  for (;;) {
    const ssize_t count = ::read(descriptor, out, room);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EAGAIN)
      waitForBytes(descriptor);
    else if (errno != EINTR)
      unreadable(path, std::string("cannot be read: ") + std::strerror(errno));
  }
}

Descriptor openInput(const std::filesystem::path& path, InputKind kind, struct stat& status) {
  Descriptor file = openForReading(path, status);
  const bool stream = S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode);
  if (!S_ISREG(status.st_mode) && !(stream && kind == InputKind::kFileOrPipe)) notAFile(path, status.st_mode);
  if (stream) waitForBytes(file.number());  // before the first writer has come a pipe reads as if at its end
  return file;
}

}  // namespace

std::string readWholeFile(const std::filesystem::path& path, std::size_t mostBytes, InputKind kind) {
  struct stat status {};
  const Descriptor file = openInput(path, kind, status);
  const std::size_t expected = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
  if (expected > mostBytes) tooLong(path, mostBytes);
  std::string text;
  for (std::size_t length = 0;;) {
    text.resize(std::max(length + kChunk, expected + 1));
    const std::size_t count = readSome(file.number(), text.data() + length, text.size() - length, path);
    length += count;
    if (length > mostBytes) tooLong(path, mostBytes);
    if (count > 0) continue;
    if (length < expected) shorter(path, "it");
    text.resize(length);
    return text;
  }
}

void readChunks(const std::filesystem::path& path, const std::function<void(std::string_view)>& accept) {
  struct stat status {};
  const Descriptor file = openInput(path, InputKind::kFileOrPipe, status);
  std::string chunk(kChunk, '\0');
  while (const std::size_t count = readSome(file.number(), chunk.data(), chunk.size(), path))
    accept(std::string_view(chunk).substr(0, count));
}

bool isThere(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

InputFile::InputFile(std::filesystem::path path) : m_path(std::move(path)) {
  Descriptor file = openForReading(m_path, m_opened);
  if (!S_ISREG(m_opened.st_mode)) notAFile(m_path, m_opened.st_mode);
  if (m_opened.st_size == 0) unreadable(m_path, "is empty");
  m_descriptor = file.release();
}

InputFile::~InputFile() { ::close(m_descriptor); }

FileIdentity InputFile::identity() const {
  const auto ns = [](const timespec& time) {
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
  };
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(m_path, failure);
  return {failure ? m_path : absolute.lexically_normal(), m_opened.st_ino, m_opened.st_size,
          ns(m_opened.st_mtim), ns(m_opened.st_ctim)};
}

void InputFile::read(std::size_t offset, std::span<std::byte> out, const std::string& what) const {
  while (!out.empty()) {
    const ssize_t count = ::pread(m_descriptor, out.data(), out.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) unreadable(m_path, "cannot be read at " + what + ": " + std::strerror(errno));
    if (count == 0) shorter(m_path, what);
    offset += static_cast<std::size_t>(count);
    out = out.subspan(static_cast<std::size_t>(count));
  }
  requireUnchanged(what);
}

void InputFile::requireUnchanged(const std::string& what) const {
  struct stat now {};
  if (::fstat(m_descriptor, &now) != 0) unreadable(m_path, std::string("is lost: ") + std::strerror(errno));
  if (now.st_size < m_opened.st_size) shorter(m_path, what);
  if (now.st_size == m_opened.st_size && now.st_mtim.tv_sec == m_opened.st_mtim.tv_sec &&
      now.st_mtim.tv_nsec == m_opened.st_mtim.tv_nsec)
    return;
  throw EngineError(ErrorCode::kFileCorrupt, m_path.string() + " was written to while " + what + " was read",
                    "Wait until the file is written, then load it again.");
}

}  // namespace vitrine
