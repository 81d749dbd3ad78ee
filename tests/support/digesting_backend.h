// DigestingBackend: another backend that digests rows of logits as a GPU's does, with the host's functions.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

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
  explicit DigestingBackend(std::unique_ptr<Backend> inner, std::int64_t vocabulary = 0,
                            int mostCandidates = kMostDigestCandidates,
                            std::shared_ptr<DigestCounts> counts = std::make_shared<DigestCounts>())
      : ForwardingBackend(std::move(inner)),
        m_vocabulary(vocabulary),
        m_mostCandidates(mostCandidates),
        m_counts(std::move(counts)) {}

  std::unique_ptr<LogitsDigests> makeDigests() override { return std::make_unique<Digests>(*this); }
  void embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) override {
    ForwardingBackend::embed(withGiven(ids), table, out);
  }
  void embedRows(std::span<const std::int32_t> ids, const LinearWeight& table,
                 const TensorView& out) override {
    ForwardingBackend::embedRows(withGiven(ids), table, out);
  }
  void download(const TensorView& device, float* host) override {
    if (device.extent(1) == m_vocabulary) m_counts->downloaded += static_cast<int>(device.extent(0));
    ForwardingBackend::download(device, host);
  }

 private:
  class Digests final : public LogitsDigests {
   public:
    explicit Digests(DigestingBackend& backend) : m_backend(backend) {}
    void begin(const TensorView& logits, std::span<const RowWish> wishes) override {
      m_digests.assign(wishes.size(), {});
      for (std::size_t i = 0; i < wishes.size(); ++i) {
        RowWish wish = wishes[i];
        if (wish.isWhole()) continue;
        wish.candidates = std::min(wish.candidates, m_backend.m_mostCandidates);
        const float* row = logits.rows(static_cast<std::int64_t>(i), 1).f32();
        m_digests[i] = digestOf({row, static_cast<std::size_t>(logits.extent(1))}, wish);
        ++m_backend.m_counts->digested;
      }
    }
    void finish(std::span<LogitsDigest> out) override { std::ranges::copy(m_digests, out.begin()); }
    void giveTokens() override {
      m_backend.m_given.clear();
      for (const LogitsDigest& digest : m_digests) m_backend.m_given.push_back(digest.mostLikely);
    }

   private:
    DigestingBackend& m_backend;
    std::vector<LogitsDigest> m_digests;
  };

  std::span<const std::int32_t> withGiven(std::span<const std::int32_t> ids) {
    m_ids.assign(ids.begin(), ids.end());
    for (std::int32_t& id : m_ids)
      if (id < 0) id = m_given.at(static_cast<std::size_t>(-1 - id));
    m_given.clear();
    return m_ids;
  }

  std::vector<TokenId> m_given;  // for the next embed()
  std::vector<std::int32_t> m_ids;
  const std::int64_t m_vocabulary;
  const int m_mostCandidates;
  const std::shared_ptr<DigestCounts> m_counts;
};

}  // namespace vitrine::test
