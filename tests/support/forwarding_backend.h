// ForwardingBackend: hands every operation to another backend; a test overrides the ones it watches.
#pragma once

#include <memory>
#include <utility>

#include "backends/backend.h"

namespace vitrine::test {

class ForwardingBackend : public Backend {
 public:
  explicit ForwardingBackend(std::unique_ptr<Backend> inner) : m_inner(std::move(inner)) {}

  OperationMeter* meter() override { return m_inner->meter(); }
  std::string name() const override { return m_inner->name(); }
  std::string device() const override { return m_inner->device(); }
  int threads() const override { return m_inner->threads(); }
  std::optional<DeviceMemory> memory() const override { return m_inner->memory(); }
  void resetPeak() override { m_inner->resetPeak(); }
  std::optional<MachineRoof> measureRoof(std::int64_t modelBytes, const RoofProgress& progress) override {
    return m_inner->measureRoof(modelBytes, progress);
  }
  Tensor allocate(DType type, std::initializer_list<std::int64_t> shape) override {
    return m_inner->allocate(type, shape);
  }
  Tensor upload(const TensorView& host) override { return m_inner->upload(host); }
  void download(const TensorView& device, float* host) override { m_inner->download(device, host); }
  std::unique_ptr<LogitsDigests> makeDigests() override { return m_inner->makeDigests(); }
  std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> parts, WeightFormat format) override {
    return m_inner->packLinear(parts, format);
  }
  std::unique_ptr<LinearWeight> packBlocks(std::span<const WeightRows> parts) override {
    return m_inner->packBlocks(parts);
  }
  WeightCopies* copies() override { return m_inner->copies(); }
  std::unique_ptr<KvCache> allocateKv(const KvCacheShape& shape) override {
    return m_inner->allocateKv(shape);
  }
  void beginStep(const RaggedBatch& batch) override { m_inner->beginStep(batch); }
  void embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) override {
    m_inner->embed(ids, table, out);
  }
  void embedRows(std::span<const std::int32_t> ids, const LinearWeight& table,
                 const TensorView& out) override {
    m_inner->embedRows(ids, table, out);
  }
  void rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out) override {
    m_inner->rmsNorm(x, weight, eps, out);
  }
  void addRmsNorm(const TensorView& residual, const TensorView& delta, const TensorView& weight, float eps,
                  const TensorView& out) override {
    m_inner->addRmsNorm(residual, delta, weight, eps, out);
  }
  void linear(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
              const TensorView& out) override {
    m_inner->linear(x, weight, bias, out);
  }
  void rotary(const TensorView& x, const TensorView& cos, const TensorView& sin) override {
    m_inner->rotary(x, cos, sin);
  }
  void storeKv(const TensorView& k, const TensorView& v, KvCache& cache, int layer) override {
    m_inner->storeKv(k, v, cache, layer);
  }
  void attention(const TensorView& q, const KvCache& cache, int layer, const AttentionParameters& parameters,
                 const TensorView& out) override {
    m_inner->attention(q, cache, layer, parameters, out);
  }
  void gate(const TensorView& gateUp, const TensorView& out) override { m_inner->gate(gateUp, out); }
  void gatherRows(const TensorView& x, std::span<const std::int32_t> rows, const TensorView& out) override {
    m_inner->gatherRows(x, rows, out);
  }
  void copyBlocks(KvCache& cache, std::span<const BlockCopy> copies) override {
    m_inner->copyBlocks(cache, copies);
  }
  std::shared_ptr<void> hostMemory(std::int64_t bytes) override { return m_inner->hostMemory(bytes); }
  void readBlock(const KvCache& cache, std::int32_t block, void* host) override {
    m_inner->readBlock(cache, block, host);
  }
  void writeBlock(KvCache& cache, std::int32_t block, const void* host) override {
    m_inner->writeBlock(cache, block, host);
  }
  void finishCopies() override { m_inner->finishCopies(); }

 private:
  const std::unique_ptr<Backend> m_inner;
};

}  // namespace vitrine::test
