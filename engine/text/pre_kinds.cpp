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

std::string afterPattern(const char* pattern) {
  const json split = {
      {"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
  return json{{"type", "Sequence"}, {"pretokenizers", {split, byteLevel(false)}}}.dump();
}

// Contractions, a word with what stands before it, up to three digits, signs, line ends, spaces.
std::string llama3() {
  return afterPattern(
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
}

// The same with each digit for itself.
std::string qwen2() {
  return afterPattern(
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
}

// Words are cut before a capital behind small letters, too.
std::string tekken() {
  return afterPattern(
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
}

std::string gpt2() { return byteLevel(true).dump(); }

std::string smollm() {
  const json digits = {{"type", "Digits"}, {"individual_digits", true}};
  return json{{"type", "Sequence"}, {"pretokenizers", {digits, byteLevel(true)}}}.dump();
}

constexpr std::array<PreKind, 5> kKinds = {{
    {" llama-bpe llama3 llama-v3 ", llama3, true, true, false},
    {" qwen2 deepseek-r1-qwen ", qwen2, false, false, true},
    {" smollm starcoder ", smollm, false, false, false},
    {" gpt-2 ", gpt2, false, false, false},
    {" tekken ", tekken, true, true, false},
}};

}  // namespace

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
