// PreKind: what the name in a GGUF file's tokenizer.ggml.pre stands for: how a byte-level BPE cuts a text
// into words, as a tokenizer.json says it.
//
// The names are llama.cpp's; the patterns are those of the tokenizer.json files that it gives these names to,
// or of the model's own tokenizer where it has no such file (kimi-k2, hunyuan). "default" has no model: it is
// what llama.cpp itself does under that name.
// Thread: any. Read next: pre_tokenizer.h.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace vitrine {

struct PreKind {
  std::string_view names;    // all that mean this kind, with a space before and behind each
  nlohmann::json (*json)();  // the "pre_tokenizer"
  bool ignoresMerges;        // a word that is a token needs no merges to become it
  bool addsBos;              // when the file does not say
  bool composes;             // the text is brought into normal form C first
};

const PreKind* findPreKind(std::string_view name);  // null: unknown
std::string preKindNames();                         // "llama-bpe, qwen2, ..."
// The first name of the kind that a tokenizer.json is of; empty: none that has a name.
std::string_view preKindOf(const nlohmann::json& tokenizer);

}  // namespace vitrine
