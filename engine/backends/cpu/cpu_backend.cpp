// Memory and the step; the operations are in cpu_operations.cpp.
#include "backends/cpu/cpu_backend.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "backends/batch_check.h"
#include "backends/cpu/amx.h"
#include "backends/cpu/host_memory.h"
#include "backends/cpu/packed_copies.h"
#include "backends/cpu/packed_weight.h"
#include "backends/cpu/paged_kv.h"

namespace vitrine {

std::unique_ptr<Backend> makeCpuBackend(int threads, const std::string& attention, Compute compute,
                                        const std::filesystem::path& copies) {
  VITRINE_CHECK(compute != Compute::kAuto);
  return std::make_unique<cpu::CpuBackend>(threads, attention, compute, copies);
}

namespace cpu {

// Highway calls AVX-512 "AVX3", with the processors that have more of it.
std::string instructionSet() {
  const std::string_view target = rowKernels().targetName();
  return std::string(target.starts_with("AVX3") ? "AVX-512" : target);
}

CpuBackend::CpuBackend(int threads, const std::string& attention, Compute compute,
                       const std::filesystem::path& copies)
    : m_pool(threads),
      m_compute(compute),
      m_copies(copies.empty() ? nullptr : std::make_unique<PackedCopies>(copies, compute, m_pool)),
      m_attention(attentionKernel(attention.empty() ? fastestAttention(compute) : attention)) {}

CpuBackend::~CpuBackend() = default;

WeightCopies* CpuBackend::copies() { return m_copies.get(); }

std::string CpuBackend::device() const {
  std::string text = instructionSet();
  if (m_compute == Compute::kInt8) text += ", int8 products";
  if (m_compute == Compute::kBf16) text += ", bf16 products";
  if (m_compute != Compute::kF32 && hasAmx()) text += " in AMX";
  return text + ", " + std::to_string(threads()) + (threads() == 1 ? " thread" : " threads");
}

Tensor CpuBackend::allocate(DType type, std::initializer_list<std::int64_t> shape) {
  std::vector<std::int64_t> factors(shape);
  factors.push_back(static_cast<std::int64_t>(dtypeBytes(type)));
  std::shared_ptr<void> memory = allocateBytes(factors, "a tensor");
  const TensorView view(memory.get(), type, shape);
  return {std::move(memory), view};
}

Tensor CpuBackend::upload(const TensorView& host) {
  VITRINE_CHECK(host.rank() > 0);
  const std::int64_t factors[] = {host.elements(), static_cast<std::int64_t>(dtypeBytes(host.type()))};
  std::shared_ptr<void> memory = allocateBytes(factors, "a tensor");
  copyContiguous(host, memory.get());
  const TensorView view = host.over(memory.get());
  return {std::move(memory), view};
}

void CpuBackend::download(const TensorView& device, float* host) {
  VITRINE_CHECK(device.type() == DType::kF32);
  copyContiguous(device, host);
}

std::unique_ptr<LinearWeight> CpuBackend::packLinear(std::span<const TensorView> hostParts,
                                                     WeightFormat format) {
  return std::make_unique<PackedWeight>(hostParts, format, m_compute, m_pool);
}

std::unique_ptr<LinearWeight> CpuBackend::packBlocks(std::span<const WeightRows> parts) {
  return std::make_unique<PackedWeight>(parts, m_compute, m_pool);
}

std::unique_ptr<KvCache> CpuBackend::allocateKv(const KvCacheShape& shape) {
  return std::make_unique<PagedKv>(shape);
}

void CpuBackend::beginStep(const RaggedBatch& batch) {
  VITRINE_CHECK(batch.attentionScores.empty() || m_attention.hasScores);
  m_maxContext = checkedContext(batch);
  m_batch = batch;
}

void CpuBackend::copyBlocks(KvCache& cache, std::span<const BlockCopy> copies) {
  auto& kv = static_cast<PagedKv&>(cache);
  const auto inPool = [&](int block) { return block >= 0 && block < kv.shape.numBlocks; };
  for (const BlockCopy& copy : copies) {
    VITRINE_CHECK(inPool(copy.from) && inPool(copy.to));
    if (copy.from != copy.to)
      std::memcpy(kv.block(copy.to), kv.block(copy.from), static_cast<std::size_t>(kv.shape.bytesPerBlock()));
  }
}

void CpuBackend::readBlock(const KvCache& cache, std::int32_t block, void* host) {
  const auto& kv = static_cast<const PagedKv&>(cache);
  VITRINE_CHECK(block >= 0 && block < kv.shape.numBlocks);
  std::memcpy(host, kv.block(block), static_cast<std::size_t>(kv.blockBytes()));
}

void CpuBackend::writeBlock(KvCache& cache, std::int32_t block, const void* host) {
  auto& kv = static_cast<PagedKv&>(cache);
  VITRINE_CHECK(block >= 0 && block < kv.shape.numBlocks);
  std::memcpy(kv.block(block), host, static_cast<std::size_t>(kv.blockBytes()));
}

}  // namespace cpu
}  // namespace vitrine
