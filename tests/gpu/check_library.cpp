// --batch-invariant off: products of many rows by cuBLASLt agree with our own, and engines run with them.
#include "backends/workload.h"
#include "gpu/gpu_checks.h"
#include "support/golden_engine.h"
#include "vitrine/error.h"
#include "vitrine/event_sink.h"

namespace vitrine::gpu {
namespace {

using test::Floats;
using test::Random;

class LibraryAgrees {
 public:
  LibraryAgrees(Report& report, DType type, std::unique_ptr<Backend> library)
      : m_report(report),
        m_type(type),
        m_backends{makeCudaBackend(type), std::move(library)},
        m_tolerance(type == DType::kBf16 ? 1e-2 : 2e-3) {}

  void all() {
    for (const int rows : {17, 24, 40, 64, 130, 256, 512})
      for (const auto& [in, out] : {Shape{1024, 1024}, {576, 1536}, {3072, 96}, {48, 122}}) {
        store(rows, in, out);
        add(rows, in, out);
        gate(rows, in, out);
      }
    store(17, 900, 61);  // rows that begin at any place
    recorded(32, 1024, 512);
    report();
  }

 private:
  struct Shape {
    int in, out;
  };

  std::unique_ptr<LinearWeight> weight(Backend& backend, Floats& numbers, int in, int out) {
    const TensorView part = test::view(numbers, {out, in});
    return backend.packLinear(std::span(&part, 1),
                              m_type == DType::kBf16 ? WeightFormat::kBf16 : WeightFormat::kF16);
  }
  template <class Run>
  void same(const std::string& what, double tolerance, const Run& run) {
    const Floats own = run(*m_backends[0]), library = run(*m_backends[1]);
    const double worst = test::difference(library, own);
    m_report.check(worst <= tolerance,
                   std::string(typeName(m_type)) + " " + what + ": " + std::to_string(worst));
    ++m_compared;
    if (!test::sameBits(own, library)) ++m_differed;
  }
  static std::string shape(const char* what, int rows, int in, int out) {
    return std::string(what) + " " + std::to_string(rows) + " x " + std::to_string(in) + " x " +
           std::to_string(out);
  }

  // Into float32 and into the type of the weights, from a part of wider rows. A bias is added to what is
  // rounded already.
  void store(int rows, int in, int out) {
    Floats weights = m_random.reals(std::int64_t{out} * in, 0.1f);
    const Floats x = m_random.reals(std::int64_t{rows} * 2 * in), bias = m_random.reals(out);
    for (const DType to : {DType::kF32, m_type})
      for (const bool hasBias : {false, true})
        same(shape(to == DType::kF32 ? "floats" : "product", rows, in, out),
             to == DType::kF32 ? 1e-4 : (hasBias ? 2 : 1) * m_tolerance, [&](Backend& gpu) {
               const auto matrix = weight(gpu, weights, in, out);
               const Tensor input = test::upload(gpu, x, m_type, {rows, 2 * in}),
                            b = test::upload(gpu, bias, DType::kF32, {out}),
                            result = gpu.allocate(to, {rows, out});
               gpu.linear(input.view().columns(in, in), *matrix, hasBias ? b.view() : TensorView(),
                          result.view());
               return test::download(gpu, result.view());
             });
  }

  void add(int rows, int in, int out) {
    Floats weights = m_random.reals(std::int64_t{out} * in, 0.1f);
    const Floats x = m_random.reals(std::int64_t{rows} * in), bias = m_random.reals(out),
                 norm = m_random.reals(out), start = m_random.reals(std::int64_t{rows} * out);
    for (const bool hasBias : {false, true})
      same(shape("addition", rows, in, out), 1e-4, [&](Backend& gpu) {
        const auto matrix = weight(gpu, weights, in, out);
        const Tensor input = test::upload(gpu, x, m_type, {rows, in}),
                     b = test::upload(gpu, bias, DType::kF32, {out}),
                     n = test::upload(gpu, norm, DType::kF32, {out}),
                     residual = test::upload(gpu, start, DType::kF32, {rows, out}),
                     room = gpu.allocate(DType::kF32, {rows, out}),
                     normed = gpu.allocate(m_type, {rows, out});
        gpu.linearAddNorm(input.view(), *matrix, hasBias ? b.view() : TensorView(), room.view(),
                          {residual.view(), n.view(), 1e-6f, normed.view()});
        return test::download(gpu, residual.view());
      });
  }

  void gate(int rows, int in, int inner) {
    Floats weights = m_random.reals(std::int64_t{2} * inner * in, 0.1f);
    const Floats x = m_random.reals(std::int64_t{rows} * in), bias = m_random.reals(2 * inner);
    for (const bool hasBias : {false, true})
      same(shape("gate", rows, in, inner), 5 * m_tolerance,
           [&](Backend& gpu) {  // of two factors, rounded up to twice
             const auto matrix = weight(gpu, weights, in, 2 * inner);
             const Tensor input = test::upload(gpu, x, m_type, {rows, in}),
                          b = test::upload(gpu, bias, DType::kF32, {2 * inner}),
                          room = gpu.allocate(m_type, {rows, 2 * inner}),
                          out = gpu.allocate(m_type, {rows, inner});
             gpu.linearGate(input.view(), *matrix, hasBias ? b.view() : TensorView(), room.view(),
                            out.view());
             return test::download(gpu, out.view());
           });
  }

