#include "output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "vitrine/error.h"
#include "vitrine/output_file.h"

namespace vitrine::cli {
namespace {

int g_error = 0;  // errno of the first write that failed; nothing is written after it

void note(bool good) {
  if (!good && g_error == 0) g_error = errno != 0 ? errno : EIO;
}

}  // namespace

void guardStandardStreams() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;  // the unusable mode
    if (::open("/dev/null", mode) != descriptor) std::_Exit(1);         // the lowest free one is this one
  }
}

void print(const char* format, ...) {
  if (g_error != 0) return;
  va_list arguments;
  va_start(arguments, format);
  errno = 0;
  note(std::vprintf(format, arguments) >= 0);
  va_end(arguments);
}

void printText(std::string_view text) {
  if (g_error != 0) return;
  errno = 0;
  note(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void flushOutput() {
  errno = 0;
  note(std::fflush(stdout) == 0);
}

void requireOutput() {
  if (g_error == 0) return;
  const std::string what = std::string("cannot write to standard output: ") + std::strerror(g_error);
  if (g_error == EPIPE) throw ReaderGone(what);
  throw EngineError(ErrorCode::kIo, what, g_error == ENOSPC ? "Free space on the disk." : "");
}

void finishOutput() {
  flushOutput();
  errno = 0;
  note(std::ferror(stdout) == 0);  // of writes that did not go through this file
  // Some file systems report a full disk only when the file is closed. Closing a duplicate is enough.
  errno = 0;
  const int twin = ::dup(STDOUT_FILENO);
  note(twin >= 0 && ::close(twin) == 0);
  requireOutput();
}

void writeFile(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.finish();
}

}  // namespace vitrine::cli
