// How long the forward of a step takes on the GPU of this machine, by itself: no scheduler, no sampling.
// Usage: gpu_steps [PRESET [CONTEXT [FORMAT [SEQUENCES TOKENS]]]]
//   PRESET: a shape of `vitrine-cli make-random-model --like`; FORMAT: bf16, int8 or int4 weights, or
//   library: bf16 with --batch-invariant on and off, each step with both, or kv: bf16 with keys and values as
//   they are and as int8, likewise; SEQUENCES and TOKENS, the new ones of each: one step instead of a list
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <numeric>
#include <string>

#include "models/decoder.h"
#include "models/random_weights.h"
#include "vitrine/error.h"

namespace {

using namespace vitrine;

constexpr int kBlockSize = 16;

// Sequences that have each `context` tokens in the cache and compute the last `tokens` of them.
class Step {
 public:
  Step(int sequences, int tokens, int context) {
    const int width = (context + kBlockSize - 1) / kBlockSize;
    for (int s = 0; s < sequences; ++s) {
      m_start.push_back(s * tokens);
      m_context.push_back(context);
      m_last.push_back((s + 1) * tokens - 1);
      for (int b = 0; b < width; ++b) m_tables.push_back(s * width + b);
      for (int t = context - tokens; t < context; ++t) {
        m_tokens.push_back((s * 31 + t * 7) % 256);
        m_positions.push_back(t);
        m_slots.push_back((s * width + t / kBlockSize) * kBlockSize + t % kBlockSize);
      }
    }
    m_start.push_back(sequences * tokens);
    m_width = width;
  }
  int blocks() const { return static_cast<int>(m_tables.size()); }
  int tokens() const { return static_cast<int>(m_tokens.size()); }
  void forward(Decoder& decoder, KvCache& cache) const {
    decoder.forward(m_tokens, {m_positions, m_slots, m_start, m_context, m_tables, m_width}, cache, m_last);
  }

 private:
  std::vector<std::int32_t> m_tokens, m_positions, m_slots, m_start, m_context, m_tables, m_last;
  int m_width = 0;
};

// A model on a backend of its own.
struct Measured {
  std::unique_ptr<Backend> backend;
  Decoder decoder;
  const char* note;  // behind the name of a step
  KvType kvType = KvType::kSame;

  Measured(const ModelConfig& config, WeightStorage storage, BatchInvariance invariance, const char* name)
      : backend(makeCudaBackend(DType::kBf16, {}, Decoding::kAuto, invariance)),
        decoder(*backend, config, RandomWeights(config, 1, DType::kBf16), storage),
        note(name) {}
};

// Median and spread of some steps, each waited for. In front of each, so many blocks that it does not use
// begin to leave the cache; it does not wait for them.
void measure(Measured& measured, const char* kind, int sequences, int tokens, int context, int leaving = 0) {
  Backend& backend = *measured.backend;
  Decoder& decoder = measured.decoder;
  const std::string what = std::string(kind) + measured.note;
  const Step step(sequences, tokens, context);
  const auto cache =
      backend.allocateKv(decoder.kvShape(step.blocks() + leaving, kBlockSize, measured.kvType));
  const std::shared_ptr<void> host = backend.hostMemory(leaving * cache->blockBytes());
  constexpr int kWarmUp = 4, kSteps = 30;
  std::vector<double> times;
  for (int i = 0; i < kWarmUp + kSteps; ++i) {
    const auto began = std::chrono::steady_clock::now();
    for (int block = 0; block < leaving; ++block)
      backend.readBlock(*cache, step.blocks() + block,
                        static_cast<char*>(host.get()) + block * cache->blockBytes());
    step.forward(decoder, *cache);
    backend.finish();
    if (i >= kWarmUp)
      times.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count());
    backend.finishCopies();
  }
  std::ranges::sort(times);
  const double median = times[times.size() / 2];
  std::printf("%-12s %4d x %4d, context %5d: %9.1f us a step (%.1f to %.1f), %9.0f tokens/s\n", what.c_str(),
              sequences, tokens, context, median, times[times.size() / 10], times[times.size() * 9 / 10],
              step.tokens() / median * 1e6);
}

WeightStorage storageOf(const char* format) {
  if (std::strcmp(format, "int8") == 0) return {DType::kBf16, Quantization::kInt8};
  if (std::strcmp(format, "int4") == 0) return {DType::kBf16, Quantization::kInt4};
  return DType::kBf16;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const ModelConfig config = randomModelConfig(argc > 1 ? argv[1] : "qwen3-0.6b");
    const int context = argc > 2 ? std::atoi(argv[2]) : 300;
    const char* const format = argc > 3 ? argv[3] : "bf16";
    const bool compares = std::strcmp(format, "library") == 0;
    std::deque<Measured> all;
    all.emplace_back(config, storageOf(format), BatchInvariance::kOn, compares ? ", on" : "");
    if (compares) all.emplace_back(config, storageOf(format), BatchInvariance::kOff, ", off");
    if (std::strcmp(format, "kv") == 0) {
      all.emplace_back(config, storageOf(format), BatchInvariance::kOn, ", int8 KV");
      all.back().kvType = KvType::kInt8;
    }
    std::printf("%s\n", all.front().backend->device().c_str());
    const auto measureAll = [&](const char* kind, int sequences, int tokens, int length, int leaving = 0) {
      for (Measured& measured : all) measure(measured, kind, sequences, tokens, length, leaving);
    };
    if (argc > 5) {
      measureAll("step", std::atoi(argv[4]), std::atoi(argv[5]), context);
      return 0;
    }
    for (const int sequences : {1, 2, 4, 8, 16, 32, 64, 128, 256})
      measureAll("decode", sequences, 1, context);
    measureAll("swapping", 64, 1, context, 32);  // and 32 blocks leave
    measureAll("prefill", 1, 256, 256);
    measureAll("prefill", 1, 2048, 2048);
    measureAll("prefill", 16, 256, 256);
    measureAll("prefill", 64, 256, 256);
  } catch (const EngineError& error) {
    std::printf("%s: %s\n", error.what(), error.hint().c_str());
    return 1;
  }
  return 0;
}
