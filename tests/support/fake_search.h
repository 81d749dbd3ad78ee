// FakeSearch: a beam search without logits. A hash of the beams' tokens decides which beams are kept.
#pragma once

#include <algorithm>
#include <vector>

#include "cache/prefix_index.h"

namespace vitrine {

struct FakeSearch {
  using Beams = std::vector<std::vector<TokenId>>;

  // For each beam of the next step the beam that it continues. A beam that is kept keeps its index; the other
  // indices continue kept ones.
  static std::vector<std::size_t> parents(const Beams& beams, int width) {
    std::vector<std::size_t> alive;
    for (std::size_t i = 0; i < beams.size(); ++i)
      if (PrefixIndex::chainHash(11 + i, beams[i]) % 3 > 0) alive.push_back(i);
    if (alive.empty()) alive.push_back(0);
    std::vector<std::size_t> parents(static_cast<std::size_t>(width));
    for (std::size_t place = 0; place < parents.size(); ++place) {
      const bool stays = std::ranges::find(alive, place) != alive.end();
      parents[place] = stays ? place : alive[(PrefixIndex::chainHash(7, beams[0]) + place) % alive.size()];
    }
    return parents;
  }
};

}  // namespace vitrine
