// The tokens that a GGUF file names by their ids, for the model's config and for its tokenizer.
//
// A file of a llama tokenizer may leave out those that begin and end a sequence: SentencePiece numbers them 1
// and 2, and llama.cpp takes these. No other kind has a default: llama.cpp takes 11 for a gpt2 tokenizer,
// which is "," in GPT-2's own vocabulary and any token in another. Thread: any. Read next: gguf_file.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/gguf_file.h"

namespace vitrine {

inline constexpr const char* kGgufTokenizerKey = "tokenizer.ggml.model";
inline constexpr const char* kGgufBosKey = "tokenizer.ggml.bos_token_id";
inline constexpr const char* kGgufEosKey = "tokenizer.ggml.eos_token_id";
inline constexpr int kSentencePieceBos = 1, kSentencePieceEos = 2;

// None when the file does not say it and its kind of tokenizer has no default. May be beyond the vocabulary.
inline std::optional<std::int64_t> ggufTokenId(const GgufFile& file, std::string_view key) {
  if (file.has(key)) return file.countOr(key, 0, INT64_MAX);
  if (file.textOr(kGgufTokenizerKey, "") != "llama") return {};
  if (key == kGgufBosKey) return kSentencePieceBos;
  if (key == kGgufEosKey) return kSentencePieceEos;
  return {};
}

}  // namespace vitrine
