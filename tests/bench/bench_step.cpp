// What the host does in a step of the engine, with a device that computes nothing and digests rows of logits
// at once: every sequence decodes. Prints the median microseconds of each phase, of the whole step with what
// the sink does in it, and the processor time of the engine's thread.
//
//   bench_step [--sequences N] [--steps N] [--temperature T] [--tokenizer FOLDER]
//              [--sink none|statistics|recording|trace]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/forwarding_backend.h"
#include "support/letter_tokenizer.h"
#include "support/tiny_engine.h"
#include "vitrine/recording.h"
#include "vitrine/statistics.h"
#include "vitrine/trace.h"

using namespace vitrine;

namespace {

constexpr int kBlockSize = 16, kPrompt = 256, kWarmUp = 16;
constexpr float kLogitStep = 1.0f / 16;  // from a token to the next likely one

// Of exponentials at a scale.
double sumOfSteps(float scale) { return 1 / (1 - std::exp(-static_cast<double>(scale) * kLogitStep)); }

// Draws move through the vocabulary, so that texts and tokens differ from step to step.
class IdleDevice final : public test::ForwardingBackend {
 public:
  explicit IdleDevice(int vocabulary) : ForwardingBackend(makeCpuBackend(1)), m_vocabulary(vocabulary) {}
  int threads() const override { return 0; }
  std::unique_ptr<LogitsDigests> makeDigests() override { return std::make_unique<Digests>(*this); }
  void beginStep(const RaggedBatch&) override {}
  void embed(std::span<const std::int32_t>, const TensorView&, const TensorView&) override {}
  void rmsNorm(const TensorView&, const TensorView&, float, const TensorView&) override {}
  void linear(const TensorView&, const LinearWeight&, const TensorView&, const TensorView&) override {}
  void rotary(const TensorView&, const TensorView&, const TensorView&) override {}
  void storeKv(const TensorView&, const TensorView&, KvCache&, int) override {}
  void attention(const TensorView&, const KvCache&, int, const AttentionParameters&,
                 const TensorView&) override {}
  void gatherRows(const TensorView&, std::span<const std::int32_t>, const TensorView&) override {}
  void addRmsNorm(const TensorView&, const TensorView&, const TensorView&, float,
                  const TensorView&) override {}
  void gate(const TensorView&, const TensorView&) override {}

 private:
  class Digests final : public LogitsDigests {
   public:
    explicit Digests(IdleDevice& device) : m_device(device) {}
    void begin(const TensorView&, std::span<const RowWish> wishes) override {
      m_digests.resize(wishes.size());
      for (std::size_t i = 0; i < wishes.size(); ++i) m_device.fill(wishes[i], m_digests[i]);
    }
    void finish(std::span<LogitsDigest> out) override { std::ranges::copy(m_digests, out.begin()); }
    void giveTokens() override {}  // embed() reads none

   private:
    IdleDevice& m_device;
    std::vector<LogitsDigest> m_digests;
  };

  void fill(const RowWish& wish, LogitsDigest& digest) {
    digest.isFinite = true;
    digest.max = 3, digest.mostLikely = next();
    digest.scale = wish.scale;
    digest.sum = sumOfSteps(1), digest.scaledSum = sumOfSteps(digest.scale);
    digest.top.clear();
    const int candidates = std::min(wish.candidates, m_vocabulary);
    for (int rank = 0; rank < candidates; ++rank)
      digest.top.push_back(
          {3 - static_cast<float>(rank) * kLogitStep, (digest.mostLikely + rank) % m_vocabulary});
  }
  TokenId next() { return m_next = (m_next + 7919) % m_vocabulary; }

  const int m_vocabulary;
  TokenId m_next = 0;
};

// The times of steps in which all sequences decode, beside another sink.
class Times final : public EventSink {
 public:
  explicit Times(EventSink* behind) : m_behind(behind) {}
  void publish(const Event& event) override {
    if (const auto* finished = bodyOf<StepFinished>(event)) m_last = finished->phaseNs;
    if (m_behind != nullptr) m_behind->publish(event);
  }
  const std::array<std::int64_t, kPhaseCount>& last() const { return m_last; }

