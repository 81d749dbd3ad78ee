// Blocks of a KV cache to the host and back, beside kernels that write and read the same blocks right behind.
#include <chrono>
#include <cstring>
#include <optional>

#include "backends/workload.h"
#include "gpu/gpu_checks.h"

namespace vitrine::gpu {
namespace {

using test::Random;

using Bytes = std::vector<std::byte>;

// Blocks of a real model's size, so that copies of all of them take milliseconds.
class Blocks {
 public:
  Blocks(Report& report, DType type, KvType kv)
      : m_report(report),
        m_random(71),
        m_gpu(makeCudaBackend(type)),
        m_shape{28, 48, 16, 8, 128, kv, type},
        m_cache(m_gpu->allocateKv(m_shape)),
        m_size(static_cast<std::size_t>(m_cache->blockBytes())),
        m_memory(m_gpu->hostMemory(2 * all())) {}

  void run() {
    comeBack(here(0), here(m_shape.numBlocks), "pinned memory");
    Bytes from(static_cast<std::size_t>(all())), to(from.size());
    comeBack(from.data(), to.data(), "ordinary memory");
    hostMemoryIsUsedAgain();
    copiesFollow();
    for (int time = 0; time < 3; ++time) kernelWritesBehind(false), kernelReadsBehind();
    for (int time = 0; time < 4; ++time) kernelWritesBehind(true);  // as it is, recorded, as a graph
  }

 private:
  std::int64_t all() const { return std::int64_t{m_shape.numBlocks} * m_cache->blockBytes(); }
  std::byte* here(int slot) const {
    return static_cast<std::byte*>(m_memory.get()) + static_cast<std::size_t>(slot) * m_size;
  }
  // Positive numbers below 2 in every type, and scales of codes; others in each block.
  void fill(std::byte* block) {
    for (std::size_t i = 0; i < m_size; i += 2) {
      m_state = m_state * 6364136223846793005u + 1;  // a fast generator: there are a billion numbers
      const auto bits = static_cast<std::uint16_t>(0x3800 + (m_state >> 40 & 0x7ff));
      std::memcpy(block + i, &bits, sizeof bits);
    }
  }
  bool same(const std::byte* a, const std::byte* b) const { return std::memcmp(a, b, m_size) == 0; }
  Bytes blockNow(int block) {
    Bytes bytes(m_size);
    m_gpu->readBlock(*m_cache, block, bytes.data());
    m_gpu->finishCopies();
    return bytes;
  }
  void bring(int block, const std::byte* from) { m_gpu->writeBlock(*m_cache, block, from); }
  void take(int block, std::byte* to) { m_gpu->readBlock(*m_cache, block, to); }

  void comeBack(std::byte* from, std::byte* to, const char* where) {
    const int count = m_shape.numBlocks;
    for (int b = 0; b < count; ++b) fill(from + static_cast<std::size_t>(b) * m_size);
    std::memset(to, 0, static_cast<std::size_t>(all()));
    m_gpu->finish();
    const auto timed = [&](const char* way, const auto& copy) {
      const auto began = std::chrono::steady_clock::now();
      for (int b = 0; b < count; ++b) copy(b);
      m_gpu->finishCopies();
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      std::printf("  blocks %s %s: %.1f GB/s\n", way, where, static_cast<double>(all()) / seconds / 1e9);
    };
    timed("in from", [&](int b) { bring(b, from + static_cast<std::size_t>(b) * m_size); });
    timed("out to", [&](int b) { take(b, to + static_cast<std::size_t>(b) * m_size); });
    m_report.check(std::memcmp(from, to, static_cast<std::size_t>(all())) == 0,
                   std::string("blocks come back from ") + where);
  }

  void hostMemoryIsUsedAgain() {
    fill(here(0)), fill(here(1));
    const Bytes first(here(0), here(1)), second(here(1), here(2));
    bring(5, here(1));
    bring(4, here(0));
    take(5, here(0));
    m_gpu->finishCopies();
    m_report.check(same(here(0), second.data()), "memory is used again behind a copy out of it");
    m_report.check(same(blockNow(4).data(), first.data()), "which has been done before");
  }

  void copiesFollow() {
    fill(here(0)), fill(here(1));
    bring(6, here(1));
    bring(7, here(0));
    const std::vector<BlockCopy> fromNew = {{7, 8}}, overOld = {{7, 6}};
    m_gpu->copyBlocks(*m_cache, fromNew);
    take(6, here(2));
    m_gpu->copyBlocks(*m_cache, overOld);
    take(6, here(3));
    take(8, here(4));
    m_gpu->finishCopies();
    m_report.check(same(here(4), here(0)), "a block that has come in is copied");
    m_report.check(same(here(2), here(1)), "a block that leaves is not overwritten");
    m_report.check(same(here(3), here(0)), "and is, behind its copy");
  }

