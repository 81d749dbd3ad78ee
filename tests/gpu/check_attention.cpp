// Attention against the CPU's, and the law: a token's bits depend on what it sees and on nothing else.
#include "backends/workload.h"
#include "gpu/gpu_checks.h"

namespace vitrine::gpu {
namespace {

using test::AttendedSequences;
using test::Floats;
using test::Random;

bool sameBits(const std::vector<Floats>& a, const std::vector<Floats>& b) {
  bool same = a.size() == b.size();
  for (std::size_t s = 0; same && s < a.size(); ++s) same = test::sameBits(a[s], b[s]);
  return same;
}

void compare(Report& report, Backend& gpu, Backend& cpu, AttendedSequences c, Random& random,
             double tolerance) {
  for (std::vector<Floats>* all : {&c.q, &c.k, &c.v})
    for (Floats& values : *all) values = test::rounded(values, gpu.activations());
  const std::string what = std::to_string(c.heads) + " heads of " + std::to_string(c.headDim) + ", window " +
                           std::to_string(c.parameters.slidingWindow) +
                           (c.kvType == KvType::kInt8 ? ", int8" : "");
  const std::vector<Floats> expected = attend(cpu, c, {.blockSize = 16}),
                            got = attend(gpu, c, {.blockSize = 16});
  double worst = 0;
  for (std::size_t s = 0; s < got.size(); ++s) worst = std::max(worst, test::difference(got[s], expected[s]));
  report.check(worst <= tolerance, what + " differs from the CPU's by " + std::to_string(worst));
  for (unsigned seed = 1; seed <= (report.isSmall() ? 1 : 3); ++seed) {
    const test::Feeding feeding{random.pick({1, 5, 16, 64}), random.pick({1, 3, 40, 300}),
                                random.between(0, 1) == 0,   true,
                                random.between(0, 1) == 0,   seed};
    report.check(sameBits(attend(gpu, c, feeding), got), what + " has other bits fed in another way");
  }
}

}  // namespace

void checkAttention(Report& report) {
  for (const DType type : kActivations) {
    if (!report.begin(std::string("attention, ") + typeName(type))) continue;
    const auto gpu = makeCudaBackend(type), cpu = makeCpuBackend(8);
    const double tolerance = type == DType::kF32 ? 2e-5 : type == DType::kBf16 ? 1e-2 : 2e-3;
    const bool isSmall = report.isSmall();
    const int few = isSmall ? 40 : 70, many = isSmall ? 150 : 700, most = isSmall ? 300 : 1300;
    Random random(31);
    for (int round = 0; round < (isSmall ? 4 : 24); ++round)
      compare(report, *gpu, *cpu, AttendedSequences::random(random, round % 4 == 0 ? many : few), random,
              tolerance);
    // Codes, with a key of zeros, which has no scale, and a value next to nothing. The GPU rounds what they
    // stand for to its activations.
    for (int round = 0; round < (isSmall ? 4 : 16); ++round) {
      AttendedSequences c = AttendedSequences::random(random, round % 4 == 0 ? many : few);
      c.kvType = KvType::kInt8;
      std::fill_n(c.k[0].begin(), c.headDim, 0.0f);
      std::fill_n(c.v[0].begin(), c.headDim, 1e-42f);
      compare(report, *gpu, *cpu, std::move(c), random, 2 * tolerance);
    }
    // Long ones: their contexts are computed in parts when there are few tokens.
    for (int round = 0; round < 4; ++round) {
      AttendedSequences c = AttendedSequences::random(random, 40);
      c.lengths.assign(1, most);
      c.q.assign(1, random.reals(std::int64_t{most} * c.heads * c.headDim, 3));
      c.k.assign(1, random.reals(std::int64_t{most} * c.kvHeads * c.headDim, 2));
      c.v.assign(1, random.reals(std::int64_t{most} * c.kvHeads * c.headDim));
      c.parameters.slidingWindow = round % 2 == 0 ? 0 : most / 2;
      c.kvType = round < 2 ? KvType::kSame : KvType::kInt8;
      compare(report, *gpu, *cpu, std::move(c), random, round < 2 ? tolerance : 2 * tolerance);
    }
  }
}

}  // namespace vitrine::gpu
