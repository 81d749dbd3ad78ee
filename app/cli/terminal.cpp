#include "terminal.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>

namespace vitrine::cli {
namespace {

std::atomic<bool> g_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may touch no other

void onInterrupt(int) { g_interrupted = true; }

}  // namespace

Terminal::Terminal() : m_interactive(isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0) {
  struct sigaction action = {};
  action.sa_handler = onInterrupt;  // without SA_RESTART, so that reading a line ends
  sigaction(SIGINT, &action, nullptr);
}

Terminal::~Terminal() { std::signal(SIGINT, SIG_DFL); }

bool Terminal::wasInterrupted() { return g_interrupted.exchange(false); }

bool Terminal::readLine(const char* prompt, std::string& line) const {
  line.clear();
  if (m_interactive) std::fputs(prompt, stderr);
  for (;;) {
    const int c = std::getchar();
    if (c == EOF && errno == EINTR && wasInterrupted()) {
      std::clearerr(stdin);
      errno = 0;
      line.clear();
      std::fputs("\nCtrl-D or /quit leaves.\n", stderr);
      if (m_interactive) std::fputs(prompt, stderr);
      continue;
    }
    if (c == EOF) {
      if (m_interactive) std::fputs("\n", stderr);
      return !line.empty();
    }
    if (c == '\n') return true;
    line.push_back(static_cast<char>(c));
  }
}

}  // namespace vitrine::cli
