// Attention of the batch: which tokens and heads a kernel gets at a time, and how they are shared out.
#include <algorithm>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/memory.h"
#include "backends/cpu/paged_kv.h"

namespace vitrine::cpu {
namespace {

constexpr std::int64_t kTurnedRows = 4;      // queries a kernel scores together at most (inRowGroups)
constexpr std::int64_t kFloatsPerLine = 16;  // a thread's scratch begins with a cache line of its own

bool isHeads(const TensorView& view) {
  return view.type() == DType::kF32 && view.rank() == 3 && view.stride(2) == 1;
}

}  // namespace

// Every block that some token will read must be a block of the pool. Positions within a sequence ascend.
void CpuBackend::checkTables(const KvCache& cache, const AttentionParameters& parameters) const {
  const int blockSize = cache.shape.blockSize;
  for (std::size_t s = 0; s < m_batch.contextLength.size(); ++s) {
    const std::int32_t begin = m_batch.queryStart[s], end = m_batch.queryStart[s + 1];
    if (begin == end) continue;
    const int last = m_batch.positions[static_cast<std::size_t>(end - 1)];
    VITRINE_CHECK(last / blockSize < m_batch.tableWidth);
    const std::size_t table = s * static_cast<std::size_t>(m_batch.tableWidth);
    const int oldest = m_batch.positions[static_cast<std::size_t>(begin)];
    const int first = parameters.slidingWindow > 0 ? std::max(0, oldest - parameters.slidingWindow + 1) : 0;
    for (int i = first / blockSize; i <= last / blockSize; ++i) {
      const std::int32_t block = m_batch.blockTables[table + static_cast<std::size_t>(i)];
      VITRINE_CHECK(block >= 0 && block < cache.shape.numBlocks);
      if (m_batch.blockShifts.empty()) continue;
      const std::int32_t shift = m_batch.blockShifts[table + static_cast<std::size_t>(i)];
      VITRINE_CHECK(shift >= 0 && shift < parameters.turnCos.extent(0) &&
                    shift < parameters.turnSin.extent(0));
    }
  }
}

void CpuBackend::cutRuns(int tokensAtOnce) {
  m_runs.clear();
  for (std::size_t s = 0; s < m_batch.contextLength.size(); ++s) {
    const std::int32_t end = m_batch.queryStart[s + 1];
    for (std::int32_t first = m_batch.queryStart[s]; first < end; first += tokensAtOnce)
      m_runs.push_back({first, std::min(tokensAtOnce, end - first), static_cast<std::int32_t>(s)});
  }
}

// A sequence's tokens one after another, so that what a block has got does not depend on how they were cut.
void CpuBackend::addMass(const KvCacheShape& shape, int layer) const {
  const std::int64_t perToken = std::int64_t{shape.kvHeads} * m_batch.massWidth;
  for (std::size_t s = 0; s < m_batch.attentionScores.size(); ++s) {
    if (m_batch.attentionScores[s] == nullptr) continue;
    float* to = m_batch.attentionScores[s] + layer * perToken;
    for (std::int32_t token = m_batch.queryStart[s]; token < m_batch.queryStart[s + 1]; ++token)
      for (std::int64_t i = 0; i < perToken; ++i)
        to[i] += m_mass[static_cast<std::size_t>(token * perToken + i)];
  }
}

void CpuBackend::attention(const TensorView& q, const KvCache& cache, int layer,
                           const AttentionParameters& parameters, const TensorView& out) {
  const auto& kv = static_cast<const PagedKv&>(cache);
  const KvCacheShape& s = kv.shape;
  const auto tokens = static_cast<std::int64_t>(m_batch.positions.size());
  VITRINE_CHECK(isHeads(q) && isHeads(out) && layer >= 0 && layer < s.layers);
  VITRINE_CHECK(q.extent(0) == tokens && q.extent(1) % s.kvHeads == 0 && q.extent(2) == s.headDim);
  VITRINE_CHECK(out.extent(0) == tokens && out.extent(1) == q.extent(1) && out.extent(2) == s.headDim);
  if (tokens == 0) return;
  checkTables(cache, parameters);
  const int group = static_cast<int>(q.extent(1)) / s.kvHeads;
  cutRuns(m_attention.tokensAtOnce(group));
  const bool turns = !m_batch.blockShifts.empty();
  const auto lines = [](std::int64_t floats) {
    return (floats + kFloatsPerLine - 1) / kFloatsPerLine * kFloatsPerLine;
  };
  const std::int64_t turnedFloats = turns ? lines(kTurnedRows * s.headDim) : 0;
  const std::int64_t perThread =
      turnedFloats + lines(m_attention.scratchFloats(group, s.headDim, m_maxContext));
  if (perThread * threads() > m_scratchFloats) {
    const std::int64_t factors[] = {perThread, threads(), sizeof(float)};
    m_scratch = allocateBytes(factors, "attention scores");
    m_scratchFloats = perThread * threads();
  }
  const bool counts = !m_batch.attentionScores.empty();
  const std::int64_t massToken = std::int64_t{s.kvHeads} * m_batch.massWidth;
  if (counts) m_mass.assign(static_cast<std::size_t>(tokens * massToken), 0.0f);
  // Later tokens of a prompt see more. Taking them in the order first, last, second, last but one, ... gives
  // every thread's contiguous share of a head about the same work.
  const auto runs = static_cast<std::int64_t>(m_runs.size());
  constexpr std::int64_t kMultiplyAdds = 1 << 18;  // of them a core does a dozen in a nanosecond
  const std::int64_t work = std::max<std::int64_t>(1, m_maxContext * s.headDim * group * tokens / runs);
  const std::int64_t grain = std::max<std::int64_t>(1, kMultiplyAdds / work);
  m_pool.parallelFor(runs * s.kvHeads, grain, [&](std::int64_t begin, std::int64_t end, int part) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t turn = i % runs, place = turn % 2 == 0 ? turn / 2 : runs - 1 - turn / 2;
      const Run& run = m_runs[static_cast<std::size_t>(place)];
      const int head = static_cast<int>(i / runs);
      AttentionTask task;
      task.q = q.f32() + run.first * q.stride(0) + head * group * q.stride(1);
      task.qToken = q.stride(0);
      task.qHead = q.stride(1);
      task.out = out.f32() + run.first * out.stride(0) + head * group * out.stride(1);
      task.outToken = out.stride(0);
      task.outHead = out.stride(1);
      task.kv =
          kv.head(layer, head, m_batch.blockTables.data() + std::int64_t{run.sequence} * m_batch.tableWidth);
      task.positions = m_batch.positions.data() + run.first;
      task.tokens = run.count;
      task.heads = group;
      task.headDim = s.headDim;
      task.blockSize = s.blockSize;
      task.slidingWindow = parameters.slidingWindow;
      task.scale = parameters.scale;
      task.turned = static_cast<float*>(m_scratch.get()) + part * perThread;
      task.scratch = task.turned + turnedFloats;
      if (turns) {
        task.blockShifts = m_batch.blockShifts.data() + std::int64_t{run.sequence} * m_batch.tableWidth;
        task.turnCos = parameters.turnCos.f32();
        task.turnSin = parameters.turnSin.f32();
      }
      if (counts) {
        task.mass = m_mass.data() + run.first * massToken + std::int64_t{head} * m_batch.massWidth;
        task.massToken = massToken;
      }
      m_attention.attend(task);
    }
  });
  if (counts) addMass(s, layer);
}

}  // namespace vitrine::cpu
