// Operation: the kinds of operation of a forward, named after the decoder's steps (models/decoder.h).
// Thread: values. Read next: events/forward.h.
#pragma once

#include <cstdint>

#include "vitrine/names.h"

namespace vitrine {

enum class Operation : std::uint8_t {
  kEmbed,      // rows of the embedding table
  kNorms,      // RMSNorm, with the residual's addition, and of queries and keys where a family has it
  kQkv,        // the matrix of queries, keys and values
  kRotary,     // of queries and keys
  kStoreKv,    // keys and values into the blocks
  kAttention,  // over the blocks
  kOutput,     // the matrix behind attention
  kGateUp,     // the two matrices before the gate, as one
  kGate,       // SwiGLU
  kDown,       // the matrix behind the gate
  kHead,       // from hidden states to logits
  kOther,      // gathered rows, copies of blocks, logits to the host, and what the host does in between
};
VITRINE_NAMES(Operation, "embed", "norms", "qkv", "rotary", "store_kv", "attention", "output", "gate_up",
              "gate", "down", "head", "other");
inline constexpr int kOperationCount = 12;
static_assert(Names<Operation>::list.size() == kOperationCount);

}  // namespace vitrine