  // A graph of a product between two of our kernels gives, each time, what they give one by one.
  void recorded(int rows, int in, int out) {
    Backend& gpu = *m_backends[1];
    Floats weights = m_random.reals(std::int64_t{out} * in, 0.1f);
    const auto matrix = weight(gpu, weights, in, out);
    const Tensor start = test::upload(gpu, m_random.reals(std::int64_t{rows} * in), DType::kF32, {rows, in}),
                 norm = test::upload(gpu, m_random.reals(in), DType::kF32, {in}),
                 second = test::upload(gpu, m_random.reals(out), DType::kF32, {out}),
                 normed = gpu.allocate(m_type, {rows, in}), product = gpu.allocate(DType::kF32, {rows, out}),
                 last = gpu.allocate(m_type, {rows, out});
    const auto run = [&] {
      gpu.rmsNorm(start.view(), norm.view(), 1e-6f, normed.view());
      gpu.linear(normed.view(), *matrix, {}, product.view());
      gpu.rmsNorm(product.view(), second.view(), 1e-6f, last.view());
    };
    run();
    const Floats once = test::download(gpu, last.view());
    const auto cache = gpu.allocateKv({1, rows, 1, 1, 8, KvType::kSame, m_type});
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(rows) + 1);
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::vector<std::int32_t> zeros(static_cast<std::size_t>(rows), 0),
        ones(static_cast<std::size_t>(rows), 1);
    const auto slots = std::span(numbers).first(static_cast<std::size_t>(rows));
    gpu.beginStep({zeros, slots, numbers, ones, slots, 1});
    for (int time = 0; time < 4; ++time) {
      gpu.repeat({1, 0, 1, start.view(), *cache}, run);
      m_report.check(test::sameBits(test::download(gpu, last.view()), once),
                     std::string(typeName(m_type)) + " between two norms in a graph");
    }
  }

  // Were all bits equal, the library would not have been asked.
  void report() {
    std::printf("  %d of %d products have other bits\n", m_differed, m_compared);
    m_report.check(m_differed > 0, "the library has computed some");
  }

  Report& m_report;
  const DType m_type;
  Random m_random{23};
  const std::unique_ptr<Backend> m_backends[2];  // our own products, the library's
  const double m_tolerance;
  int m_compared = 0, m_differed = 0;
};

// As many sequences as make a decoded step a large product, and prompts of many rows.
std::vector<std::vector<TokenId>> answers(BatchInvariance invariance) {
  constexpr int kSequences = 24, kPrompt = 20;
  EngineOptions options;
  options.device = Device::kCuda;
  options.weightType = WeightType::kBf16;
  options.batchInvariant = invariance;
  options.maxSequences = kSequences;
  options.numBlocks = 200;
  EventQueue unheard;
  const auto engine = Engine::load(VITRINE_SOURCE_DIR "/tests/golden/models/qwen2", options, unheard);
  std::vector<RequestId> ids;
  for (int s = 0; s < kSequences; ++s) {
    Request request;
    for (int t = 0; t < kPrompt; ++t) request.tokenIds.push_back(1 + (s * 7 + t * 3) % 50);
    request.maxTokens = 12;
    request.ignoreEos = true;
    request.sampling.temperature = 0;
    ids.push_back(engine->submit(request));
  }
  engine->run();
  std::vector<std::vector<TokenId>> tokens;
  for (const RequestId id : ids) tokens.push_back(engine->takeResult(id).sequences.at(0).tokenIds);
  return tokens;
}

}  // namespace

void checkLibrary(Report& report) {
  for (const DType type : {DType::kBf16, DType::kF16}) {
    if (!report.begin(std::string("products by cuBLASLt, ") + typeName(type))) continue;
    std::unique_ptr<Backend> library;
    try {
      library = makeCudaBackend(type, {}, Decoding::kAuto, BatchInvariance::kOff);
    } catch (const EngineError& error) {
      if (error.code() != ErrorCode::kUnavailable) throw;
      std::printf("  left out: %s: %s\n", error.what(), error.hint().c_str());
      return;
    }
    LibraryAgrees(report, type, std::move(library)).all();
  }
  if (!report.begin("an engine with --batch-invariant off")) return;
  const auto own = answers(BatchInvariance::kOn), library = answers(BatchInvariance::kOff);
  int others = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    report.check(library[i].size() == own[i].size(), "an answer is complete");
    if (library[i] != own[i]) ++others;
  }
  std::printf("  %d of %d answers have other tokens\n", others, static_cast<int>(own.size()));
}

}  // namespace vitrine::gpu
