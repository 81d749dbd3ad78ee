// Tokenizers made of a tokenizer.model alone: SentencePiece BPE (Sennrich et al. 2016, arXiv 1508.07909) and
// unigram models (Kudo 2018, arXiv 1804.10959).
//
// libsentencepiece itself encodes each stretch of text between special tokens, normalizer and all. The space
// that it puts in front of a text stands at the beginning, and after a special token if the config says
// "legacy"; unsaid, a BPE model goes without, as in transformers, and a unigram model with. Ids of a BPE
// model become text as transformers' LlamaTokenizer writes it, those of a unigram model as SentencePiece
// does. Thread: immutable. Read next: sentencepiece_model.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/tokenizer_config.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

// Throws EngineError(kFileCorrupt) for bytes that are no sound model, or that libsentencepiece does not take;
// kUnsupported for word and character models.
std::unique_ptr<Tokenizer> parseSentencePiece(std::string_view bytes, const std::string& file,
                                              const TokenizerConfig& config = {});

}  // namespace vitrine
