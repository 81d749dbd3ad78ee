// Attention of the batch: which tokens and heads a kernel gets at a time, and how they are shared out.
#include <algorithm>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/host_memory.h"
#include "backends/cpu/paged_kv.h"

namespace vitrine::cpu {

// One call of attention(), and what its tasks have in common.
struct CpuBackend::AttentionCall {
  const TensorView& q;
  const PagedKv& kv;
  int layer;
  const AttentionParameters& parameters;
  const TensorView& out;
  int group = 0;                                    // query heads that share a head of keys and values
  std::int64_t scoresPerToken = 0;                  // floats
  std::int64_t turnedFloats = 0, threadFloats = 0;  // of a thread's scratch: for turned queries, in all
};

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

// Adds a sequence's tokens one after another, so that the sums do not depend on how chunks were cut.
void CpuBackend::addScores(const KvCacheShape& shape, int layer) const {
  const std::int64_t perToken = std::int64_t{shape.kvHeads} * m_batch.scoreWidth;
  for (std::size_t s = 0; s < m_batch.attentionScores.size(); ++s) {
    if (m_batch.attentionScores[s] == nullptr) continue;
    float* to = m_batch.attentionScores[s] + layer * perToken;
    for (std::int32_t token = m_batch.queryStart[s]; token < m_batch.queryStart[s + 1]; ++token)
      for (std::int64_t i = 0; i < perToken; ++i)
        to[i] += m_scores[static_cast<std::size_t>(token * perToken + i)];
  }
}

// Scratch of one thread: turned queries, then the kernel's own.
void CpuBackend::reserveScratch(AttentionCall& call, int headDim) {
  const auto lines = [](std::int64_t floats) {
    return (floats + kFloatsPerLine - 1) / kFloatsPerLine * kFloatsPerLine;
  };
  call.turnedFloats = m_batch.blockShifts.empty() ? 0 : lines(kTurnedRows * headDim);
  call.threadFloats = call.turnedFloats + lines(m_attention.scratchFloats(call.group, headDim, m_maxContext));
  if (call.threadFloats * threads() <= m_scratchFloats) return;
  const std::int64_t factors[] = {call.threadFloats, threads(), sizeof(float)};
  m_scratch = allocateBytes(factors, "attention scores");
  m_scratchFloats = call.threadFloats * threads();
}

// The run's tokens and one head of keys and values, as the kernel computes them on thread `thread`.
AttentionTask CpuBackend::taskOf(const AttentionCall& call, const Run& run, int head, int thread) {
  const TensorView &q = call.q, &out = call.out;
  const KvCacheShape& shape = call.kv.shape;
  const std::int64_t table = std::int64_t{run.sequence} * m_batch.tableWidth;
  AttentionTask task;
  task.q = q.f32() + run.first * q.stride(0) + head * call.group * q.stride(1);
  task.qToken = q.stride(0);
  task.qHead = q.stride(1);
  task.out = out.f32() + run.first * out.stride(0) + head * call.group * out.stride(1);
  task.outToken = out.stride(0);
  task.outHead = out.stride(1);
  task.kv = call.kv.head(call.layer, head, m_batch.blockTables.data() + table);
  task.positions = m_batch.positions.data() + run.first;
  task.tokens = run.count;
  task.heads = call.group;
  task.headDim = shape.headDim;
  task.blockSize = shape.blockSize;
  task.slidingWindow = call.parameters.slidingWindow;
  task.scale = call.parameters.scale;
  task.turned = static_cast<float*>(m_scratch.get()) + thread * call.threadFloats;
  task.scratch = task.turned + call.turnedFloats;
  if (!m_batch.blockShifts.empty()) {
    task.blockShifts = m_batch.blockShifts.data() + table;
    task.turnCos = call.parameters.turnCos.f32();
    task.turnSin = call.parameters.turnSin.f32();
  }
  if (!m_batch.attentionScores.empty()) {
    task.scores = m_scores.data() + run.first * call.scoresPerToken + std::int64_t{head} * m_batch.scoreWidth;
    task.scoresPerToken = call.scoresPerToken;
  }
  return task;
}

void CpuBackend::checkAttention(const AttentionCall& call) const {
  const KvCacheShape& shape = call.kv.shape;
  const TensorView &q = call.q, &out = call.out;
  const auto tokens = static_cast<std::int64_t>(m_batch.positions.size());
  VITRINE_CHECK(isHeads(q) && isHeads(out) && call.layer >= 0 && call.layer < shape.layers);
  VITRINE_CHECK(q.extent(0) == tokens && q.extent(1) % shape.kvHeads == 0 && q.extent(2) == shape.headDim);
  VITRINE_CHECK(out.extent(0) == tokens && out.extent(1) == q.extent(1) && out.extent(2) == shape.headDim);
}

void CpuBackend::attention(const TensorView& q, const KvCache& cache, int layer,
                           const AttentionParameters& parameters, const TensorView& out) {
  const KvCacheShape& shape = cache.shape;
  AttentionCall call{q, static_cast<const PagedKv&>(cache), layer, parameters, out};
  checkAttention(call);
  const auto tokens = static_cast<std::int64_t>(m_batch.positions.size());
  if (tokens == 0) return;
  checkTables(cache, parameters);
  call.group = static_cast<int>(q.extent(1)) / shape.kvHeads;
  call.scoresPerToken = std::int64_t{shape.kvHeads} * m_batch.scoreWidth;
  cutRuns(m_attention.tokensAtOnce(call.group));
  reserveScratch(call, shape.headDim);
  const bool scores = !m_batch.attentionScores.empty();
  if (scores) m_scores.assign(static_cast<std::size_t>(tokens * call.scoresPerToken), 0.0f);
  // Later tokens of a prompt see more. Taking them in the order first, last, second, last but one, ... gives
  // every thread's contiguous share of a head about the same work.
  const auto runs = static_cast<std::int64_t>(m_runs.size());
  constexpr std::int64_t kMultiplyAdds = 1 << 18;  // of them a core does a dozen in a nanosecond
  const std::int64_t work =
      std::max<std::int64_t>(1, m_maxContext * shape.headDim * call.group * tokens / runs);
  const std::int64_t grain = std::max<std::int64_t>(1, kMultiplyAdds / work);
  m_pool.parallelFor(runs * shape.kvHeads, grain, [&](std::int64_t begin, std::int64_t end, int thread) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t turn = i % runs, place = turn % 2 == 0 ? turn / 2 : runs - 1 - turn / 2;
      const Run& run = m_runs[static_cast<std::size_t>(place)];
      m_attention.attend(taskOf(call, run, static_cast<int>(i / runs), thread));
    }
  });
  if (scores) addScores(shape, layer);
}

}  // namespace vitrine::cpu
