// DigestingBackend: another backend that digests rows of logits as a GPU's does, with the host's functions.
#pragma once

#include <memory>

#include "support/digest_of.h"
#include "support/forwarding_backend.h"

namespace vitrine::test {

// Of rows of logits.
struct DigestCounts {
  int digested = 0, downloaded = 0;
};

class DigestingBackend final : public ForwardingBackend {
 public:
  // A digest has at most so many candidates, so that a small vocabulary does not fit into one.
  DigestingBackend(std::unique_ptr<Backend> inner, std::int64_t vocabulary, int mostCandidates,
                   std::shared_ptr<DigestCounts> counts)
      : ForwardingBackend(std::move(inner)),
        m_vocabulary(vocabulary),
        m_mostCandidates(mostCandidates),
        m_counts(std::move(counts)) {}

  bool digest(const TensorView& logits, std::span<const RowWish> wishes,
              std::span<LogitsDigest> out) override {
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      RowWish wish = wishes[i];
      if (wish.isWhole()) continue;
      wish.candidates = std::min(wish.candidates, m_mostCandidates);
      const float* row = logits.rows(static_cast<std::int64_t>(i), 1).f32();
      out[i] = digestOf({row, static_cast<std::size_t>(logits.extent(1))}, wish);
      ++m_counts->digested;
    }
    return true;
  }
  void download(const TensorView& device, float* host) override {
    if (device.extent(1) == m_vocabulary) m_counts->downloaded += static_cast<int>(device.extent(0));
    ForwardingBackend::download(device, host);
  }

 private:
  const std::int64_t m_vocabulary;
  const int m_mostCandidates;
  const std::shared_ptr<DigestCounts> m_counts;
};

}  // namespace vitrine::test