 private:
  EventSink* const m_behind;
  std::array<std::int64_t, kPhaseCount> m_last{};
};

class Counting final : public EventSink {
 public:
  void publish(const Event& event) override { m_statistics.add(event); }

 private:
  Statistics m_statistics;
};

class Keeping final : public EventSink {
 public:
  void publish(const Event& event) override { m_recording.append(event); }

 private:
  Recording m_recording{std::filesystem::temp_directory_path()};
};

double nsBy(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double medianUs(std::vector<double> ns) {
  const auto middle = ns.begin() + static_cast<std::ptrdiff_t>(ns.size() / 2);
  std::ranges::nth_element(ns, middle);
  return *middle / 1e3;
}

}  // namespace

int main(int argc, char** argv) {
  int sequences = 256, steps = 200;
  double temperature = 0;
  std::string sinkName = "none", folder;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--sequences") sequences = std::atoi(argv[i + 1]);
    if (option == "--steps") steps = std::atoi(argv[i + 1]);
    if (option == "--temperature") temperature = std::atof(argv[i + 1]);
    if (option == "--tokenizer") folder = argv[i + 1];
    if (option == "--sink") sinkName = argv[i + 1];
  }
  std::shared_ptr<Tokenizer> tokenizer = std::make_shared<LetterTokenizer>();
  if (!folder.empty()) tokenizer = loadTokenizer(folder);
  ModelConfig config = tinyConfig(kPrompt + kWarmUp + steps + 32);
  config.vocabularySize = tokenizer->vocabularySize();

  const auto file = std::filesystem::temp_directory_path() / "bench_step.vitrine";
  std::unique_ptr<EventSink> behind;
  if (sinkName == "statistics") behind = std::make_unique<Counting>();
  if (sinkName == "recording") behind = std::make_unique<Keeping>();
  if (sinkName == "trace") behind = std::make_unique<TraceWriter>(file);
  Times times(behind.get());

  EngineOptions options = tinyOptions(0, kBlockSize, sequences * kPrompt);
  options.maxSequences = sequences;
  options.numBlocks = sequences * ((kPrompt + kWarmUp + steps + 32) / kBlockSize + 1);
  const TinyModel model(config);
  EngineParts parts = model.parts(std::make_unique<IdleDevice>(config.vocabularySize));
  parts.tokenizer = tokenizer;
  const std::unique_ptr<Engine> engine = assembleEngine(std::move(parts), options, times);
  for (int i = 0; i < sequences; ++i) {
    Request request;
    for (int token = 0; token < kPrompt; ++token)
      request.tokenIds.push_back((i * 31 + token * 7 + 8) % config.vocabularySize);
    request.maxTokens = kWarmUp + steps + 16;
    request.ignoreEos = true;
    request.sampling.temperature = temperature;
    if (temperature > 0) request.sampling.topP = 0.9;
    engine->submit(request);
  }
  for (int i = 0; i < kWarmUp; ++i) engine->step();

  std::array<std::vector<double>, kPhaseCount> phases;
  std::vector<double> wall, thread;
  for (int i = 0; i < steps; ++i) {
    const double wallBegan = nsBy(CLOCK_MONOTONIC), threadBegan = nsBy(CLOCK_THREAD_CPUTIME_ID);
    engine->step();
    wall.push_back(nsBy(CLOCK_MONOTONIC) - wallBegan);
    thread.push_back(nsBy(CLOCK_THREAD_CPUTIME_ID) - threadBegan);
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase)
      phases[phase].push_back(static_cast<double>(times.last()[phase]));
  }
  std::printf("%d sequences, sink %s\n", sequences, sinkName.c_str());
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase)
    std::printf("%-9s %7.0f µs\n", nameOf(static_cast<Phase>(phase)), medianUs(phases[phase]));
  std::printf("step      %7.0f µs, the longest %.0f\nthread    %7.0f µs\n", medianUs(wall),
              std::ranges::max(wall) / 1e3, medianUs(thread));
  behind.reset();
  std::error_code none;
  std::filesystem::remove(file, none);
  return 0;
}
