// The tokenizer inside a GGUF file (keys tokenizer.*), as the tokenizer that it was made of.
//
// "llama" is a SentencePiece BPE model: pieces, scores, kinds. "gpt2" is a byte-level BPE: tokens, merges,
// and in tokenizer.ggml.pre the name of what cuts a text into words, which a tokenizer.json would say itself.
// Both become what the folder's files become (sentencepiece_model.h, tokenizer_json.h), with the same checks
// and the same ids. Thread: pure functions. Read next: gguf_tokenizer.cpp.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "formats/gguf_file.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

bool hasGgufTokenizer(const GgufFile& file);

// Throws EngineError: kFileCorrupt naming the key, kUnsupported naming the model or the kind of words.
std::unique_ptr<Tokenizer> readGgufTokenizer(const GgufFile& file);

// Its special tokens by the names that a chat template calls them by.
std::vector<std::pair<std::string, std::string>> readGgufTokenNames(const GgufFile& file);

// The tokenizer.model that a "llama" tokenizer was made of, as far as GGUF keeps it.
std::string ggufSentencePiece(const GgufFile& file);

// The tokenizer.json that a "gpt2" tokenizer was made of, but for what GGUF does not keep.
nlohmann::json ggufTokenizerJson(const GgufFile& file);

}  // namespace vitrine