  // A token of a sequence of its own in each of the last blocks, whose copies out are the last ones.
  void kernelWritesBehind(bool isRepeated) {
    const int count = m_shape.numBlocks, written = 6, width = m_shape.kvHeads * m_shape.headDim;
    for (int b = 0; b < count; ++b) {
      fill(here(b));
      bring(b, here(b));
    }
    std::vector<std::int32_t> slots, start{0}, tables;
    for (int s = 0; s < written; ++s) {
      tables.push_back(count - written + s);
      slots.push_back(tables.back() * m_shape.blockSize);
      start.push_back(s + 1);
    }
    const std::vector<std::int32_t> positions(written, 0), contexts(written, 1);
    if (!m_keys) {
      m_keys = test::upload(*m_gpu, m_random.reals(std::int64_t{written} * width), m_shape.element,
                            {written, width});
      m_hidden = m_gpu->allocate(DType::kF32, {written, 8});
    }
    const TensorView heads = m_keys->view().heads(m_shape.kvHeads, m_shape.headDim);
    m_gpu->finishCopies();
    for (int b = 0; b < count; ++b) take(b, here(count + b));
    m_gpu->beginStep({positions, slots, start, contexts, tables, 1});
    const auto store = [&] {
      for (int layer = 0; layer < m_shape.layers; ++layer) m_gpu->storeKv(heads, heads, *m_cache, layer);
    };
    isRepeated ? m_gpu->repeat({1, 0, m_shape.layers, m_hidden.view(), *m_cache}, store) : store();
    m_gpu->finishCopies();
    bool left = true, changed = true;
    for (int b = 0; b < count; ++b) left = left && same(here(b), here(count + b));
    for (const std::int32_t block : tables) changed = changed && !same(blockNow(block).data(), here(block));
    const std::string how = isRepeated ? " (repeated)" : "";
    m_report.check(left, "what leaves is what was there before the kernel behind" + how);
    m_report.check(changed, "which has written" + how);
    m_report.check(same(blockNow(0).data(), here(0)), "its own blocks alone" + how);
  }

  // Attention over blocks that come in, in place of others, right before.
  void kernelReadsBehind() {
    const int count = m_shape.numBlocks, width = m_shape.kvHeads * m_shape.headDim;
    const std::vector<std::int32_t> position = {31}, slot = {(count - 1) * m_shape.blockSize + 15},
                                    start = {0, 1}, context = {32}, table = {count - 2, count - 1};
    const Tensor q = test::upload(*m_gpu, m_random.reals(width), m_shape.element, {1, width}),
                 out = m_gpu->allocate(m_shape.element, {1, width});
    const auto attend = [&] {
      m_gpu->beginStep({position, slot, start, context, table, 2});
      m_gpu->attention(q.view().heads(m_shape.kvHeads, m_shape.headDim), *m_cache, 3, {0.1f, 0},
                       out.view().heads(m_shape.kvHeads, m_shape.headDim));
      return test::download(*m_gpu, out.view());
    };
    const test::Floats before = attend();
    for (int b = 0; b < count; ++b) fill(here(b));
    for (int b = 0; b < count; ++b) bring(b, here(b));
    const test::Floats behind = attend();
    m_gpu->finishCopies();
    m_report.check(test::sameBits(behind, attend()), "attention reads blocks that have come in");
    m_report.check(!test::sameBits(behind, before), "and not what was there");
  }

  Report& m_report;
  Random m_random;
  std::uint64_t m_state = 71;
  const std::unique_ptr<Backend> m_gpu;
  const KvCacheShape m_shape;
  const std::unique_ptr<KvCache> m_cache;
  const std::size_t m_size;
  const std::shared_ptr<void> m_memory;  // for two caches
  std::optional<Tensor> m_keys;
  Tensor m_hidden;
};

}  // namespace

void checkBlocks(Report& report) {
  for (const DType type : kActivations) {
    if (report.begin(std::string("blocks to the host and back, ") + typeName(type)))
      Blocks(report, type, KvType::kSame).run();
  }
  if (report.begin("blocks to the host and back, bf16, int8"))
    Blocks(report, DType::kBf16, KvType::kInt8).run();
}

}  // namespace vitrine::gpu
