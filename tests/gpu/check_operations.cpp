// Each operation on random inputs, against the CPU's in float32.
#include <cmath>
#include <cstring>
#include <numeric>

#include "backends/workload.h"
#include "gpu/gpu_checks.h"
#include "vitrine/error.h"

namespace vitrine::gpu {
namespace {

using test::Floats;
using test::Random;
using test::rounded;

class Operations {
 public:
  Operations(Report& report, DType type)
      : m_report(report),
        m_type(type),
        m_random(7),
        m_gpu(makeCudaBackend(type)),
        m_cpu(makeCpuBackend(2)),
        m_tolerance(type == DType::kF32    ? 2e-6
                    : type == DType::kBf16 ? 1e-2
                                           : 2e-3) {}

  void all() {
    for (const int width : {8, 64, 128, 256, 1000, 1024, 4096}) norms(3, width);
    headNorms();
    for (const auto& [rows, in, out] : {Shape{1, 64, 48},
                                        {3, 48, 61},
                                        {17, 1024, 1024},
                                        {33, 96, 8},
                                        {130, 3072, 1024},
                                        {2, 7, 5},
                                        {1, 1024, 6144}})
      if (!m_report.isSmall() || in * out < 10'000) products(rows, in, out);
    rotary();
    gates();
    rows();
    for (const KvType kv : {KvType::kSame, KvType::kInt8})
      for (const int count : {1, 3, 8, 16, 17, 200}) {
        if (isTooMany(count)) continue;
        fusedHeads(count, 128, true, kv);
        fusedHeads(count, 20, false, kv);
      }
    bf16Kv();
    for (const int dim : {2, 20, 64, 128, 256}) codes(dim);
    for (const int context : {1, 40, 64, 65, 130, 700})
      for (const int dim : {8, 40, 64, 96, 128})
        if (!isTooMany(context)) decodedCodes(context, dim);
    for (const WeightFormat format : {WeightFormat::kF32, WeightFormat::kInt8, WeightFormat::kInt4}) {
      m_format = format;
      fusedProducts();
    }
  }

 private:
  bool isTooMany(int count) const { return m_report.isSmall() && count > 70; }

  void fusedProducts() {
    for (const int count : {1, 3, 8, 16, 17, 200}) {
      if (isTooMany(count)) continue;
      fusedInput(count, 1024, 96);
      fusedInput(count, 900, 50);
      fusedGate(count, 96, 128);
      fusedGate(count, 1024, 1536);
      fusedNorm(count, 3072, 1024);
      fusedNorm(count, 40, 24);
    }
    if (m_report.isSmall()) return;
    fusedGate(900, 576, 1536);  // as many rows and outputs as fill a GPU with large blocks
    fusedNorm(1700, 1024, 1024);
  }

  struct Shape {
    int rows, in, out;
  };
  void same(const Floats& gpu, const Floats& cpu, const std::string& what, double tolerance) {
    const double worst = test::difference(gpu, cpu);
    m_report.check(worst <= tolerance,
                   std::string(typeName(m_type)) + " " + what + ": " + std::to_string(worst));
  }
  Floats random(std::int64_t count, float scale = 1) { return rounded(m_random.reals(count, scale), m_type); }

  void norms(int count, int width) {
    Floats residual = m_random.reals(count * width), weight = m_random.reals(width),
           delta = random(count * width);
    const std::string what = "norm of " + std::to_string(width);
    const Tensor r = test::upload(*m_gpu, residual, DType::kF32, {count, width}),
                 d = test::upload(*m_gpu, delta, m_type, {count, width}),
                 w = test::upload(*m_gpu, weight, DType::kF32, {width}),
                 out = m_gpu->allocate(m_type, {count, width});
    Floats normed(residual.size());
    m_gpu->rmsNorm(r.view(), w.view(), 1e-6f, out.view());
    m_cpu->rmsNorm(test::view(residual, {count, width}), test::view(weight, {width}), 1e-6f,
                   test::view(normed, {count, width}));
    same(test::download(*m_gpu, out.view()), normed, what, m_tolerance);
    m_gpu->addRmsNorm(r.view(), d.view(), w.view(), 1e-6f, out.view());
    m_cpu->addRmsNorm(test::view(residual, {count, width}), test::view(delta, {count, width}),
                      test::view(weight, {width}), 1e-6f, test::view(normed, {count, width}));
    same(test::download(*m_gpu, out.view()), normed, "added " + what, m_tolerance);
    same(test::download(*m_gpu, r.view()), residual, "residual of " + what, 1e-6);
  }

  void headNorms() {
    const int tokens = 5, heads = 3, dim = 64, wide = heads * dim + 40;
    Floats x = random(tokens * wide), weight = m_random.reals(dim);
    const Tensor on = test::upload(*m_gpu, x, m_type, {tokens, wide}),
                 w = test::upload(*m_gpu, weight, DType::kF32, {dim});
    const TensorView heads3 = on.view().columns(8, heads * dim).heads(heads, dim);
    m_gpu->rmsNorm(heads3, w.view(), 1e-5f, heads3);
    const TensorView host = test::view(x, {tokens, wide}).columns(8, heads * dim).heads(heads, dim);
    m_cpu->rmsNorm(host, test::view(weight, {dim}), 1e-5f, host);
    same(test::download(*m_gpu, on.view()), x, "norm of heads", m_tolerance);
  }

  void products(int count, int in, int out) {
    Floats x = random(std::int64_t{count} * in), first = random(std::int64_t{out} * in, 0.1f),
           second = random(std::int64_t{3} * in, 0.1f), bias = m_random.reals(out + 3);
    const TensorView parts[] = {test::view(first, {out, in}), test::view(second, {3, in})};
    const WeightFormat format = m_type == DType::kF32    ? WeightFormat::kF32
                                : m_type == DType::kBf16 ? WeightFormat::kBf16
                                                         : WeightFormat::kF16;
    const auto onGpu = m_gpu->packLinear(parts, format), onCpu = m_cpu->packLinear(parts, WeightFormat::kF32);
    const Tensor input = test::upload(*m_gpu, x, m_type, {count, in}),
                 b = test::upload(*m_gpu, bias, DType::kF32, {out + 3}),
                 floats = m_gpu->allocate(DType::kF32, {count, out + 3}),
                 own = m_gpu->allocate(m_type, {count, out + 3});
    Floats expected(static_cast<std::size_t>(count) * static_cast<std::size_t>(out + 3));
    const TensorView host = test::view(expected, {count, out + 3});
    const std::string what =
        "product " + std::to_string(count) + " x " + std::to_string(in) + " x " + std::to_string(out + 3);
    m_gpu->linear(input.view(), *onGpu, b.view(), floats.view());
    m_cpu->linear(test::view(x, {count, in}), *onCpu, test::view(bias, {out + 3}), host);
    const Floats got = test::download(*m_gpu, floats.view());
    if (m_type == DType::kF32)
      m_report.check(test::sameBits(got, expected), what + " has other bits than the CPU's");
    same(got, expected, what, 1e-4);
    m_gpu->linear(input.view(), *onGpu, {}, own.view());
    m_cpu->linear(test::view(x, {count, in}), *onCpu, {}, host);
    same(test::download(*m_gpu, own.view()), expected, what + " without bias", m_tolerance);

    const std::vector<std::int32_t> ids{0, out + 2, out / 2};
    const Tensor rows = m_gpu->allocate(DType::kF32, {3, in});
    m_gpu->embedRows(ids, *onGpu, rows.view());
    Floats hostRows(static_cast<std::size_t>(3 * in));
    m_cpu->embedRows(ids, *onCpu, test::view(hostRows, {3, in}));
    m_report.check(test::sameBits(test::download(*m_gpu, rows.view()), hostRows), "rows of a packed table");
  }

  void rotary() {
    const int tokens = 6, heads = 3, dim = 20, wide = heads * dim + 12;
    Floats x = random(tokens * wide), cos = m_random.reals(tokens * dim / 2),
           sin = m_random.reals(tokens * dim / 2);
    const Tensor on = test::upload(*m_gpu, x, m_type, {tokens, wide}),
                 c = test::upload(*m_gpu, cos, DType::kF32, {tokens, dim / 2}),
                 s = test::upload(*m_gpu, sin, DType::kF32, {tokens, dim / 2});
    m_gpu->rotary(on.view().columns(4, heads * dim).heads(heads, dim), c.view(), s.view());
    m_cpu->rotary(test::view(x, {tokens, wide}).columns(4, heads * dim).heads(heads, dim),
                  test::view(cos, {tokens, dim / 2}), test::view(sin, {tokens, dim / 2}));
    same(test::download(*m_gpu, on.view()), x, "rotary", m_tolerance);
  }

  void gates() {
    const int tokens = 3, width = 300;
    Floats x = random(tokens * 2 * width, 4), out(static_cast<std::size_t>(tokens * width));
    const Tensor on = test::upload(*m_gpu, x, m_type, {tokens, 2 * width}),
                 to = m_gpu->allocate(m_type, {tokens, width});
    m_gpu->gate(on.view(), to.view());
    m_cpu->gate(test::view(x, {tokens, 2 * width}), test::view(out, {tokens, width}));
    same(test::download(*m_gpu, to.view()), out, "gate", m_tolerance);
  }

  // What is computed as one has the bits of its parts, one behind another.
  void sameBits(const Floats& fused, const Floats& parts, const std::string& what, int count) {
    m_report.check(test::sameBits(fused, parts), std::string(typeName(m_type)) + " " + what + " of " +
                                                     std::to_string(count) + " rows, fused");
  }

  std::unique_ptr<LinearWeight> weight(int out, int in) {
    const Floats floats = m_random.reals(std::int64_t{out} * in, 0.1f);
    Floats copy = floats;
    const TensorView part = test::view(copy, {out, in});
    return m_gpu->packLinear(std::span(&part, 1), m_format);
  }

  void fusedGate(int count, int in, int inner) {
    const auto matrix = weight(2 * inner, in);
    const Tensor x = test::upload(*m_gpu, random(std::int64_t{count} * in), m_type, {count, in}),
                 bias = test::upload(*m_gpu, m_random.reals(2 * inner), DType::kF32, {2 * inner}),
                 room = m_gpu->allocate(m_type, {count, 2 * inner}),
                 fused = m_gpu->allocate(m_type, {count, inner}),
                 parts = m_gpu->allocate(m_type, {count, inner});
    m_gpu->linearGate(x.view(), *matrix, bias.view(), room.view(), fused.view());
    m_gpu->Backend::linearGate(x.view(), *matrix, bias.view(), room.view(), parts.view());
    sameBits(test::download(*m_gpu, fused.view()), test::download(*m_gpu, parts.view()), "gate", count);
  }

  void fusedNorm(int count, int in, int out) {
    const auto matrix = weight(out, in);
    const Floats start = m_random.reals(std::int64_t{count} * out);
    const Tensor x = test::upload(*m_gpu, random(std::int64_t{count} * in), m_type, {count, in}),
                 bias = test::upload(*m_gpu, m_random.reals(out), DType::kF32, {out}),
                 norm = test::upload(*m_gpu, m_random.reals(out), DType::kF32, {out}),
                 room = m_gpu->allocate(DType::kF32, {count, out});
    const auto run = [&](bool isFused) {
      const Tensor residual = test::upload(*m_gpu, start, DType::kF32, {count, out}),
                   normed = m_gpu->allocate(m_type, {count, out});
      const ResidualNorm to{residual.view(), norm.view(), 1e-6f, normed.view()};
      isFused ? m_gpu->linearAddNorm(x.view(), *matrix, bias.view(), room.view(), to)
              : m_gpu->Backend::linearAddNorm(x.view(), *matrix, bias.view(), room.view(), to);
      Floats both = test::download(*m_gpu, residual.view());
      const Floats second = test::download(*m_gpu, normed.view());
      both.insert(both.end(), second.begin(), second.end());
      return both;
    };
    sameBits(run(true), run(false), "addition and norm", count);
  }

  // Within repeat() the product computes the norm that it reads.
  void fusedInput(int count, int in, int out) {
    const auto matrix = weight(out, in);
    const auto cache = m_gpu->allocateKv({1, 1, 1, 1, 8, KvType::kSame, m_type});
    const Tensor residual =
                     test::upload(*m_gpu, m_random.reals(std::int64_t{count} * in), DType::kF32, {count, in}),
                 norm = test::upload(*m_gpu, m_random.reals(in), DType::kF32, {in}),
                 normed = m_gpu->allocate(m_type, {count, in}), fused = m_gpu->allocate(m_type, {count, out}),
                 parts = m_gpu->allocate(m_type, {count, out});
    const auto run = [&](const Tensor& to) {
      m_gpu->rmsNorm(residual.view(), norm.view(), 1e-6f, normed.view());
      m_gpu->linear(normed.view(), *matrix, {}, to.view());
    };
    run(parts);
    ++m_memories;
    for (int time = 0; time < 3; ++time)
      m_gpu->repeat({m_memories, 0, 1, residual.view(), *cache}, [&] { run(fused); });
    sameBits(test::download(*m_gpu, fused.view()), test::download(*m_gpu, parts.view()), "norm and product",
             count);
  }

  // Keys and values as bfloat16 are those of the activations, or are refused.
  void bf16Kv() {
    const auto kept = [&](KvType type) {
      const auto cache = m_gpu->allocateKv({1, 1, 4, 2, 8, type, m_type});
      const std::vector<std::int32_t> slots{0, 1, 2, 3}, ends{0, 4}, length{4}, table{0};
      const Tensor k = test::upload(*m_gpu, random(64), m_type, {4, 16});
      m_gpu->beginStep({slots, slots, ends, length, table, 1});
      m_gpu->storeKv(k.view().heads(2, 8), k.view().heads(2, 8), *cache, 0);
      std::vector<std::byte> block(static_cast<std::size_t>(cache->blockBytes()));
      m_gpu->readBlock(*cache, 0, block.data());
      m_gpu->finishCopies();
      return block;
    };
    bool isRefused = false;
    try {
      m_random = Random(8);
      const std::vector<std::byte> stored = kept(KvType::kBf16);
      m_random = Random(8);
      m_report.check(stored == kept(KvType::kSame), "keys and values as bfloat16");
    } catch (const EngineError& error) {
      isRefused = error.code() == ErrorCode::kUnsupported;
    }
    m_report.check(isRefused == (m_type != DType::kBf16),
                   std::string(typeName(m_type)) + " refuses bfloat16 keys and values");
  }

  // Keys and values as int8: the codes and scales of the CPU, to the bit.
  void codes(int dim) {
    const int count = 9, heads = 3, layers = 2, blockSize = 4, blocks = 3, wide = heads * dim;
    Floats keys = random(std::int64_t{count} * wide, 3), values = random(std::int64_t{count} * wide);
    std::fill_n(keys.begin(), dim, 0.0f);
    std::fill_n(values.begin(), dim, m_type == DType::kF32 ? 1e-42f : 0.0f);
    keys[static_cast<std::size_t>(wide)] = std::nanf("");
    values[static_cast<std::size_t>(wide + dim)] = HUGE_VALF;
    std::vector<std::int32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::vector<std::int32_t> ends{0, count}, length{count}, tables{0, 1, 2};
    const auto kept = [&](Backend& backend, bool isTransposed) {
      const auto cache = backend.allocateKv({layers, blocks, blockSize, heads, dim, KvType::kInt8});
      const Tensor k = test::upload(backend, keys, backend.activations(), {count, wide}),
                   v = test::upload(backend, values, backend.activations(), {count, wide});
      backend.beginStep({numbers, numbers, ends, length, tables, blocks});
      for (int layer = 0; layer < layers; ++layer)
        backend.storeKv(k.view().heads(heads, dim), v.view().heads(heads, dim), *cache, layer);
      return rowsOf(backend, *cache, count, isTransposed);
    };
    m_report.check(kept(*m_gpu, false) == kept(*m_cpu, true),
                   std::string(typeName(m_type)) + " codes of heads of " + std::to_string(dim));
  }
  // The codes of each token, layer, head, key and value, and its scale, of the GPU's layout (launch.h) or the
  // CPU's (cpu/paged_kv.h), where keys are transposed.
  static std::vector<std::byte> rowsOf(Backend& backend, const KvCache& cache, int count, bool isTransposed) {
    const auto [layers, blocks, size, heads, dim, type, element] = cache.shape;
    std::vector<std::byte> rows, block(static_cast<std::size_t>(cache.blockBytes()));
    for (int token = 0; token < count; ++token) {
      if (token % size == 0) {
        backend.readBlock(cache, token / size, block.data());
        backend.finishCopies();
      }
      const int slot = token % size, layerRows = 2 * heads * size;
      for (int layer = 0; layer < layers; ++layer)
        for (int head = 0; head < 2 * heads; ++head) {  // keys, then values
          const int codesBefore = isTransposed ? layer * layerRows * (dim + 4) + head * size * dim
                                               : (layer * layerRows + head * size) * dim;
          const bool isAcross = isTransposed && head < heads;
          for (int i = 0; i < dim; ++i)
            rows.push_back(
                block[static_cast<std::size_t>(codesBefore + (isAcross ? i * size + slot : slot * dim + i))]);
          const int scalesBefore = isTransposed ? layer * layerRows * (dim + 4) + layerRows * dim
                                                : layers * layerRows * dim + layer * layerRows * 4;
          const auto scale = block.begin() + scalesBefore + (head * size + slot) * 4;
          float value = 0;
          std::memcpy(&value, &*scale, sizeof value);
          if (std::isnan(value)) value = -1;  // any will do
          const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
          rows.insert(rows.end(), bytes, bytes + sizeof value);
        }
    }
    return rows;
  }

  // Attention of decoded tokens that prepares their heads, within repeat(), over codes: the bits of its
  // parts, which read the new key and value from the cache. Also with so many sequences that a block of
  // threads walks through a whole context.
  void decodedCodes(int context, int dim) {
    for (const int count : {1, 5, 200}) {
      const int kvHeads = 2, heads = 2 * kvHeads, size = 16, width = (context + size - 1) / size;
      const int wide = (heads + 2 * kvHeads) * dim;
      if ((count > 5 && context > 200) || isTooMany(count)) continue;
      const KvCacheShape shape{1, count * width, size, kvHeads, dim, KvType::kInt8, m_type};
      const Tensor start = test::upload(*m_gpu, random(std::int64_t{count} * wide), m_type, {count, wide});
      const Tensor cos = test::upload(*m_gpu, m_random.reals(count * dim / 2), DType::kF32, {count, dim / 2}),
                   sin = test::upload(*m_gpu, m_random.reals(count * dim / 2), DType::kF32, {count, dim / 2}),
                   norm = test::upload(*m_gpu, m_random.reals(dim), DType::kF32, {dim});
      const Tensor old = test::upload(*m_gpu, random(std::int64_t{context} * 2 * kvHeads * dim), m_type,
                                      {context, 2 * kvHeads * dim});
      std::vector<std::int32_t> tables(static_cast<std::size_t>(count * width)),
          positions(static_cast<std::size_t>(count), context - 1),
          contexts(static_cast<std::size_t>(count), context), slots, every, ends{0};
      std::iota(tables.begin(), tables.end(), 0);
      for (int s = 0; s < count; ++s) {
        slots.push_back((s * width + (context - 1) / size) * size + (context - 1) % size);
        every.push_back(s);
        ends.push_back(s + 1);
      }
      const auto run = [&](bool isFused) {
        const auto cache = m_gpu->allocateKv(shape);
        fillContexts(*cache, old.view(), count, context);
        const Tensor x = m_gpu->allocate(m_type, {count, wide}),
                     out = m_gpu->allocate(m_type, {count, heads, dim});
        const HeadsOfTokens parts{
            x.view().columns(0, heads * dim).heads(heads, dim),
            x.view().columns(heads * dim, kvHeads * dim).heads(kvHeads, dim),
            x.view().columns((heads + kvHeads) * dim, kvHeads * dim).heads(kvHeads, dim)};
        Floats results;
        ++m_memories;
        for (int time = 0; time < 3; ++time) {  // as it is, recorded, as a graph
          m_gpu->gatherRows(start.view(), every, x.view());
          m_gpu->beginStep({positions, slots, ends, contexts, tables, width});
          const auto operations = [&] {
            isFused ? m_gpu->prepareHeads(parts, {norm.view(), norm.view(), 1e-6f}, cos.view(), sin.view(),
                                          *cache, 0)
                    : m_gpu->Backend::prepareHeads(parts, {norm.view(), norm.view(), 1e-6f}, cos.view(),
                                                   sin.view(), *cache, 0);
            m_gpu->attention(parts.q, *cache, 0, {0.1f, 0}, out.view());
          };
          if (isFused)
            m_gpu->repeat({m_memories, 0, 1, x.view(), *cache}, operations);
          else
            operations();
          const Floats got = test::download(*m_gpu, out.view());
          results.insert(results.end(), got.begin(), got.end());
        }
        std::vector<std::uint8_t> block(static_cast<std::size_t>(cache->blockBytes()));
        m_gpu->readBlock(*cache, width - 1, block.data());
        m_gpu->finishCopies();
        results.insert(results.end(), block.begin(), block.end());
        return results;
      };
      sameBits(run(true), run(false),
               "heads of " + std::to_string(dim) + " in attention over " + std::to_string(context) + " codes",
               count);
    }
  }
  // Every sequence's tokens but the last one, the same for all, whose blocks follow one another.
  void fillContexts(KvCache& cache, const TensorView& old, int count, int context) {
    const KvCacheShape& shape = cache.shape;
    const int width = shape.numBlocks / count, narrow = shape.kvHeads * shape.headDim, before = context - 1;
    const std::vector<std::uint8_t> zeros(static_cast<std::size_t>(cache.blockBytes()));
    for (int b = 0; b < shape.numBlocks; ++b) m_gpu->writeBlock(cache, b, zeros.data());
    m_gpu->finishCopies();
    if (before == 0) return;
    std::vector<std::int32_t> positions(static_cast<std::size_t>(before)),
        table(static_cast<std::size_t>(width));
    std::iota(positions.begin(), positions.end(), 0);
    const std::vector<std::int32_t> ends{0, before}, contexts{before};
    for (int s = 0; s < count; ++s) {
      std::iota(table.begin(), table.end(), s * width);
      std::vector<std::int32_t> slots;
      for (const std::int32_t position : positions) slots.push_back(s * width * shape.blockSize + position);
      m_gpu->beginStep({positions, slots, ends, contexts, table, width});
      m_gpu->storeKv(old.rows(0, before).columns(0, narrow).heads(shape.kvHeads, shape.headDim),
                     old.rows(0, before).columns(narrow, narrow).heads(shape.kvHeads, shape.headDim), cache,
                     0);
    }
  }

  void fusedHeads(int count, int dim, bool hasNorms, KvType kv) {
    const int heads = 6, kvHeads = 3, blockSize = 4, blocks = (count + blockSize - 1) / blockSize;
    const int wide = (heads + 2 * kvHeads) * dim;
    const Floats start = random(std::int64_t{count} * wide);
    const Tensor cos = test::upload(*m_gpu, m_random.reals(count * dim / 2), DType::kF32, {count, dim / 2}),
                 sin = test::upload(*m_gpu, m_random.reals(count * dim / 2), DType::kF32, {count, dim / 2}),
                 query = test::upload(*m_gpu, m_random.reals(dim), DType::kF32, {dim}),
                 key = test::upload(*m_gpu, m_random.reals(dim), DType::kF32, {dim});
    HeadNorms norms;
    if (hasNorms) norms = {query.view(), key.view(), 1e-6f};
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(std::max(count, blocks)));
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::vector<std::int32_t> ends{0, count}, length{count};
    const std::span<const std::int32_t> all(numbers), positions = all.first(static_cast<std::size_t>(count));
    m_gpu->beginStep(
        {positions, positions, ends, length, all.first(static_cast<std::size_t>(blocks)), blocks});
    const auto run = [&](bool isFused) {
      const Tensor x = test::upload(*m_gpu, start, m_type, {count, wide});
      const auto cache = m_gpu->allocateKv({2, blocks, blockSize, kvHeads, dim, kv, m_type});
      const std::vector<std::uint8_t> zeros(static_cast<std::size_t>(cache->blockBytes()));
      for (int b = 0; b < blocks; ++b) m_gpu->writeBlock(*cache, b, zeros.data());
      const HeadsOfTokens parts{x.view().columns(0, heads * dim).heads(heads, dim),
                                x.view().columns(heads * dim, kvHeads * dim).heads(kvHeads, dim),
                                x.view().columns((heads + kvHeads) * dim, kvHeads * dim).heads(kvHeads, dim)};
      isFused ? m_gpu->prepareHeads(parts, norms, cos.view(), sin.view(), *cache, 1)
              : m_gpu->Backend::prepareHeads(parts, norms, cos.view(), sin.view(), *cache, 1);
      Floats result = test::download(*m_gpu, x.view());
      std::vector<std::uint8_t> block(static_cast<std::size_t>(cache->blockBytes()));
      for (int b = 0; b < blocks; ++b) {
        m_gpu->readBlock(*cache, b, block.data());
        m_gpu->finishCopies();
        result.insert(result.end(), block.begin(), block.end());
      }
      return result;
    };
    sameBits(run(true), run(false), kv == KvType::kInt8 ? "heads as codes" : "heads", count);
  }

