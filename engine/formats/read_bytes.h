// ReadBytes: how a reader of a file's header asks for bytes, so that tests and fuzzers need no file.
// Thread: as the function's.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace vitrine {

// Fills `out` with the file's bytes from `offset` on; asked only for what lies within the file.
using ReadBytes = std::function<void(std::size_t offset, std::span<std::byte> out)>;

}  // namespace vitrine
