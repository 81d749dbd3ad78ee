// CountingBackend: another backend behind a counter of what it is asked to allocate or upload.
#pragma once

#include "support/forwarding_backend.h"

namespace vitrine::test {

class CountingBackend final : public ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;
  int allocations = 0;

  Tensor allocate(DType type, std::initializer_list<std::int64_t> shape) override {
    ++allocations;
    return ForwardingBackend::allocate(type, shape);
  }
  Tensor upload(const TensorView& host) override {
    ++allocations;
    return ForwardingBackend::upload(host);
  }
  std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> parts, WeightFormat format) override {
    ++allocations;
    return ForwardingBackend::packLinear(parts, format);
  }
  std::unique_ptr<LinearWeight> packBlocks(std::span<const WeightRows> parts) override {
    ++allocations;
    return ForwardingBackend::packBlocks(parts);
  }
};

}  // namespace vitrine::test
