// Numbers that name things: a token, a request, a sequence, a KV block.
// Thread: values. Read next: request.h.
#pragma once

#include <cstdint>

namespace vitrine {

using TokenId = std::int32_t;     // 0 .. vocabulary size - 1
using RequestId = std::int32_t;   // 1, 2, ... in order of submission
using SequenceId = std::int32_t;  // 1, 2, ...; a request with n answers has n
using BlockId = std::int32_t;     // 0 .. numBlocks - 1

}  // namespace vitrine
