#include "trials/child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <system_error>
#include <thread>

#include "trials/files.h"

namespace vitrine::trials {
namespace {

namespace fs = std::filesystem;

// Between fork() and exec() of a program with threads only what a signal handler may do is allowed, so all
// strings are made before.
struct Launch {
  std::vector<std::string> words, settings;
  std::vector<char*> arguments, environment;
  std::string program, folder, in, out, err;

  Launch(const fs::path& what, const Trial& trial, const fs::path& where)
      : program(fs::absolute(what)),
        folder(where),
        in(where.string() + ".in"),
        out(where.string() + ".out"),
        err(where.string() + ".err") {
    words = {"vitrine-cli"};
    words.insert(words.end(), trial.arguments.begin(), trial.arguments.end());
    settings = {"TMPDIR=" + folder, "LC_ALL=C", "HOME=" + folder,
                // A quarantine of freed memory counts as resident; the limit is for the program.
                "ASAN_OPTIONS=exitcode=99:quarantine_size_mb=4:detect_stack_use_after_return=0:"
                "allocator_may_return_null=1",
                "UBSAN_OPTIONS=print_stacktrace=1:exitcode=99",
                "LSAN_OPTIONS=exitcode=99:print_suppressions=0:suppressions=" VITRINE_SOURCE_DIR
                "/tests/support/leaks.supp"};
    for (std::string& word : words) arguments.push_back(word.data());
    for (std::string& setting : settings) environment.push_back(setting.data());
    arguments.push_back(nullptr);
    environment.push_back(nullptr);
  }

  [[noreturn]] void go() const {
    constexpr rlim_t kLargestFile = rlim_t{64} << 20;
    const rlimit noCore{0, 0}, file{kLargestFile, kLargestFile};
    ::setrlimit(RLIMIT_CORE, &noCore);
    ::setrlimit(RLIMIT_FSIZE, &file);
    ::setpgid(0, 0);
    const int from = ::open(in.c_str(), O_RDONLY),
              to = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
              complaints = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (::dup2(from, 0) < 0 || ::dup2(to, 1) < 0 || ::dup2(complaints, 2) < 0 || ::chdir(folder.c_str()) != 0)
      ::_exit(127);
    for (const int descriptor : {from, to, complaints}) ::close(descriptor);
    ::execve(program.c_str(), arguments.data(), environment.data());
    ::_exit(127);
  }
};

}  // namespace

Ending runTrial(const fs::path& program, const Trial& trial, const fs::path& folder, const Limits& limits) {
  const Launch launch(program, trial, folder);
  writeBytes(launch.in, trial.input);
  const auto began = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) launch.go();
  Ending ending;
  int status = 0;
  rusage usage{};
  for (;;) {
    const pid_t done = ::wait4(child, &status, WNOHANG, &usage);
    if (done == child) break;
    if (!ending.late && std::chrono::steady_clock::now() - began > limits.time) {
      ending.late = true;
      ::kill(-child, SIGKILL);
      ::kill(child, SIGKILL);  // before it had a group of its own
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ending.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  ending.residentBytes = std::int64_t{usage.ru_maxrss} * 1024;
  if (WIFEXITED(status)) ending.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  ending.out = readBytes(launch.out);
  ending.err = readBytes(launch.err);
  return ending;
}

}  // namespace vitrine::trials
