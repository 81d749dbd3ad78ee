// vitrine-trials: spoilt model folders, random command lines and random request files against vitrine-cli.
//
// Each trial follows from the seed, its kind and its index, so that one which failed can be run again alone
// and looked at. README.md beside this says how.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "trials/child.h"
#include "trials/verdict.h"

namespace vitrine::trials {
namespace {

namespace fs = std::filesystem;

struct Kind {
  const char* name;
  Trial (*make)(Dice&, const fs::path&);
};
constexpr std::array<Kind, 3> kKinds = {
    {{"models", mutatedModel}, {"commands", randomCommand}, {"requests", randomRequests}}};

struct Arguments {
  fs::path cli, scratch;
  std::uint64_t seed = 1;
  std::array<int, kKinds.size()> counts = {40, 40, 20};
  int jobs = 2, seconds = 10, megabytes = 2048;
  std::string only;  // "models:17"
};

struct Tally {
  int answered = 0, refused = 0, usage = 0, failed = 0;
  double slowest = 0;
  std::int64_t largest = 0;
  int slowestIndex = 0, largestIndex = 0;

  void add(int index, const Ending& ending, bool isFault) {
    ++(isFault ? failed : ending.status == 0 ? answered : ending.status == 1 ? refused : usage);
    if (ending.seconds > slowest) slowest = ending.seconds, slowestIndex = index;
    if (ending.residentBytes > largest) largest = ending.residentBytes, largestIndex = index;
  }
};

std::string quoted(const std::string& word) {
  const auto plain = [](char c) -> bool {
    return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("-_./=,:", c) != nullptr;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string out = "$'";
  for (const char c : word.substr(0, 80)) {
    char text[8];
    const bool readable = c >= ' ' && c < 0x7f && c != '\'' && c != '\\';
    std::snprintf(text, sizeof text, readable ? "%c" : "\\x%02x",
                  readable ? c : static_cast<unsigned char>(c));
    out += text;
  }
  return out + "'" + (word.size() > 80 ? "...(" + std::to_string(word.size()) + " bytes)" : "");
}

class Runner {
 public:
  explicit Runner(const Arguments& arguments)
      : m_arguments(arguments),
        m_limits{std::chrono::seconds(arguments.seconds), std::int64_t{arguments.megabytes} << 20} {}

  void run(std::size_t kind, int index, bool keep) {
    const fs::path folder =
        m_arguments.scratch / (std::string(kKinds[kind].name) + "-" + std::to_string(index));
    fs::remove_all(folder);
    fs::create_directories(folder);
    Dice dice(m_arguments.seed, static_cast<int>(kind), index);
    const Trial trial = kKinds[kind].make(dice, folder);
    const Ending ending = runTrial(m_arguments.cli, trial, folder, m_limits);
    const std::string fault = faultOf(trial, ending, m_limits);
    {
      const std::lock_guard lock(m_mutex);
      m_tallies[kind].add(index, ending, !fault.empty());
      if (!fault.empty() || keep) report(kind, index, trial, ending, fault);
    }
    if (keep) return;
    fs::remove_all(folder);
    for (const char* end : {".in", ".out", ".err"}) fs::remove(folder.string() + end);
  }

  // The counts of what was run; the exit status.
  int report() const {
    int failed = 0;
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      const Tally& tally = m_tallies[kind];
      failed += tally.failed;
      std::printf(
          "%-8s %5d: %5d answered, %5d refused, %5d wrong usage, %d failed; slowest %.1f s (%d), "
          "largest %lld MiB (%d)\n",
          kKinds[kind].name, tally.answered + tally.refused + tally.usage + tally.failed, tally.answered,
          tally.refused, tally.usage, tally.failed, tally.slowest, tally.slowestIndex,
          static_cast<long long>(tally.largest >> 20), tally.largestIndex);
    }
    return failed > 0 ? 1 : 0;
  }

 private:
  void report(std::size_t kind, int index, const Trial& trial, const Ending& ending,
              const std::string& fault) const {
    std::string line;
    for (const std::string& word : trial.arguments) line += " " + quoted(word);
    std::printf("%s %d: %s\n  %s\n  vitrine-cli%s\n  %.2f s, %lld MiB, exit %d\n", kKinds[kind].name, index,
                fault.empty() ? "good" : fault.c_str(), trial.story.c_str(), line.c_str(), ending.seconds,
                static_cast<long long>(ending.residentBytes >> 20), ending.status);
    constexpr std::size_t kShown = 3000;
    std::printf("  | %s\n  again: vitrine-trials --cli %s --seed %llu --only %s:%d\n\n",
                ending.err.substr(0, kShown).c_str(), m_arguments.cli.c_str(),
                static_cast<unsigned long long>(m_arguments.seed), kKinds[kind].name, index);
    std::fflush(stdout);
  }

  const Arguments& m_arguments;
  const Limits m_limits;
  std::mutex m_mutex;
  std::array<Tally, kKinds.size()> m_tallies;
};

int runOnly(const Arguments& arguments, Runner& runner) {
  const std::size_t colon = arguments.only.find(':');
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    if (arguments.only.substr(0, colon) != kKinds[kind].name || colon == std::string::npos) continue;
    runner.run(kind, std::stoi(arguments.only.substr(colon + 1)), true);
    std::printf("its folder is kept in %s\n", arguments.scratch.c_str());
    return runner.report();
  }
  std::fprintf(stderr, "--only wants models, commands or requests, a colon and an index\n");
  return 2;
}

int runAll(const Arguments& arguments, Runner& runner) {
  std::vector<std::pair<std::size_t, int>> all;
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    for (int index = 0; index < arguments.counts[kind]; ++index) all.emplace_back(kind, index);
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> workers;
  for (int job = 0; job < arguments.jobs; ++job)
    workers.emplace_back([&] {
      for (std::size_t i = next++; i < all.size(); i = next++) runner.run(all[i].first, all[i].second, false);
    });
  workers.clear();
  std::error_code ignored;
  fs::remove(arguments.scratch, ignored);
  return runner.report();
}

}  // namespace
}  // namespace vitrine::trials

int main(int argc, char** argv) {
  using namespace vitrine::trials;
  Arguments arguments;
  CLI::App app("Spoilt models, random command lines and random requests against vitrine-cli.",
               "vitrine-trials");
  app.add_option("--cli", arguments.cli, "the program to try")->required()->check(CLI::ExistingFile);
  app.add_option("--seed", arguments.seed, "same seed, same trials")->capture_default_str();
  app.add_option("--models", arguments.counts[0], "how many spoilt model folders")->capture_default_str();
  app.add_option("--commands", arguments.counts[1], "how many command lines")->capture_default_str();
  app.add_option("--requests", arguments.counts[2], "how many request files")->capture_default_str();
  app.add_option("--jobs", arguments.jobs, "trials at a time")->capture_default_str();
  app.add_option("--seconds", arguments.seconds, "that a trial may take")->capture_default_str();
  app.add_option("--megabytes", arguments.megabytes, "that may be resident")->capture_default_str();
  app.add_option("--only", arguments.only, "one trial again, its folder kept: models:17");
  app.add_option("--scratch", arguments.scratch, "where folders are made; default: a new one in /tmp");
  CLI11_PARSE(app, argc, argv);
  if (arguments.scratch.empty()) {
    char name[] = "/tmp/vitrine-trials-XXXXXX";
    if (::mkdtemp(name) == nullptr) return 2;
    arguments.scratch = name;
  }
  Runner runner(arguments);
  return arguments.only.empty() ? runAll(arguments, runner) : runOnly(arguments, runner);
}
