// The products in int8 and bf16 of the instruction sets of AArch64, number by number to the bit. Compiled for
// AArch64 and run by QEMU, so it needs no Qt.
//   check_products "NEON SDOT, portable" "NEON, portable"    the sets of int8 and of bf16 that must be found
#include <bit>
#include <cstdio>
#include <limits>
#include <string>

#include "backends/set_products.h"

using namespace vitrine;
using namespace vitrine::cpu;
using namespace vitrine::test;

namespace {

int failures = 0;

void check(bool holds, const std::string& text) {
  if (holds) return;
  ++failures;
  std::printf("FAILED: %s\n", text.c_str());
}

std::string shapeOf(const char* set, const Product& m, std::int64_t rows) {
  return std::string(set) + ": " + std::to_string(rows) + " rows, " + std::to_string(m.in) + " -> " +
         std::to_string(m.out) + ", format " + std::to_string(static_cast<int>(m.format));
}

Product randomProduct(std::int64_t in, std::int64_t out, WeightFormat format, Random& random) {
  return {in, out, format, random.reals(in * out), random.reals(out)};
}

constexpr std::int64_t kRows = 50;

// Any number of rows from the first on has the bits of the naive loop.
template <class Kernels>
void compareRows(const Kernels& kernels, Product& m, const Floats& x, const Floats& expected,
                 ThreadPool& pool) {
  for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 13, 48, 50}) {
    const Floats some(x.begin(), x.begin() + rows * m.in);
    const Floats wanted(expected.begin(), expected.begin() + rows * m.out);
    check(sameBits(multiply(kernels, m, some, pool), wanted), shapeOf(kernels.name, m, rows));
  }
}

// A number that is none reaches its own row alone.
template <class Kernels>
void compareNone(const Kernels& kernels, Product m, Random& random, ThreadPool& pool) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity}) {
    Floats x = random.reals(9 * m.in);
    const Floats before = multiply(kernels, m, x, pool);
    x[static_cast<std::size_t>(4 * m.in + m.in / 2)] = bad;
    const Floats after = multiply(kernels, m, x, pool);
    for (std::size_t i = 0; i < after.size(); ++i)
      check(i / static_cast<std::size_t>(m.out) == 4 ? !std::isfinite(after[i]) : after[i] == before[i],
            shapeOf(kernels.name, m, 9) + ", with " + std::to_string(bad));
  }
}

void int8Products(ThreadPool& pool) {
  Random random(11);
  for (const WeightFormat format : {WeightFormat::kInt8, WeightFormat::kInt4}) {
    for (const std::int64_t in : {1, 4, 31, 128, 200, 520})
      for (const std::int64_t out : {1, 33, 130}) {
        Product m = randomProduct(in, out, format, random);
        Floats x = random.reals(kRows * in, 8);
        std::fill_n(x.begin() + in, in, 0.0f);                                          // a row of zeros
        std::fill_n(x.begin() + 2 * in, in, std::numeric_limits<float>::denorm_min());  // as good as zero
        Floats expected = naive(m, x);
        std::copy_n(m.bias.begin(), out, expected.begin() + 2 * out);
        for (const Int8Kernels* kernels : int8Kernels()) compareRows(*kernels, m, x, expected, pool);
      }
    for (const Int8Kernels* kernels : int8Kernels())
      compareNone(*kernels, randomProduct(300, 40, format, random), random, pool);
  }
}

void int8Blocks(ThreadPool& pool) {
  Random random(12);
  std::mt19937 bits(12);
  for (int type = static_cast<int>(BlockType::kQ80); type < kBlockTypes; ++type)
    for (const std::int64_t blocks : {1, 3}) {
      const BlockTypeInfo& info = blockTypeInfo(static_cast<BlockType>(type));
      const RandomMatrix m(static_cast<BlockType>(type), 37, blocks * info.length, bits);
      const Floats bias = random.reals(m.out), x = random.reals(kRows * m.in, 8),
                   expected = naive(m, bias, x);
      for (const Int8Kernels* kernels : int8Kernels())
        for (const std::int64_t rows : {1, 2, 3, 7, 13, 50}) {
          const Floats some(x.begin(), x.begin() + rows * m.in),
              wanted(expected.begin(), expected.begin() + rows * m.out);
          check(sameBits(multiply(*kernels, m, bias, some, pool), wanted),
                std::string(kernels->name) + ": " + info.name + ", " + std::to_string(rows) + " rows");
        }
    }
}

