// Reads a tokenizer.json, the format of Hugging Face's tokenizers library: BPE models, byte-level or with
// byte fallback. Other models are refused by name.
//
// Read next: pipeline_tokenizer.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/pipeline_tokenizer.h"
#include "text/tokenizer_config.h"

namespace vitrine {

// The tokenizer in the bytes of a file; `file` is its name, for messages. Any bytes may be given.
// Throws EngineError(kFileCorrupt) naming the file and the field, kUnsupported naming the kind.
std::unique_ptr<Tokenizer> parseTokenizerJson(std::string_view bytes, const std::string& file,
                                              const TokenizerConfig& config = {});
// The same of a document that was put together, and a model that stands for its "model": a document of
// 300,000 tokens and merges takes longer than the tokenizer.
std::unique_ptr<Tokenizer> tokenizerFromJson(const nlohmann::json& document, BpeModel model,
                                             const std::string& file, const TokenizerConfig& config = {});

}  // namespace vitrine
