// The operations, each as the paper writes it.
#include <algorithm>
#include <limits>

#include "backends/torch/guarded.h"
#include "backends/torch/torch_backend.h"

namespace vitrine::torch_backend {
namespace {

at::Tensor indices(std::span<const std::int32_t> values) {
  return at::tensor(std::vector<std::int64_t>(values.begin(), values.end()), at::kLong);
}

at::Tensor normed(const at::Tensor& x, const at::Tensor& weight, float eps) {
  return x * at::rsqrt(x.square().mean(-1, /*keepdim=*/true) + double{eps}) * weight;
}

// q [n, heads, headDim], k and v [m, kvHeads, headDim]; query i sits at position queryAt[i], key j at
// keyAt[j].
at::Tensor attend(const at::Tensor& q, at::Tensor k, at::Tensor v, const at::Tensor& queryAt,
                  const at::Tensor& keyAt, const AttentionParameters& parameters) {
  const std::int64_t group = q.size(1) / k.size(1);
  k = k.repeat_interleave(group, 1);
  v = v.repeat_interleave(group, 1);
  at::Tensor scores = at::einsum("nhd,mhd->hnm", {q, k}) * double{parameters.scale};
  const at::Tensor distance = queryAt.unsqueeze(1) - keyAt.unsqueeze(0);  // [n, m]
  at::Tensor hidden = distance < 0;
  if (parameters.slidingWindow > 0)
    hidden = hidden.logical_or(distance >= std::int64_t{parameters.slidingWindow});
  scores = scores.masked_fill(hidden, -std::numeric_limits<double>::infinity());
  return at::einsum("hnm,mhd->nhd", {scores.softmax(-1), v});
}

}  // namespace

void TorchBackend::embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) {
  guarded([&] { wrap(out).copy_(wrap(table).index_select(0, indices(ids))); });
}

void TorchBackend::embedRows(std::span<const std::int32_t> ids, const LinearWeight& table,
                             const TensorView& out) {
  const auto& rows = static_cast<const TorchWeight&>(table);
  guarded([&] { wrap(out).copy_(rows.matrix.index_select(0, indices(ids))); });
}

void TorchBackend::rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out) {
  guarded([&] { wrap(out).copy_(normed(wrap(x), wrap(weight), eps)); });
}

void TorchBackend::addRmsNorm(const TensorView& residual, const TensorView& delta, const TensorView& weight,
                              float eps, const TensorView& out) {
  guarded([&] {
    wrap(residual).add_(wrap(delta));
    wrap(out).copy_(normed(wrap(residual), wrap(weight), eps));
  });
}

void TorchBackend::linear(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                          const TensorView& out) {
  guarded([&] {
    const at::Tensor matrix = static_cast<const TorchWeight&>(weight).matrix.to(at::kFloat);
    at::Tensor product = wrap(x).matmul(matrix.t());
    if (!bias.empty()) product += wrap(bias);
    wrap(out).copy_(product);
  });
}

void TorchBackend::rotary(const TensorView& x, const TensorView& cos, const TensorView& sin) {
  guarded([&] {
    const at::Tensor heads = wrap(x), c = wrap(cos).unsqueeze(1), s = wrap(sin).unsqueeze(1);
    const std::int64_t half = heads.size(2) / 2;
    const at::Tensor first = heads.narrow(2, 0, half), second = heads.narrow(2, half, half);
    const at::Tensor turnedFirst = first * c - second * s, turnedSecond = second * c + first * s;
    first.copy_(turnedFirst);
    second.copy_(turnedSecond);
  });
}

void TorchBackend::storeKv(const TensorView& k, const TensorView& v, KvCache& cache, int layer) {
  guarded([&] {
    const auto& kv = static_cast<const TorchKv&>(cache);
    const at::Tensor at = indices(m_batch.slots);
    kv.slotRows(0, layer).index_copy_(0, at, wrap(k).to(kv.blocks.scalar_type()));
    kv.slotRows(1, layer).index_copy_(0, at, wrap(v).to(kv.blocks.scalar_type()));
  });
}

void TorchBackend::attention(const TensorView& q, const KvCache& cache, int layer,
                             const AttentionParameters& parameters, const TensorView& out) {
  guarded([&] {
    const auto& kv = static_cast<const TorchKv&>(cache);
    const at::Tensor keys = kv.slotRows(0, layer), values = kv.slotRows(1, layer);
    for (std::size_t s = 0; s < m_batch.contextLength.size(); ++s) {
      const std::int32_t begin = m_batch.queryStart[s], count = m_batch.queryStart[s + 1] - begin;
      if (count == 0) continue;
      const auto positions =
          m_batch.positions.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
      // Blocks that lie before every window may be gone from the table.
      const int oldest = *std::min_element(positions.begin(), positions.end());
      const int first = parameters.slidingWindow > 0 ? std::max(0, oldest - parameters.slidingWindow + 1) : 0;
      const auto table = m_batch.blockTables.subspan(s * static_cast<std::size_t>(m_batch.tableWidth));
      std::vector<std::int32_t> slots, keyAt;
      for (int p = first; p < m_batch.contextLength[s]; ++p) {
        const std::int32_t block = table[static_cast<std::size_t>(p / kv.shape.blockSize)];
        keyAt.push_back(p);
        slots.push_back(block * kv.shape.blockSize + p % kv.shape.blockSize);
      }
      const at::Tensor rows = indices(slots);
      wrap(out.rows(begin, count))
          .copy_(attend(wrap(q.rows(begin, count)), keys.index_select(0, rows).to(at::kFloat),
                        values.index_select(0, rows).to(at::kFloat), indices(positions), indices(keyAt),
                        parameters));
    }
  });
}

void TorchBackend::gate(const TensorView& gateUp, const TensorView& out) {
  guarded([&] {
    const std::int64_t n = out.extent(1);
    const at::Tensor both = wrap(gateUp);
    wrap(out).copy_(at::silu(both.narrow(1, 0, n)) * both.narrow(1, n, n));
  });
}

void TorchBackend::gatherRows(const TensorView& x, std::span<const std::int32_t> rows,
                              const TensorView& out) {
  guarded([&] { wrap(out).copy_(wrap(x).index_select(0, indices(rows))); });
}

void TorchBackend::copyBlocks(KvCache& cache, std::span<const BlockCopy> copies) {
  guarded([&] {
    const at::Tensor& blocks = static_cast<TorchKv&>(cache).blocks;
    for (const BlockCopy& copy : copies) blocks.select(2, copy.to).copy_(blocks.select(2, copy.from));
  });
}

void TorchBackend::readBlock(const KvCache& cache, std::int32_t block, void* host) {
  guarded([&] {
    const at::Tensor from = static_cast<const TorchKv&>(cache).blocks.select(2, block);
    at::from_blob(host, from.sizes(), from.scalar_type()).copy_(from);
  });
}

void TorchBackend::writeBlock(KvCache& cache, std::int32_t block, const void* host) {
  guarded([&] {
    const at::Tensor to = static_cast<TorchKv&>(cache).blocks.select(2, block);
    to.copy_(at::from_blob(const_cast<void*>(host), to.sizes(), to.scalar_type()));
  });
}

}  // namespace vitrine::torch_backend
