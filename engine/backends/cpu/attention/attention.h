// The attention kernels and their registry: each file of this folder that ends in .cpp, registry.cpp aside,
// is one kernel, known to --attention by the file's name.
//
// To add one: a file `mine.cpp` here that defines `const AttentionKernel& mineAttention()`. CMake collects
// the names; the check of --attention, its message and its help follow from them. A kernel runs on one
// thread, allocates nothing, and keeps the law: what a token gets depends on its query and on what it sees,
// never on the tokens beside it, on where a chunk or a block ends, or on how large blocks are. tests/backends
// runs every registered kernel through the law. Thread: any. Read next: reference.cpp, flash.cpp, bf16.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "vitrine/options.h"

namespace vitrine::cpu {

// One head of keys and values of one layer, in every block of the pool (paged_kv.h).
struct KvHead {
  KvType type = KvType::kSame;          // kSame: float
  const void* keys = nullptr;           // of block 0: [headDim, blockSize]
  const void* values = nullptr;         // of block 0: [blockSize, headDim]
  const float* keyScales = nullptr;     // of block 0: [blockSize], for int8
  const float* valueScales = nullptr;   // of block 0: [blockSize]
  std::int64_t blockBytes = 0;          // from block to block, of all four
  const std::int32_t* table = nullptr;  // the sequence's blocks
};

// The query heads that share one head of keys and values, for some tokens of one sequence.
struct AttentionTask {
  const float* q = nullptr;            // [tokens, heads, headDim]
  std::int64_t qHead = 0, qToken = 0;  // floats from head to head, from token to token
  float* out = nullptr;                // [tokens, heads, headDim]
  std::int64_t outHead = 0, outToken = 0;
  KvHead kv;
  const std::int32_t* positions = nullptr;  // [tokens], ascending
  int tokens = 0, heads = 0, headDim = 0, blockSize = 0;
  int slidingWindow = 0;  // a token sees itself and the window-1 before it; 0: everything before it
  float scale = 1;
  // By index in the table, the blocks by which a query is rotated back for the block's keys; null: none. The
  // angle of n blocks is row n of turnCos, turnSin [.., headDim / 2]; `turned` holds four rows.
  const std::int32_t* blockShifts = nullptr;
  const float *turnCos = nullptr, *turnSin = nullptr;
  float* turned = nullptr;
  // [tokens, scoresPerToken] by index in the table: the probabilities that a token's heads give to each
  // block, summed; null: not wanted.
  float* scores = nullptr;
  std::int64_t scoresPerToken = 0;
  float* scratch = nullptr;  // scratchFloats() of room, aligned to 64 bytes

  int lastVisible() const { return positions[tokens - 1]; }  // to any of the tokens
  int firstVisible(int token) const {
    const int first = positions[token] - slidingWindow + 1;
    return slidingWindow > 0 && first > 0 ? first : 0;
  }
};

struct AttentionKernel {
  // Tokens of one sequence that a task should hold when `heads` query heads share a head of keys and values.
  int (*tokensAtOnce)(int heads);
  // For tasks of up to that many tokens, none at a position beyond longest - 1.
  std::int64_t (*scratchFloats)(int heads, int headDim, std::int64_t longest);
  void (*attend)(const AttentionTask& task);
  bool hasScores;  // whether it fills AttentionTask::scores, which needs whole rows of probabilities
};

// The kernel of that name for this machine's best instruction set. Throws EngineError(kInvalidArgument) that
// lists the names.
const AttentionKernel& attentionKernel(const std::string& name);

}  // namespace vitrine::cpu
