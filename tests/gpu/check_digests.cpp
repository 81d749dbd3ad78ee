// Digests of rows of logits against the host's functions, to the bit; what one costs; and engines that draw
// from digests against engines that draw from whole rows.
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>

#include "backends/workload.h"
#include "gpu/gpu_checks.h"
#include "support/digest_of.h"
#include "support/random_workload.h"
#include "vitrine/event_sink.h"

namespace vitrine::gpu {
namespace {

using test::Floats;
using test::Random;

// What rows are made of.
enum class Logits { kSpread, kFarBelow, kSteps, kZeros, kEqual, kByToken, kNan, kInfinite, kMinusInfinite };
constexpr int kKinds = 9;
constexpr int kRows = 4;

Floats rowsOf(Random& random, Logits kind, std::int64_t vocabulary) {
  Floats logits = random.reals(kRows * vocabulary, 12);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    float& logit = logits[i];
    if (kind == Logits::kFarBelow) logit -= 1000;
    if (kind == Logits::kSteps) logit = std::round(logit * 8) / 8;
    if (kind == Logits::kZeros) logit = logit > 0 ? 0.0f : -0.0f;
    if (kind == Logits::kEqual) logit = 3;
    if (kind == Logits::kByToken)
      logit -=
          40 * static_cast<float>(static_cast<std::int64_t>(i) % vocabulary) / static_cast<float>(vocabulary);
  }
  float& broken = logits[static_cast<std::size_t>(vocabulary - 1) / 2];  // of the first row alone
  if (kind == Logits::kNan) broken = std::numeric_limits<float>::quiet_NaN();
  if (kind == Logits::kInfinite) broken = std::numeric_limits<float>::infinity();
  if (kind == Logits::kMinusInfinite) broken = -std::numeric_limits<float>::infinity();
  return logits;
}

template <class T>
bool sameBits(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

class Digests {
 public:
  explicit Digests(Report& report)
      : m_report(report), m_gpu(makeCudaBackend(DType::kF32)), m_digests(m_gpu->makeDigests()) {}

  void compare(std::int64_t vocabulary, Logits kind) {
    const Floats logits = rowsOf(m_random, kind, vocabulary);
    const Tensor rows = test::upload(*m_gpu, logits, DType::kF32, {kRows, vocabulary});
    for (const auto& wishes :
         {std::vector<RowWish>{{0.7f, 256}, {1, 0}, RowWish::whole(), {1.4f, 512}},
          std::vector<RowWish>{{1, 1}, {3e38f, 40}, {1e-30f, 300}, {1, 7}}, std::vector<RowWish>(kRows)}) {
      std::vector<LogitsDigest> digests(kRows);
      digest(rows.view(), wishes, digests);
      for (std::size_t row = 0; row < kRows; ++row) {
        if (wishes[row].isWhole()) continue;
        const auto width = static_cast<std::size_t>(vocabulary);
        const std::string what = "a row of " + std::to_string(vocabulary) + ", kind " +
                                 std::to_string(static_cast<int>(kind)) + ", " +
                                 std::to_string(wishes[row].candidates) + " candidates: ";
        same(digests[row], test::digestOf(std::span(logits).subspan(row * width, width), wishes[row]),
             isEasy(kind, vocabulary), what);
      }
    }
  }

  // Not compared with anything: for a person.
  void measure(int rows, int candidates) {
    constexpr std::int64_t kVocabulary = 151936;
    constexpr int kTimes = 200;
    const Tensor logits =
        test::upload(*m_gpu, m_random.reals(rows * kVocabulary, 12), DType::kF32, {rows, kVocabulary});
    const std::vector<RowWish> wishes(static_cast<std::size_t>(rows), RowWish{0.7f, candidates});
    std::vector<LogitsDigest> digests(wishes.size());
    digest(logits.view(), wishes, digests);
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < kTimes; ++i) digest(logits.view(), wishes, digests);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - began;
    std::printf("  %3d rows of 151,936, %3d candidates: %.1f µs, waiting included\n", rows, candidates,
                took.count() / kTimes);
  }

 private:
  void digest(const TensorView& rows, std::span<const RowWish> wishes, std::span<LogitsDigest> out) {
    m_digests->begin(rows, wishes);
    m_digests->finish(out);
  }

  // Of these the GPU finds candidates without fail; others may have so many ties, or so many likely tokens
  // beside each other, that the row is to be fetched.
  static bool isEasy(Logits kind, std::int64_t vocabulary) {
    return vocabulary <= 4096 || kind == Logits::kSpread || kind == Logits::kFarBelow;
  }

  void same(const LogitsDigest& got, const LogitsDigest& expected, bool isEasy, const std::string& what) {
    if (!m_report.check(got.isFinite == expected.isFinite, what + "finite or not") || !expected.isFinite)
      return;
    m_report.check(got.max == expected.max && got.mostLikely == expected.mostLikely,
                   what + "another most likely token");
    m_report.check(sameBits(got.sum, expected.sum), what + "another sum");
    m_report.check(sameBits(got.scaledSum, expected.scaledSum) && got.scale == expected.scale,
                   what + "another sum at the scale");
    if (got.top.empty() && !expected.top.empty()) {
      m_report.check(!isEasy, what + "no candidates");
      return;
    }
    const bool equal = std::ranges::equal(got.top, expected.top, [](RankedLogit a, RankedLogit b) {
      return a.token == b.token && sameBits(a.logit, b.logit);
    });
    m_report.check(equal, what + "other candidates");
  }

  Report& m_report;
  Random m_random{17};
  const std::unique_ptr<Backend> m_gpu;
  const std::unique_ptr<LogitsDigests> m_digests;
};

// A vocabulary with more tokens than a digest has.
ModelConfig wideConfig() {
  ModelConfig config = tinyConfig();
  config.vocabularySize = 30011;
  return config;
}

RequestResult answered(const TinyModel& model, const Request& request, bool fromWholeRows) {
  EventQueue unheard;
  const auto engine = assembleEngine(model.parts(makeCudaBackend(DType::kF32)), tinyOptions(), unheard);
  Detail detail;
  detail.entropy = fromWholeRows;
  engine->setDetail(detail);
  const RequestId id = engine->submit(request);
  engine->run();
  return engine->takeResult(id);
}

// The entropy of each token needs whole rows, and changes none.
void compareEngines(Report& report) {
  const TinyModel wide(wideConfig());
  const int tokens = report.isSmall() ? 3 : 16;
  const auto sampling = [](const auto& change) {
    SamplingOptions options;
    options.temperature = 0.8;
    change(options);
    return options;
  };
  const std::vector<std::pair<const char*, SamplingOptions>> kinds = {
      {"greedy", {}},
      {"temperature", sampling([](SamplingOptions&) {})},
      {"low temperature", sampling([](SamplingOptions& o) { o.temperature = 0.05; })},
      {"high temperature", sampling([](SamplingOptions& o) { o.temperature = 5; })},
      {"top-k", sampling([](SamplingOptions& o) { o.topK = 40; })},
      {"wide top-k", sampling([](SamplingOptions& o) { o.topK = 2000; })},
      {"top-p", sampling([](SamplingOptions& o) { o.temperature = 0.1, o.topP = 0.9; })},
      {"min-p", sampling([](SamplingOptions& o) { o.minP = 0.05; })},
      {"typical", sampling([](SamplingOptions& o) { o.typicalP = 0.9; })},
      {"penalties", sampling([](SamplingOptions& o) { o.repetitionPenalty = 1.3, o.presencePenalty = 0.5; })},
      {"all", sampling([](SamplingOptions& o) { o.topK = 60, o.topP = 0.95, o.minP = 0.01; })},
  };
  for (const auto& [name, options] : kinds) {
    if (!report.begin(std::string("drawn from digests and from whole rows, ") + name)) continue;
    for (const int logprobs : {0, 3, 600})
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        if (report.isSmall() && (seed != 1 || logprobs != 3)) continue;
        Request request = tinyRequest(tinyPrompt(9), tokens);
        request.sampling = options;
        request.sampling.seed = seed;
        request.logprobs = logprobs;
        request.sequences = options.temperature > 0 && seed == 1 ? 3 : 1;
        report.check(isSameResult(answered(wide, request, false), answered(wide, request, true)),
                     "a digest gives another answer than the row");
      }
  }
}

}  // namespace

void checkDigests(Report& report) {
  Digests digests(report);
  for (const std::int64_t vocabulary :
       {1, 2, 61, 256, 300, 2047, 2048, 2049, 4096, 5000, 20000, 32000, 151936, 262144})
    if ((!report.isSmall() || vocabulary <= 5000) &&
        report.begin("digests of " + std::to_string(vocabulary) + " logits"))
      for (int kind = 0; kind < kKinds; ++kind) digests.compare(vocabulary, static_cast<Logits>(kind));
  if (!report.isSmall() && report.begin("time of digests"))
    for (const int rows : {1, 16, 256})
      for (const int candidates : {0, 256, 512}) digests.measure(rows, candidates);
  compareEngines(report);
}

}  // namespace vitrine::gpu
