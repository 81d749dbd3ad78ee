// Time to resume a long run: bench_resume [steps] [model folder]. The run has steps of eight sequences with
// common beginnings, and is recorded as a host records it; without a folder a tiny random model computes it.
// Prints how long the run took, how long skimming and the KV at its last step, and the script's events.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "support/tiny_engine.h"
#include "vitrine/run_script.h"

using namespace vitrine;

namespace {

class Recorder final : public EventSink {
 public:
  void publish(const Event& event) override {
    script->add(event);
    ++events;
  }
  std::shared_ptr<RunScript> script = std::make_shared<RunScript>();
  std::int64_t events = 0;
};

class Nothing final : public EventSink {
 public:
  void publish(const Event&) override {}
};

double msSince(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

Request question(int number) {
  std::vector<TokenId> prompt(12);
  for (int i = 0; i < 12; ++i) prompt[static_cast<std::size_t>(i)] = i < 8 ? 10 + i : 8 + (number + i) % 40;
  Request request = tinyRequest(std::move(prompt), 40 + number % 30);
  request.sampling.temperature = 0.8;
  request.sampling.seed = static_cast<std::uint64_t>(number);
  return request;
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 10000;
  EngineOptions options = tinyOptions(512, 16, 256);
  options.maxSequences = 8;
  Recorder recorder;
  Nothing nothing;
  const std::unique_ptr<Engine> engine =
      argc > 2 ? Engine::load(argv[2], options, recorder) : tinyModel().engine(options, recorder);
  const auto began = std::chrono::steady_clock::now();
  int number = 0, waiting = 0;
  while (recorder.script->lastStep() < steps) {
    for (waiting = static_cast<int>(engine->snapshot().waiting.size()); waiting < 2; ++waiting)
      engine->submit(question(number++));
    for (int i = 0; i < 8 && recorder.script->lastStep() < steps; ++i) engine->step();
  }
  const double runMs = msSince(began);
  const auto resumed = std::chrono::steady_clock::now();
  ResumeOptions wishes;
  wishes.publishHistory = false;
  const auto branch = engine->resume(recorder.script, recorder.script->lastStep(), nothing, wishes);
  const double resumeMs = msSince(resumed);
  const RerunReport& report = *branch->rerun();
  std::printf(
      "%d steps, %d requests, %lld events: %.0f ms; resumed in %.0f ms: steps %.0f ms, KV of %lld tokens "
      "%.0f ms\n",
      steps, number, static_cast<long long>(recorder.events), runMs, resumeMs,
      static_cast<double>(report.skimNs) / 1e6, static_cast<long long>(report.rebuiltTokens),
      static_cast<double>(report.kvNs) / 1e6);
}
