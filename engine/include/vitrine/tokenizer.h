// Tokenizer: text to token ids and back, identical to Hugging Face for a tokenizer.json and to SentencePiece
// for a tokenizer.model alone.
// Two kinds stand behind this interface: SentencePiece models (Kudo & Richardson 2018, arXiv 1808.06226)
// and byte-level or byte-fallback BPE from a tokenizer.json (Sennrich et al. 2016, arXiv 1508.07909).
// Thread: immutable once loaded; every method may be called from any thread at once.
// Read next: chat_format.h, text_stream.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vitrine/ids.h"

namespace vitrine {

// A part of a text, in bytes.
struct TextRange {
  std::size_t begin = 0, end = 0;
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Number of ids, added tokens included; every id returned by encode() is below it.
  virtual int vocabularySize() const = 0;

  // Ids of UTF-8 text. Special tokens written out in the text ("<|im_end|>") become their ids;
  // addSpecialTokens also puts the ones the model expects around a text (for Llama "<s>" in front).
  // Throws EngineError: kInvalidArgument (not UTF-8), kFileCorrupt (patterns that take too long).
  std::vector<TokenId> encode(std::string_view text, bool addSpecialTokens) const {
    return encode(text, addSpecialTokens, {});
  }
  // The same, but a special token that touches one of the `written` ranges is text like any other: what a
  // person writes between the marks of a template is never a mark. The ranges ascend and do not overlap.
  virtual std::vector<TokenId> encode(std::string_view text, bool addSpecialTokens,
                                      std::span<const TextRange> written) const = 0;

  // Text of ids; bytes that do not form UTF-8 become U+FFFD. Ids out of range are skipped.
  // skipSpecialTokens leaves special tokens out. Throws EngineError(kFileCorrupt), as encode().
  virtual std::string decode(std::span<const TokenId> ids, bool skipSpecialTokens = true) const = 0;

  // The vocabulary entry as the file spells it ("▁the", "Ġthe", "<0x0A>"); empty when out of range.
  virtual std::string piece(TokenId id) const = 0;

  // The id of one whole vocabulary or added token, spelled as the file does.
  virtual std::optional<TokenId> find(std::string_view piece) const = 0;

  virtual bool isSpecial(TokenId id) const = 0;
  virtual std::optional<TokenId> bosToken() const = 0;
  virtual std::optional<TokenId> eosToken() const = 0;
};

// Loads the tokenizer in a GGUF file or a model directory: tokenizer.json where there is one, otherwise
// tokenizer.model, with tokenizer_config.json, special_tokens_map.json and added_tokens.json where present.
// A model is what modelPlace() takes (vitrine/model_place.h), and what that throws is thrown here.
// Throws EngineError: kFileNotFound (neither), kFileUnreadable, kFileCorrupt, kUnsupported, kUnavailable.
std::unique_ptr<Tokenizer> loadTokenizer(const std::filesystem::path& model);

// Whether the directory has tokenizer files at all; commands given token ids work without.
bool hasTokenizer(const std::filesystem::path& model);

}  // namespace vitrine
