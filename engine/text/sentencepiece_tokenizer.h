// Tokenizers made of a tokenizer.model.
//
// BPE models are read as transformers' LlamaTokenizer reads them: the pieces become a BPE vocabulary, every
// way of putting a piece together from two others a merge, in order of id; so a tokenizer.model and the
// tokenizer.json saved of it give the same ids. Unigram models are left to libsentencepiece, normalizer and
// all. Thread: immutable. Read next: pipeline_tokenizer.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/tokenizer_config.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

// Throws EngineError(kFileCorrupt) for bytes that are no sound model, kUnsupported for word and character
// models.
std::unique_ptr<Tokenizer> parseSentencePiece(std::string_view bytes, const std::string& file,
                                              const TokenizerConfig& config = {});

}  // namespace vitrine
