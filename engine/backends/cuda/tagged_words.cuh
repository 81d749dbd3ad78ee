// Numbers that pass from one block of threads to another while both run: words of eight bytes, a number of
// four (or two of two) and a tag, which arrive as one (the "LL" protocol of NCCL). A block that waits for a
// word reads it until it has the tag that it should have; no fence, no counter, one way through the
// second-level cache.
#pragma once

#include <cstdint>

namespace vitrine::cuda {

using Word = std::uint64_t;

__device__ inline Word tagged(unsigned number, std::uint32_t tag) { return Word{tag} << 32 | number; }
__device__ inline void writeWord(Word* to, Word word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}
__device__ inline Word readWord(const Word* from) {
  Word word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}

// Two words, neighbours at sixteen bytes: each for itself arrives as one.
__device__ inline uint4 readPair(const Word* from) {
  Word first, second;
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(first), "=l"(second)
               : "l"(from)
               : "memory");
  return {static_cast<unsigned>(first), static_cast<unsigned>(first >> 32), static_cast<unsigned>(second),
          static_cast<unsigned>(second >> 32)};
}

// The numbers of words first, first + step, ... below `limit`, as soon as they are there; 0 beyond.
template <int count>
__device__ void readWords(const Word* from, int first, int step, int limit, std::uint32_t tag,
                          unsigned (&numbers)[count]) {
  Word words[count];
#pragma unroll
  for (int i = 0; i < count; ++i) words[i] = tagged(0, tag);
  bool isMissing;
  do {
    isMissing = false;
#pragma unroll
    for (int i = 0; i < count; ++i)
      if (first + i * step < limit) words[i] = readWord(from + first + i * step);
#pragma unroll
    for (int i = 0; i < count; ++i) {
      numbers[i] = static_cast<unsigned>(words[i]);
      isMissing = isMissing || static_cast<std::uint32_t>(words[i] >> 32) != tag;
    }
  } while (isMissing);
}

}  // namespace vitrine::cuda
