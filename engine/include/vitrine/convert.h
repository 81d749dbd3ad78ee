// A model from one kind of files to another: a Hugging Face folder to a GGUF file and back, and a GGUF file
// to one in another type.
//
// Floats keep their bits where the type stays; blocks (formats/block_types.h) become the floats they stand
// for when a folder is written, which holds no blocks. Tensors pass through memory one at a time. Thread:
// any; it takes as long as writing the model. Read next: engine.h, which loads either.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "vitrine/ignored_tensors.h"
#include "vitrine/names.h"

namespace vitrine {

// The type of matrices in what is written. kSame: as stored (in a folder, blocks become float32). Q4_0 and
// Q4_K keep the embedding and the head in Q8_0, whose errors reach the logits with nothing in between; a
// matrix whose rows are no whole blocks becomes float16. Norms and biases of a GGUF file are float32.
// kInt8 and kInt4 are our own formats, what --weights int8 and int4 make of floats when they are loaded, in
// the blocks of Q8_0 and Q4_0, which any program of GGUF reads: the same numbers, to the bit where float16
// holds a group's scale (its largest weight is 0.001 or more in int8, 0.00007 in int4).
enum class ConvertType { kSame, kF32, kF16, kBf16, kQ80, kQ40, kQ4K, kInt8, kInt4 };
VITRINE_NAMES(ConvertType, "same", "f32", "f16", "bf16", "q8_0", "q4_0", "q4_k", "int8", "int4");
constexpr bool isInBlocks(ConvertType type) { return type >= ConvertType::kQ80; }
// Names of the types in blocks: "q8_0", ...
std::vector<std::string> blockTypeNames();

struct ConvertReport {
  std::int64_t tensors = 0, bytes = 0;  // written
  IgnoredTensors ignored;               // not written
};

// Writes a GGUF file when `to` ends in .gguf, otherwise a new folder from a GGUF file. `progress` gets 0..1
// and what is done; returning false cancels. Nothing remains of what was not finished, but for a folder's own
// entry. Throws EngineError: what loading `from` throws; kUnsupported for what the other kind of files has no
// name for (a tokenizer, a way to stretch RoPE) or blocks asked of a folder; kInvalidArgument for a folder
// that is not empty and for numbers that the type cannot hold; kIo; kCancelled.
ConvertReport convertModel(const std::filesystem::path& from, const std::filesystem::path& to,
                           ConvertType type = ConvertType::kSame,
                           const std::function<bool(double fraction, const char* what)>& progress = {});

}  // namespace vitrine
