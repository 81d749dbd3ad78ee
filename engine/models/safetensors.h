// The safetensors format: 8 bytes of header length, a JSON header of names, types, shapes and byte ranges,
// then the bytes themselves, in no gap-leaving, no overlapping ranges (github.com/huggingface/safetensors).
//
// parseSafetensors() trusts nothing it reads and reads no tensor byte. Thread: any.
// Read next: checkpoint.h, which opens the files and hands tensors out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/read_bytes.h"

namespace vitrine {

struct SafetensorsEntry {
  std::string name, type;             // type as the file spells it: "F32", "BF16", "I64", ...
  std::vector<std::int64_t> shape;    // each extent >= 0
  std::size_t offset = 0, bytes = 0;  // from the file's first byte; within the file
};

// The entries of a file of `fileBytes`, in order of offset; their ranges tile the file from the header to its
// last byte. Throws EngineError: kFileCorrupt naming file and tensor, kUnsupported for a type that is not in
// the format.
std::vector<SafetensorsEntry> parseSafetensors(std::size_t fileBytes, const ReadBytes& read,
                                               std::string_view fileName);

// "[2, 3]"
std::string shapeText(std::span<const std::int64_t> shape);

}  // namespace vitrine
