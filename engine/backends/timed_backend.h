// TimedBackend: hands every operation to another backend, and measures it while its meter is on.
//
// A decorator, so that neither the decoder nor a backend knows of clocks. Matrix products are told apart by
// LinearWeight::operation. It passes tensors on as they are and allocates nothing, so it changes no bit;
// switched off, an operation costs a branch more. Thread: as the backend's. Read next: operation_meter.h.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "backends/backend.h"
#include "backends/operation_meter.h"

namespace vitrine {

class TimedBackend final : public Backend {
 public:
  explicit TimedBackend(std::unique_ptr<Backend> inner, ClockSource clock = steadyNowNs)
      : m_inner(std::move(inner)), m_meter(std::move(clock)) {}

  OperationMeter* meter() override { return &m_meter; }

  std::string name() const override { return m_inner->name(); }
  std::string device() const override { return m_inner->device(); }
  int threads() const override { return m_inner->threads(); }
  std::optional<DeviceMemory> memory() const override { return m_inner->memory(); }
  void resetPeak() override { m_inner->resetPeak(); }
  std::optional<MachineRoof> measureRoof(std::int64_t modelBytes, const RoofProgress& progress) override {
    return m_inner->measureRoof(modelBytes, progress);
  }
  DType activations() const override { return m_inner->activations(); }
  void finish() override { m_inner->finish(); }
  Tensor allocate(DType type, std::initializer_list<std::int64_t> shape) override {
    return m_inner->allocate(type, shape);
  }
  Tensor upload(const TensorView& host) override { return m_inner->upload(host); }
  void download(const TensorView& device, float* host) override;
  std::unique_ptr<LogitsDigests> makeDigests() override;
  std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> hostParts,
                                           WeightFormat format) override {
    return m_inner->packLinear(hostParts, format);
  }
  std::unique_ptr<LinearWeight> packBlocks(std::span<const WeightRows> parts) override {
    return m_inner->packBlocks(parts);
  }
  WeightCopies* copies() override { return m_inner->copies(); }
  std::unique_ptr<KvCache> allocateKv(const KvCacheShape& shape) override {
    return m_inner->allocateKv(shape);
  }
  void beginStep(const RaggedBatch& batch) override;

  void embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) override;
  void embedRows(std::span<const std::int32_t> ids, const LinearWeight& table,
                 const TensorView& out) override;
  void rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out) override;
  void addRmsNorm(const TensorView& residual, const TensorView& delta, const TensorView& weight, float eps,
                  const TensorView& out) override;
  void linear(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
              const TensorView& out) override;
  void rotary(const TensorView& x, const TensorView& cos, const TensorView& sin) override;
  void storeKv(const TensorView& k, const TensorView& v, KvCache& cache, int layer) override;
  void attention(const TensorView& q, const KvCache& cache, int layer, const AttentionParameters& parameters,
                 const TensorView& out) override;
  void gate(const TensorView& gateUp, const TensorView& out) override;
  // While it measures, operations are neither fused nor repeated: each has a time of its own, and the bits
  // are the same.
  void prepareHeads(const HeadsOfTokens& heads, const HeadNorms& norms, const TensorView& cos,
                    const TensorView& sin, KvCache& cache, int layer) override {
    m_meter.isOn() ? Backend::prepareHeads(heads, norms, cos, sin, cache, layer)
                   : m_inner->prepareHeads(heads, norms, cos, sin, cache, layer);
  }
  void linearAddNorm(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                     const TensorView& delta, const ResidualNorm& norm) override {
    m_meter.isOn() ? Backend::linearAddNorm(x, weight, bias, delta, norm)
                   : m_inner->linearAddNorm(x, weight, bias, delta, norm);
  }
  void linearGate(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                  const TensorView& gateUp, const TensorView& out) override {
    m_meter.isOn() ? Backend::linearGate(x, weight, bias, gateUp, out)
                   : m_inner->linearGate(x, weight, bias, gateUp, out);
  }
  void repeat(const RepeatedLayers& layers, const std::function<void()>& operations) override {
    m_meter.isOn() ? operations() : m_inner->repeat(layers, operations);
  }
  std::int64_t paddedRows(std::int64_t sequences) const override { return m_inner->paddedRows(sequences); }
  // The meter keeps the result.
  bool comparesLaunches() const override { return m_meter.isOn(); }
  std::optional<LaunchesMeasured> compareLaunches(const RepeatedLayers& layers,
                                                  const std::function<void()>& operations) override;
  void gatherRows(const TensorView& x, std::span<const std::int32_t> rows, const TensorView& out) override;
  void copyBlocks(KvCache& cache, std::span<const BlockCopy> copies) override;
  // Swapping is no part of a forward.
  std::shared_ptr<void> hostMemory(std::int64_t bytes) override { return m_inner->hostMemory(bytes); }
  void readBlock(const KvCache& cache, std::int32_t block, void* host) override {
    m_inner->readBlock(cache, block, host);
  }
  void writeBlock(KvCache& cache, std::int32_t block, const void* host) override {
    m_inner->writeBlock(cache, block, host);
  }
  void finishCopies() override { m_inner->finishCopies(); }

 private:
  class TimedDigests;
  template <typename Work, typename CostOf>
  void measure(Operation kind, const Work& work, const CostOf& costOf);

  const std::unique_ptr<Backend> m_inner;
  OperationMeter m_meter;
  RaggedBatch m_batch;  // of the last beginStep()
};

}  // namespace vitrine
