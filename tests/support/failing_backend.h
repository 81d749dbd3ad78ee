// FailingBackend: a backend that runs out of memory when a test says so.
#pragma once

#include "support/forwarding_backend.h"
#include "vitrine/error.h"

namespace vitrine {

class FailingBackend final : public test::ForwardingBackend {
 public:
  // The step after *stepsLeft further steps throws; negative: none.
  FailingBackend(std::unique_ptr<Backend> inner, std::shared_ptr<int> stepsLeft)
      : ForwardingBackend(std::move(inner)), m_stepsLeft(std::move(stepsLeft)) {}

  void beginStep(const RaggedBatch& batch) override {
    if (*m_stepsLeft >= 0 && (*m_stepsLeft)-- == 0) {
      throw EngineError(ErrorCode::kOutOfMemory, "no memory, as the test asked", "none");
    }
    ForwardingBackend::beginStep(batch);
  }

 private:
  const std::shared_ptr<int> m_stepsLeft;
};

}  // namespace vitrine
