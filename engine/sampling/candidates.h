// Candidates: the tokens that the sampler's stages have left, with their weights.
//
// A token's weight is exp((logit - largest logit) * scale); its probability is its weight divided by total().
// The tokens are put in order (most likely first, the smaller id first on a tie) only as far as a stage
// needs: a top-k of 50 out of 150,000 selects, it does not sort. Recording the stages must not change a draw,
// so two rules hold: the total of an unfiltered set is summed in the order of ids, and a filter leaves its
// tokens in order, with the total summed in that order. Of a row with a digest, only the digest's most likely
// tokens are candidates at first, in order; the others are hidden, and the whole row is fetched once a stage
// or a draw has to see them. That must not change a draw either: a filter that stays among the known tokens
// leaves the same tokens, in the same order, as it leaves of the whole row. Logits that are NaN count as
// -inf. Logits of +inf share the whole probability; when no logit is above -inf, the smallest id has it.
// Keeps its memory from token to token. Thread: one object, one thread. Read next: stages.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "sampling/softmax.h"
#include "vitrine/ids.h"

namespace vitrine {

class Candidates {
 public:
  using Entry = RankedLogit;

  // All tokens of the row, at scale 1. What the row refers to must stay valid until the next reset().
  void reset(const LogitsRow& row);
  // The logits as they are now, to be changed in place; then all tokens are candidates again. Requires that
  // no filter has run.
  std::span<float> editLogits();
  std::span<const float> logits() const { return m_row.whole(); }

  // Requires that no filter has run.
  void setScale(float scale);

  std::size_t size();
  double total();  // sum of the weights
  double weight(const Entry& entry) const {
    return static_cast<double>(expOfNegative((entry.logit - m_max) * m_scale));
  }
  // log of the entry's weight, also where the weight is too small for a float.
  double logWeight(const Entry& entry) const {
    return (static_cast<double>(entry.logit) - static_cast<double>(m_max)) * static_cast<double>(m_scale);
  }
  // All that are left, in order as far as order() or ranked() have been asked for.
  std::span<const Entry> entries();
  // The i-th most likely. Requires that all before it have been asked for.
  const Entry& ranked(std::size_t i) {
    if (i >= m_ordered) order(std::max(kFirstChunk, 4 * i));
    return m_entries[i];
  }
  void order(std::size_t count);  // the first `count`

  // The filters' tools; afterwards all that is left is in order.
  void keepMostLikely();  // alone, with weight 1
  void keepTopAndTies(std::size_t count);
  void keepFirst(std::size_t count, double total);  // requires that they are in order and weigh `total`
  void keepRange(std::size_t begin, std::size_t end);
  void keepHeavy(double least);  // those that weigh so much

 private:
  static constexpr std::size_t kFirstChunk = 64;  // entries ordered at first; then four times as many

  void fill();
  void fillWhole();
  void reveal();  // brings the hidden tokens
  double sumOfAll();
  void orderAndSum();

  LogitsRow m_row = std::span<const float>();
  std::vector<float> m_edited;   // what editLogits() gave out
  bool m_filled = false;         // m_entries belongs to m_row
  std::vector<Entry> m_entries;  // what is left; the first m_ordered are the most likely, in order
  std::size_t m_ordered = 0;
  std::size_t m_hidden = 0;  // tokens behind m_entries that a digest has not told
  bool m_even = false;       // broken logits: every entry weighs the same
  float m_max = 0, m_scale = 1;
  double m_total = -1;  // below 0: not summed yet, and nothing filtered
};

}  // namespace vitrine
