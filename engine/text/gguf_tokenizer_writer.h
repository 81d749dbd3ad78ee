// A tokenizer on its way between a model folder's files and a GGUF file's keys. Read next: gguf_tokenizer.h.
// Thread: pure functions but for the files.
#pragma once

#include <filesystem>
#include <span>

#include "formats/gguf_file.h"
#include "formats/gguf_writer.h"

namespace vitrine {

// Writes the keys of a folder's tokenizer and chat template; nothing for a folder without. `vocabularySize`
// is the number of the embedding's rows, up to which ids without a token get a name. Throws EngineError: what
// loadTokenizer() throws; kUnsupported for a tokenizer that GGUF has no name for.
// `ends` are the tokens that end a text; llama.cpp has a name for three.
void writeGgufTokenizer(const std::filesystem::path& folder, int vocabularySize,
                        std::span<const std::int32_t> ends, GgufWriter& writer);

// Writes tokenizer.json or tokenizer.model, and tokenizer_config.json; nothing for a file without a
// tokenizer.
void writeTokenizerFiles(const GgufFile& file, const std::filesystem::path& folder);

}  // namespace vitrine
