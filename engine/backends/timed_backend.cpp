#include "backends/timed_backend.h"

namespace vitrine {

template <typename Work, typename CostOf>
void TimedBackend::measure(Operation kind, const Work& work, const CostOf& costOf) {
  if (!m_meter.isOn()) return work();
  m_meter.begin();
  work();
  m_inner->finish();  // so that its time is its own
  m_meter.end(kind, costOf());
}

void TimedBackend::download(const TensorView& device, float* host) {
  measure(
      Operation::kOther, [&] { m_inner->download(device, host); },
      [&] { return copyCost(device.elements() * static_cast<std::int64_t>(sizeof(float))); });
}

class TimedBackend::TimedDigests final : public LogitsDigests {
 public:
  TimedDigests(TimedBackend& backend, std::unique_ptr<LogitsDigests> inner)
      : m_backend(backend), m_inner(std::move(inner)) {}
  void begin(const TensorView& logits, std::span<const RowWish> wishes) override {
    m_backend.measure(
        Operation::kOther, [&] { m_inner->begin(logits, wishes); },
        [&] { return copyCost(logits.elements() * 4); });
  }
  void finish(std::span<LogitsDigest> out) override {
    m_backend.measure(
        Operation::kOther, [&] { m_inner->finish(out); }, [] { return Cost{}; });
  }
  void giveTokens() override { m_inner->giveTokens(); }

 private:
  TimedBackend& m_backend;
  const std::unique_ptr<LogitsDigests> m_inner;
};

std::unique_ptr<LogitsDigests> TimedBackend::makeDigests() {
  auto inner = m_inner->makeDigests();
  return inner != nullptr ? std::make_unique<TimedDigests>(*this, std::move(inner)) : nullptr;
}

std::optional<LaunchesMeasured> TimedBackend::compareLaunches(const RepeatedLayers& layers,
                                                              const std::function<void()>& operations) {
  if (!m_meter.isOn()) return std::nullopt;
  std::optional<LaunchesMeasured> launches;
  m_meter.leaveOut([&] { launches = m_inner->compareLaunches(layers, operations); });
  if (launches) m_meter.setLaunches(*launches);
  return launches;
}

void TimedBackend::beginStep(const RaggedBatch& batch) {
  m_batch = batch;
  measure(
      Operation::kOther, [&] { m_inner->beginStep(batch); }, [] { return Cost{}; });
}

void TimedBackend::embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) {
  measure(
      Operation::kEmbed, [&] { m_inner->embed(ids, table, out); }, [&] { return embedCost(table, out); });
}

void TimedBackend::embedRows(std::span<const std::int32_t> ids, const LinearWeight& table,
                             const TensorView& out) {
  measure(
      Operation::kEmbed, [&] { m_inner->embedRows(ids, table, out); }, [&] { return embedCost(table, out); });
}

void TimedBackend::rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out) {
  measure(
      Operation::kNorms, [&] { m_inner->rmsNorm(x, weight, eps, out); },
      [&] { return normCost(x, weight, out); });
}

void TimedBackend::addRmsNorm(const TensorView& residual, const TensorView& delta, const TensorView& weight,
                              float eps, const TensorView& out) {
  measure(
      Operation::kNorms, [&] { m_inner->addRmsNorm(residual, delta, weight, eps, out); },
      [&] { return addNormCost(residual, delta, weight, out); });
}

void TimedBackend::linear(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                          const TensorView& out) {
  measure(
      weight.operation, [&] { m_inner->linear(x, weight, bias, out); },
      [&] { return linearCost(x, weight, bias, out); });
}

void TimedBackend::rotary(const TensorView& x, const TensorView& cos, const TensorView& sin) {
  measure(
      Operation::kRotary, [&] { m_inner->rotary(x, cos, sin); }, [&] { return rotaryCost(x, cos); });
}

void TimedBackend::storeKv(const TensorView& k, const TensorView& v, KvCache& cache, int layer) {
  measure(
      Operation::kStoreKv, [&] { m_inner->storeKv(k, v, cache, layer); },
      [&] { return storeKvCost(k, cache.shape); });
}

void TimedBackend::attention(const TensorView& q, const KvCache& cache, int layer,
                             const AttentionParameters& parameters, const TensorView& out) {
  measure(
      Operation::kAttention, [&] { m_inner->attention(q, cache, layer, parameters, out); },
      [&] { return attentionCost(m_batch, q, cache.shape, parameters.slidingWindow); });
}

void TimedBackend::gate(const TensorView& gateUp, const TensorView& out) {
  measure(
      Operation::kGate, [&] { m_inner->gate(gateUp, out); }, [&] { return gateCost(out); });
}

void TimedBackend::gatherRows(const TensorView& x, std::span<const std::int32_t> rows,
                              const TensorView& out) {
  measure(
      Operation::kOther, [&] { m_inner->gatherRows(x, rows, out); },
      [&] { return copyCost(out.elements() * static_cast<std::int64_t>(dtypeBytes(out.type()))); });
}

void TimedBackend::copyBlocks(KvCache& cache, std::span<const BlockCopy> copies) {
  measure(
      Operation::kOther, [&] { m_inner->copyBlocks(cache, copies); },
      [&] { return copyCost(cache.blockBytes() * static_cast<std::int64_t>(copies.size())); });
}

}  // namespace vitrine
