// What it costs to measure the operations of a forward: bench_operations [steps] [model folder] [threads]
// [sequences]. Every second step that decodes is measured; a step and its neighbour make a pair, in turns the
// one and the other first. Prints a step's time without and with measuring, the ratio within pairs, and how
// much of the phase Forward, which the engine times by itself, the operations sum to.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "vitrine/durations.h"
#include "vitrine/engine.h"

using namespace vitrine;

namespace {

// Of the last step.
class Watch final : public EventSink {
 public:
  void publish(const Event& event) override {
    if (isA<StepStarted>(event)) operationsNs = 0, otherNs = 0;
    if (const auto* planned = bodyOf<StepPlanned>(event)) prefillTokens = planned->prefillTokens;
    if (const auto* finished = bodyOf<StepFinished>(event)) phaseNs = finished->phaseNs;
    if (const auto* measured = bodyOf<ForwardMeasured>(event))
      for (const OperationCost& cost : measured->operations)
        (cost.operation == Operation::kOther ? otherNs : operationsNs) += static_cast<double>(cost.ns);
  }
  double stepNs() const { return std::accumulate(phaseNs.begin(), phaseNs.end(), 0.0); }
  double forwardNs() const {
    return static_cast<double>(phaseNs[static_cast<std::size_t>(static_cast<int>(Phase::kForward))]);
  }

  int prefillTokens = 0;
  std::array<std::int64_t, kPhaseCount> phaseNs{};
  double operationsNs = 0, otherNs = 0;  // all kinds but `other`; that
};

void print(const char* what, const std::vector<double>& values, double unit) {
  std::printf("%-44s median %9.4f, quartiles %9.4f and %9.4f\n", what, percentile(values, 0.5) / unit,
              percentile(values, 0.25) / unit, percentile(values, 0.75) / unit);
}

void submit(Engine& engine, int number) {
  Request request;
  for (int i = 0; i < 64; ++i)
    request.tokenIds.push_back((number * 131 + i * 7 + 3) % engine.description().model.vocabularySize);
  request.maxTokens = 400;
  request.ignoreEos = true;
  engine.submit(std::move(request));
}

// The next step that only decodes.
void stepOnce(Engine& engine, Watch& watch, int sequences, bool measured) {
  static int number = 0;
  Detail detail;
  detail.operations = measured;
  do {
    while (!engine.hasWork())
      for (int i = 0; i < sequences; ++i) submit(engine, number++);
    engine.setDetail(detail);
    engine.step();
  } while (watch.prefillTokens > 0);
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 2000, sequences = argc > 4 ? std::atoi(argv[4]) : 1;
  EngineOptions options;
  options.threads = argc > 3 ? std::atoi(argv[3]) : 0;
  options.maxSequences = sequences;
  Watch watch;
  const auto engine = Engine::load(argc > 2 ? argv[2] : builtinModelDirectory(), options, watch);
  for (int i = 0; i < 20; ++i) stepOnce(*engine, watch, sequences, i % 2 == 0);
  std::vector<double> off, on, ratio, sums, named;
  for (int pair = 0; pair < steps / 2; ++pair) {
    std::array<double, 2> ns{};
    for (int turn = 0; turn < 2; ++turn) {
      const bool measured = (pair + turn) % 2 == 0;
      stepOnce(*engine, watch, sequences, measured);
      ns[measured ? 1 : 0] = watch.stepNs();
      if (!measured) continue;
      sums.push_back((watch.operationsNs + watch.otherNs) / watch.forwardNs());
      named.push_back(watch.operationsNs / watch.forwardNs());
    }
    off.push_back(ns[0]);
    on.push_back(ns[1]);
    ratio.push_back(ns[1] / ns[0]);
  }
  std::printf("%s, %s, %d sequences, %d pairs\n", engine->description().model.name.c_str(),
              engine->description().device.c_str(), sequences, steps / 2);
  print("a step, not measured (ms)", off, 1e6);
  print("a step, measured (ms)", on, 1e6);
  print("measured / not, within a pair", ratio, 1);
  print("operations / phase Forward", sums, 1);
  print("the same without the kind `other`", named, 1);
}