// BFDOT, as the Arm Architecture Reference Manual says it (BFMul, BFAdd): below the least normal number is
// zero.
float withoutSubnormals(double value) {
  return std::abs(value) < 0x1p-126 ? 0.0f : static_cast<float>(value);
}

// Rounded to odd: towards zero, and where that is not exact the last bit is one.
float addToOdd(float a, float b) {
  const double sum = double{a} + b, part = sum - a,
               left = (a - (sum - part)) + (b - part);  // sum + left is exact
  float result = withoutSubnormals(sum);
  const double over = (double{result} - sum) - left;
  if (result == 0 || over == 0) return result;
  if ((over > 0) == (result > 0)) result = std::nextafter(result, 0.0f);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(result) | 1U);
}

float bf16(float value) { return bf16ToFloat(floatToBf16(value)); }

Floats naiveBf16(const Product& m, const Floats& x, bool isBfdot) {
  Floats out(static_cast<std::size_t>(kRows * m.out));
  for (std::int64_t row = 0; row < kRows; ++row)
    for (std::int64_t column = 0; column < m.out; ++column) {
      const float* const xs = x.data() + row * m.in;
      const float* const ws = m.weight.data() + column * m.in;
      const auto product = [&](std::int64_t i) {
        return i < m.in ? withoutSubnormals(double{withoutSubnormals(double{bf16(xs[i])})} *
                                            double{withoutSubnormals(double{bf16(ws[i])})})
                        : 0.0f;
      };
      float sum = 0;
      for (std::int64_t i = 0; i < m.in; i += isBfdot ? 2 : 1)
        sum = isBfdot ? addToOdd(sum, addToOdd(product(i), product(i + 1)))
                      : std::fma(bf16(ws[i]), bf16(xs[i]), sum);
      out[static_cast<std::size_t>(row * m.out + column)] = sum + m.bias[static_cast<std::size_t>(column)];
    }
  return out;
}

void bf16Products(ThreadPool& pool) {
  Random random(21);
  for (const std::int64_t in : {1, 2, 31, 64, 129, 300})
    for (const std::int64_t out : {1, 33, 130})
      for (const float scale : {8.0f, 1e-38f}) {
        Product m = randomProduct(in, out, WeightFormat::kBf16, random);
        if (scale < 1) std::fill(m.bias.begin(), m.bias.end(), 0.0f);  // which would hide a sum that small
        const Floats x = random.reals(kRows * in, scale);
        const Floats plain = naiveBf16(m, x, false), bfdot = naiveBf16(m, x, true);
        for (const Bf16Kernels* kernels : bf16Kernels())
          compareRows(*kernels, m, x, kernels->name == std::string("NEON BFDOT") ? bfdot : plain, pool);
      }
  for (const Bf16Kernels* kernels : bf16Kernels())
    compareNone(*kernels, randomProduct(300, 40, WeightFormat::kBf16, random), random, pool);
}

template <class Sets>
std::string namesOf(const Sets& sets) {
  std::string names;
  for (const auto* kernels : sets) names += (names.empty() ? "" : ", ") + std::string(kernels->name);
  return names;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string found[] = {namesOf(int8Kernels()), namesOf(bf16Kernels())};
  std::printf("int8: %s\nbf16: %s\n", found[0].c_str(), found[1].c_str());
  for (int i = 0; i < 2; ++i)
    check(count == 3 && arguments[i + 1] == found[i], "these are not the sets that the processor has");
  ThreadPool pool(1);
  int8Products(pool);
  int8Blocks(pool);
  bf16Products(pool);
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