  void rows() {
    const int count = 40, width = 33;
    const Floats x = random(count * width);
    const Tensor on = test::upload(*m_gpu, x, m_type, {count, width}),
                 to = m_gpu->allocate(m_type, {4, width});
    const std::vector<std::int32_t> ids{39, 0, 7, 7};
    m_gpu->gatherRows(on.view(), ids, to.view());
    const Floats got = test::download(*m_gpu, to.view());
    bool same = true;
    for (std::size_t i = 0; i < ids.size(); ++i)
      same = same &&
             std::equal(got.begin() + static_cast<std::ptrdiff_t>(i) * width,
                        got.begin() + static_cast<std::ptrdiff_t>(i + 1) * width, x.begin() + ids[i] * width);
    m_report.check(same, "gathered rows");
    const Floats columns = test::download(*m_gpu, on.view().columns(3, 5));
    m_report.check(columns.size() == 200 && columns[5] == x[33 + 3], "columns downloaded");
  }

  Report& m_report;
  const DType m_type;
  Random m_random;
  const std::unique_ptr<Backend> m_gpu, m_cpu;
  const double m_tolerance;
  std::uint64_t m_memories = 0;                // RepeatedLayers
  WeightFormat m_format = WeightFormat::kF32;  // of matrices of what is fused
};

}  // namespace

void checkOperations(Report& report) {
  for (const DType type : kActivations) {
    if (report.begin(std::string("operations, ") + typeName(type))) Operations(report, type).all();
  }
}

void checkProducts(Report& report) {
  for (const DType type : kActivations) {
    if (!report.begin(std::string("products of 1 to 512 rows, ") + typeName(type))) continue;
    const auto gpu = makeCudaBackend(type);
    Random random(11);
    for (const auto& [in, out] :
         {std::pair{1024, 128}, {3072, 96}, {48, 61}, {576, 200}, {1024, 4096}, {2048, 40000}}) {
      Floats weights = random.reals(std::int64_t{in} * out, 0.1f);
      const TensorView part = test::view(weights, {out, in});
      const auto weight = gpu->packLinear(std::span(&part, 1), WeightFormat::kF32);
      const int most = out > 10000 ? 40 : 512;
      const Tensor x = test::upload(*gpu, random.reals(std::int64_t{most} * in), type, {most, in});
      const Tensor to = gpu->allocate(DType::kF32, {most, out});
      gpu->linear(x.view(), *weight, {}, to.view());
      const Floats all = test::download(*gpu, to.view());
      for (int rows = 1; rows <= most; rows += rows < 40 ? 1 : 67) {
        const int first = random.between(0, most - rows);
        gpu->linear(x.view().rows(first, rows), *weight, {}, to.view().rows(0, rows));
        const Floats some = test::download(*gpu, to.view().rows(0, rows));
        report.check(std::equal(some.begin(), some.end(), all.begin() + std::int64_t{first} * out),
                     std::to_string(rows) + " rows of " + std::to_string(in) + " x " + std::to_string(out));
      }
    }
  }
}

}  // namespace vitrine::gpu
