// Dice: the chance behind a trial. The same seed, kind and index throw the same numbers on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::trials {

class Dice {
 public:
  Dice(std::uint64_t seed, int kind, int index) {
    std::seed_seq words = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                           static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(index)};
    m_random.seed(words);
  }

  // The library's distributions differ from one to the next; the slight bias of a remainder does not matter.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(m_random() % end); }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }

  template <typename T>
  const T& oneOf(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  std::string oneOf(std::span<const std::string_view> all) { return std::string(all[below(all.size())]); }

 private:
  std::mt19937_64 m_random;
};

}  // namespace vitrine::trials
