// The GGUF container, versions 2 and 3, little endian: keys with values, then the names, shapes and places of
// tensors, then their bytes, each tensor at a multiple of general.alignment (the specification is
// ggml/docs/gguf.md of github.com/ggml-org/ggml).
//
// Nothing that is read is trusted: every length is checked against the file before memory is taken for it,
// and every error names the key or the tensor and its offset. Bytes are copied out of the file (pread), not
// mapped, though GGUF is laid out for mapping. A file that is cut while it is mapped ends the program at the
// next access, with a signal that a library among other people's threads cannot handle; a short read is an
// ordinary error. It costs no memory: the CPU backend needs weights in panels of its own (packed_weight.h),
// so the file's bytes are read once, the rows of a panel at a time, and dropped. Thread: any, once parsed.
// Read next: block_types.h; models/gguf_source.cpp, which hands tensors out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "formats/block_types.h"
#include "formats/read_bytes.h"

namespace vitrine {

enum class GgufType : std::uint32_t {
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kUint32,
  kInt32,
  kFloat32,
  kBool,
  kString,
  kArray,
  kUint64,
  kInt64,
  kFloat64
};

// A list stays in the file: a vocabulary may be a large part of a header, and not each reader needs it.
struct GgufArray {
  GgufType type = GgufType::kUint8;
  std::uint64_t count = 0;
  std::size_t offset = 0, bytes = 0;  // of its elements, within the file
};
using GgufValue = std::variant<std::uint64_t, std::int64_t, double, bool, std::string, GgufArray>;

struct GgufKey {
  GgufType type = GgufType::kUint8;
  GgufValue value;
  std::size_t offset = 0, bytes = 0;  // of the value within the file, behind its type
};

struct GgufTensor {
  std::string name;
  BlockType type = BlockType::kF32;
  std::vector<std::int64_t> shape;    // [rows, inputs] as in this engine; the file has it the other way round
  std::size_t offset = 0, bytes = 0;  // from the file's first byte; within the file, overlapping no other
};

struct GgufHeader {
  std::uint32_t version = 0;
  std::map<std::string, GgufKey, std::less<>> keys;
  std::vector<GgufTensor> tensors;  // in the file's order
};

// Throws EngineError: kFileCorrupt naming the key or tensor and the offset; kUnsupported for another version,
// a big-endian file, or a type of tensor that this engine does not read (with the list of those it does).
GgufHeader parseGguf(std::size_t fileBytes, const ReadBytes& read, std::string_view fileName);

// Whether `start` are the first bytes of a GGUF file.
inline constexpr std::string_view kGgufMagic = "GGUF";

// Bytes of a number of that type; 0 for a string or a list.
std::size_t ggufTypeBytes(GgufType type);

// A number of that type from its bytes in a file.
GgufValue ggufNumber(GgufType type, const std::byte* bytes);

}  // namespace vitrine
