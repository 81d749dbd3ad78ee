// What a step of the scheduler costs in processor time, without a model: all sequences decode, one token each
// in every step, with the prefix cache on, so that blocks are allocated and registered as they fill. The
// tokens that the bench itself appends in the place of a sampler are not timed.
//
//   bench_scheduler [--repeats N] [--json]
//
// Each case keeps its own scheduler. The cases take turns, one repeat of 64 or 256 steps at a time, so that a
// slow moment of the computer meets all of them. To compare two builds, run their programs in turn as well:
//   for i in 1 2 3 4 5; do OLD/bench_scheduler --json > old.$i; NEW/bench_scheduler --json > new.$i; done
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "scheduling/scheduler.h"

using namespace vitrine;

namespace {

struct Case {
  const char* name;
  int sequences;      // that run
  int waiting;        // requests that wait for a slot
  int waitingPrompt;  // tokens of each of their prompts
  bool cached;        // whether the waiting prompts are in the prefix cache
  int steps;          // of one repeat
};

constexpr Case kCases[] = {
    {"decode 16", 16, 0, 0, false, 256},
    {"decode 256", 256, 0, 0, false, 256},
    {"decode 4096", 4096, 0, 0, false, 64},
    {"decode 256, 100000 wait", 256, 100000, 16, false, 256},
    {"decode 256, a cached prompt of 4096 waits", 256, 1, 4096, true, 256},
    {"decode 256, a cached prompt of 32768 waits", 256, 1, 32768, true, 64},
};
constexpr int kPrompt = 256, kBlockSize = 16, kWarmUp = 32;

double nsBy(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}
// Processor time of this thread: the time of other programs does not count. Reading it takes a system call.
double threadNs() { return nsBy(CLOCK_THREAD_CPUTIME_ID); }
// For what is shorter than a step.
double wallNs() { return nsBy(CLOCK_MONOTONIC); }

class NullSink : public EventSink {
 public:
  void publish(const Event&) override {}
};

class Machine {
 public:
  Machine(const Case& c, int repeats) : m_case(c), m_stream(m_sink, 1) {
    const int steps = kWarmUp + repeats * c.steps + 8;
    SchedulerOptions options;
    options.blockSize = kBlockSize;
    options.maxSequences = c.sequences;
    options.tokenBudget = 1 << 22;
    const int blocksEach = (kPrompt + 16 + steps) / kBlockSize + 2;
    options.numBlocks = c.sequences * blocksEach + c.waitingPrompt / kBlockSize + 2;
    m_scheduler = std::make_unique<Scheduler>(options, m_stream);
    if (c.cached) {
      Sequence& first = submit(c.waitingPrompt, 0, c.waitingPrompt + 2);
      step();
      m_scheduler->finish(first, FinishReason::kLength);
    }
    // Prompts of several lengths, so that in each step as many blocks become full as in any other.
    for (int i = 0; i < c.sequences; ++i) submit(kPrompt + i % kBlockSize, i + 1, kPrompt + 16 + steps);
    step();
    for (int i = 0; i < c.waiting; ++i)
      submit(c.waitingPrompt, c.cached ? 0 : c.sequences + i + 1, c.waitingPrompt);
    for (int i = 0; i < kWarmUp; ++i) step();
  }

  // Nanoseconds for each step of one repeat.
  double repeat() {
    m_appendNs = 0;
    const double beganNs = threadNs();
    for (int i = 0; i < m_case.steps; ++i) step();
    const double tookNs = threadNs() - beganNs - m_appendNs;
    if (static_cast<int>(m_scheduler->running().size()) != m_case.sequences ||
        static_cast<int>(m_scheduler->waiting().size()) != m_case.waiting) {
      std::fprintf(stderr, "%s: not the steady state\n", m_case.name);
      std::exit(1);
    }
    return tookNs / m_case.steps;
  }

 private:
  Sequence& submit(int tokens, int seed, int mostTokens) {
    Sequence& sequence = *m_sequences.emplace_back(std::make_unique<Sequence>());
    sequence.id = static_cast<SequenceId>(m_sequences.size());
    sequence.request = static_cast<RequestId>(m_sequences.size());
    sequence.tokens.reserve(static_cast<std::size_t>(mostTokens));
    for (int i = 0; i < tokens; ++i) sequence.tokens.push_back((seed * 31 + i * 7) % 32000);
    sequence.tokens[0] = seed;
    sequence.promptTokens = tokens;
    m_scheduler->stamp(sequence, {});
    m_scheduler->submit(sequence);
    return sequence;
  }

  void step() {
    m_stream.beginStep();
    m_scheduler->admit();
    const StepPlan& plan = m_scheduler->plan(false);
    m_scheduler->allocate();
    m_scheduler->advance();
    append(plan);
    m_scheduler->registerBlocks();
    m_scheduler->evictContext();
  }

  void append(const StepPlan& plan) {
    const double beganNs = wallNs();
    for (const Work& work : plan.work)
      if (work.samples) work.sequence->tokens.push_back(static_cast<TokenId>(work.sequence->id % 1000));
    m_appendNs += wallNs() - beganNs;
  }

  const Case m_case;
  NullSink m_sink;
  EventStream m_stream;
  std::unique_ptr<Scheduler> m_scheduler;
  std::vector<std::unique_ptr<Sequence>> m_sequences;
  double m_appendNs = 0;  // of this repeat
};

struct Summary {
  double median, least, most;
};

Summary summaryOf(std::vector<double> values) {
  std::ranges::sort(values);
  return {values[values.size() / 2], values.front(), values.back()};
}

void printJson(const std::vector<Summary>& summaries, int repeats) {
  std::printf("{\"repeats\":%d,\"cases\":[", repeats);
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const auto& [median, least, most] = summaries[i];
    std::printf(
        "%s\n{\"name\":\"%s\",\"sequences\":%d,\"waiting\":%d,\"ns_per_step\":{\"median\":%.0f,"
        "\"min\":%.0f,\"max\":%.0f},\"ns_per_sequence\":%.1f,\"steps_per_second\":%.0f}",
        i > 0 ? "," : "", kCases[i].name, kCases[i].sequences, kCases[i].waiting, median, least, most,
        median / kCases[i].sequences, 1e9 / median);
  }
  std::printf("]}\n");
}

void printTable(const std::vector<Summary>& summaries, int repeats) {
  std::printf("%-44s %12s %12s %12s %12s %12s   (%d repeats)\n", "", "ns/step", "min", "max", "ns/sequence",
              "steps/s", repeats);
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const auto& [median, least, most] = summaries[i];
    std::printf("%-44s %12.0f %12.0f %12.0f %12.1f %12.0f\n", kCases[i].name, median, least, most,
                median / kCases[i].sequences, 1e9 / median);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int repeats = 15;
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) {
      json = true;
    } else if (std::strcmp(argv[i], "--repeats") == 0 && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      repeats = std::atoi(argv[++i]);
    } else {
      std::fprintf(stderr, "bench_scheduler [--repeats N] [--json]\n");
      return 2;
    }
  }
  std::vector<std::unique_ptr<Machine>> machines;
  for (const Case& c : kCases) machines.push_back(std::make_unique<Machine>(c, repeats));
  std::vector<std::vector<double>> times(std::size(kCases));
  for (int r = 0; r < repeats; ++r)
    for (std::size_t i = 0; i < machines.size(); ++i) times[i].push_back(machines[i]->repeat());
  std::vector<Summary> summaries;
  for (const std::vector<double>& ofCase : times) summaries.push_back(summaryOf(ofCase));
  json ? printJson(summaries, repeats) : printTable(summaries, repeats);
  return 0;
}
