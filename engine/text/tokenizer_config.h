// TokenizerConfig: what the files beside a tokenizer say about it: tokenizer_config.json,
// special_tokens_map.json and added_tokens.json, each of which may be missing.
//
// Thread: a value. Read next: tokenizer_json.h, sentencepiece_model.h.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "text/added_tokens.h"
#include "text/json_field.h"

namespace vitrine {

struct TokenizerConfig {
  std::optional<std::string> bos, eos, unknown;
  // What a chat template calls them: {"bos_token", "<s>"}.
  std::vector<std::pair<std::string, std::string>> names;
  std::vector<AddedToken> added;  // added_tokens_decoder, by ascending id: its flags are the last word
  std::vector<AddedToken> plain;  // added_tokens.json, by ascending id: it has no flags
  std::vector<AddedToken>
      specials;  // the tokens with a name (bos, eos, pad ...) and the further special ones
  std::optional<bool> addBos, addEos;
  std::optional<bool> legacy, addPrefixSpace;  // of a SentencePiece model

  void readConfig(const JsonField& file);            // tokenizer_config.json
  void readSpecialTokensMap(const JsonField& file);  // special_tokens_map.json
  void readAddedTokens(const JsonField& file);       // added_tokens.json

  // Tokens to add where they are not known yet: `plain`, special where they have a name too, then `specials`.
  std::vector<AddedToken> furtherTokens() const;

 private:
  void readNames(const JsonField& file);
  void addSpecial(const JsonField& field);
  void name(const char* key, const std::string& text);
};

// Throws EngineError(kFileCorrupt) for a file that is there but cannot be understood.
TokenizerConfig readTokenizerConfig(const std::filesystem::path& directory);

// The flags of {"content": .., "lstrip": ..}, all optional but the content.
AddedToken readAddedToken(const JsonField& description);

// A whole file; throws what readModelText() throws, kFileCorrupt when larger than any tokenizer.
std::string readTextFile(const std::filesystem::path& path);

}  // namespace vitrine
