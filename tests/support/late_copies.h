// LateCopies: another backend whose copies of blocks to and from the host are as late as a GPU's may be: done
// when an operation follows that they must not be overtaken by, or when they are waited for. Until then
// memory for blocks holds no numbers of a model.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "support/forwarding_backend.h"

namespace vitrine::test {

class LateCopies final : public ForwardingBackend {
 public:
  // `most`: where the largest number of copies that were put off at one time is kept.
  LateCopies(std::unique_ptr<Backend> inner, std::shared_ptr<std::size_t> most)
      : ForwardingBackend(std::move(inner)), m_most(std::move(most)) {}

  std::shared_ptr<void> hostMemory(std::int64_t bytes) override {
    std::shared_ptr<void> memory = ForwardingBackend::hostMemory(bytes);
    std::memset(memory.get(), 0xff, static_cast<std::size_t>(bytes));
    return memory;
  }
  void readBlock(const KvCache& cache, std::int32_t block, void* host) override {
    putOff({const_cast<KvCache*>(&cache), block, host, nullptr});
  }
  void writeBlock(KvCache& cache, std::int32_t block, const void* host) override {
    putOff({&cache, block, nullptr, host});
  }
  void finishCopies() override {
    for (const Copy& copy : m_copies) {
      if (copy.to != nullptr)
        ForwardingBackend::readBlock(*copy.cache, copy.block, copy.to);
      else
        ForwardingBackend::writeBlock(*copy.cache, copy.block, copy.from);
    }
    m_copies.clear();
  }
  void storeKv(const TensorView& k, const TensorView& v, KvCache& cache, int layer) override {
    finishCopies();
    ForwardingBackend::storeKv(k, v, cache, layer);
  }
  void attention(const TensorView& q, const KvCache& cache, int layer, const AttentionParameters& parameters,
                 const TensorView& out) override {
    finishCopies();
    ForwardingBackend::attention(q, cache, layer, parameters, out);
  }
  void copyBlocks(KvCache& cache, std::span<const BlockCopy> copies) override {
    finishCopies();
    ForwardingBackend::copyBlocks(cache, copies);
  }

 private:
  struct Copy {
    KvCache* cache;
    std::int32_t block;
    void* to;
    const void* from;
  };
  void putOff(const Copy& copy) {
    m_copies.push_back(copy);
    *m_most = std::max(*m_most, m_copies.size());
  }

  const std::shared_ptr<std::size_t> m_most;
  std::vector<Copy> m_copies;
};

}  // namespace vitrine::test
