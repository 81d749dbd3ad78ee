#include "text/pre_kinds.h"

#include <array>
#include <nlohmann/json.hpp>

namespace vitrine {
namespace {

using json = nlohmann::json;

json byteLevel(bool cutsWords) {
  return {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", cutsWords}};
}

json afterPattern(const char* pattern) {
  const json split = {
      {"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
  return {{"type", "Sequence"}, {"pretokenizers", {split, byteLevel(false)}}};
}

// Contractions, a word with what stands before it, up to three digits, signs, line ends, spaces.
json llama3() {
  return afterPattern(
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
}

// The same with each digit for itself.
json qwen2() {
  return afterPattern(
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
}

// Words are cut before a capital behind small letters, too.
json tekken() {
  return afterPattern(
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
}

json gpt2() { return byteLevel(true); }

json smollm() {
  const json digits = {{"type", "Digits"}, {"individual_digits", true}};
  return {{"type", "Sequence"}, {"pretokenizers", {digits, byteLevel(true)}}};
}

constexpr std::array<PreKind, 5> kKinds = {{
    {" llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 ", llama3, true, true, false},
    {" qwen2 deepseek-r1-qwen megrez kormo ", qwen2, false, false, true},
    {" smollm starcoder refact command-r codeshell exaone minerva-7b ", smollm, false, false, false},
    {" gpt-2 phi-2 gigachat a.x-4.0 mellum exaone4 olmo mpt ", gpt2, false, false, false},
    {" tekken ", tekken, true, true, false},
}};

// Without what changes no id, and with what is not said made plain.
json compared(json part) {
  if (part.is_object()) {
    part.erase("trim_offsets");
    if (part.value("type", "") == "ByteLevel" && !part.contains("use_regex")) part["use_regex"] = true;
    if (part.value("type", "") == "Sequence" && part.contains("pretokenizers"))
      for (json& step : part["pretokenizers"]) step = compared(step);
  }
  return part;
}

json memberOf(const json& object, const char* name) {
  return object.is_object() && object.contains(name) ? object[name] : json();
}

}  // namespace

std::string_view preKindOf(const json& tokenizer) {
  const json cut = compared(memberOf(tokenizer, "pre_tokenizer")), model = memberOf(tokenizer, "model");
  const bool ignoresMerges = memberOf(model, "ignore_merges") == true;
  const json normalizer = memberOf(tokenizer, "normalizer");
  for (const PreKind& kind : kKinds) {
    const bool same = compared(kind.json()) == cut && kind.ignoresMerges == ignoresMerges;
    const bool sameForm = kind.composes ? memberOf(normalizer, "type") == "NFC" : normalizer.is_null();
    if (same && sameForm) return kind.names.substr(1, kind.names.find(' ', 1) - 1);
  }
  return {};
}

const PreKind* findPreKind(std::string_view name) {
  if (name.empty() || name.find(' ') != std::string_view::npos) return nullptr;
  const std::string wanted = " " + std::string(name) + " ";
  for (const PreKind& kind : kKinds)
    if (kind.names.find(wanted) != std::string_view::npos) return &kind;
  return nullptr;
}

std::string preKindNames() {
  std::string names;
  for (const PreKind& kind : kKinds)
    for (const char letter : kind.names.substr(1))
      names += letter == ' ' ? std::string(", ") : std::string(1, letter);
  return names.substr(0, names.size() - 2);
}

}  // namespace vitrine
