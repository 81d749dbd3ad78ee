// Digests of the CPU backend's sums over random numbers, a line each. With a fused multiply-add every machine
// has the same orders and roundings, so the lines of x86-64 are those of AArch64 under QEMU
// (engine/backends/cpu/README.md).
#include <cstdio>
#include <string>

#include "backends/product.h"
#include "support/random_blocks.h"
#include "vitrine/engine.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// FNV-1a, of 64 bits
void print(const std::string& name, const std::vector<Floats>& values) {
  std::uint64_t digest = 0xCBF29CE484222325U;
  for (const Floats& floats : values)
    for (const float value : floats) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      for (int shift = 0; shift < 32; shift += 8)
        digest = (digest ^ (bits >> shift & 0xFFU)) * 0x100000001B3U;
    }
  std::printf("%016llx %s\n", static_cast<unsigned long long>(digest), name.c_str());
}

void products(Compute compute) {
  const auto backend = makeCpuBackend(1, {}, compute);
  Random random(17);
  Product p{300, 130, WeightFormat::kF32, random.reals(300 * 130), random.reals(130)};
  for (const WeightFormat format : {WeightFormat::kF32, WeightFormat::kBf16, WeightFormat::kF16,
                                    WeightFormat::kInt8, WeightFormat::kInt4}) {
    p.format = format;
    std::vector<Floats> all;
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 19})
      all.push_back(multiply(*backend, p, random.reals(rows * p.in)));
    print("product, format " + std::to_string(static_cast<int>(format)) + ", compute " +
              std::to_string(static_cast<int>(compute)),
          all);
  }
}

void blocks() {
  const auto backend = makeCpuBackend(1);
  std::mt19937 bits(7);
  Random random(8);
  for (int type = 0; type < kBlockTypes; ++type) {
    if (isFloat(BlockType(type))) continue;  // the library's normal distribution is not everywhere the same
    const RandomMatrix matrix(BlockType(type), 70, 512, bits);
    const WeightRows parts[] = {matrix.blocks()};
    const auto packed = backend->packBlocks(parts);
    const Floats bias = random.reals(matrix.out);
    print(std::string("product of blocks, ") + blockTypeInfo(BlockType(type)).name,
          {multiply(*backend, *packed, random.reals(512), bias),
           multiply(*backend, *packed, random.reals(9 * 512), bias)});
  }
}

void attention() {
  for (const std::string& kernel : attentionKernelNames()) {
    if (kernel == "bf16") continue;  // the instruction sets round in ways of their own
    const auto backend = makeCpuBackend(1, kernel);
    Random random(11);
    for (const KvType type : {KvType::kSame, KvType::kBf16, KvType::kInt8})
      for (int round = 0; round < 3; ++round) {
        AttendedSequences c = AttendedSequences::random(random, 150);
        c.parameters.scale = 0.125f;
        c.kvType = type;
        print("attention, " + kernel + ", KV " + std::to_string(static_cast<int>(type)) + ", " +
                  std::to_string(round),
              attend(*backend, c, {.maxChunk = 40}));
      }
  }
}

void rows() {
  const auto backend = makeCpuBackend(1);
  Random random(13);
  for (const std::int64_t n : {2, 6, 16, 30, 250, 2048}) {
    constexpr std::int64_t kRows = 5;
    Floats x = random.reals(kRows * n, 5), delta = random.reals(kRows * n), weight = random.reals(n);
    const Tensor w = backend->upload(view(weight, {n})), residual = backend->upload(view(x, {kRows, n})),
                 d = backend->upload(view(delta, {kRows, n}));
    const Tensor out = backend->allocate(DType::kF32, {kRows, n}),
                 half = backend->allocate(DType::kF32, {kRows, n / 2});
    backend->addRmsNorm(residual.view(), d.view(), w.view(), 1e-6f, out.view());
    backend->gate(out.view(), half.view());
    backend->rotary(residual.view().heads(1, n), half.view(), half.view());
    print("rows of " + std::to_string(n), {download(*backend, out.view()), download(*backend, half.view()),
                                           download(*backend, residual.view())});
  }
}

}  // namespace

int main() {
  const std::string device = makeCpuBackend(1)->device();
  std::fprintf(stderr, "%s\n", device.c_str());
  if (!device.starts_with("AVX") && !device.starts_with("NEON")) return 77;  // this machine rounds twice
  products(Compute::kF32);
  products(Compute::kInt8);
  blocks();
  attention();
  rows();
}
