#include "text/pre_kinds.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace vitrine {
namespace {

using json = nlohmann::json;

json byteLevel(bool cutsWords) {
  return {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", cutsWords}};
}

json split(const std::string& pattern) {
  return {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
}
json digits() { return {{"type", "Digits"}, {"individual_digits", true}}; }

// Each step cuts the pieces of the one before.
json inTurn(const std::vector<json>& steps) {
  json all = json::array();
  for (const json& step : steps) all.push_back(step);
  all.push_back(byteLevel(false));
  return {{"type", "Sequence"}, {"pretokenizers", std::move(all)}};
}

json afterPattern(const char* pattern) { return inTurn({split(pattern)}); }

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

// The same with the marks behind a letter in its word.
json qwen35() {
  return afterPattern(
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
}

// Words are cut before a capital behind small letters, too.
json tekken() {
  return afterPattern(
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
}

// The same with the contraction behind a word in it, and up to three digits.
json gpt4o() {
  return afterPattern(
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
}

// The same with Chinese characters apart from all other letters.
json kimiK2() {
  return afterPattern(
      R"([\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)");
}

// Numbers, then Chinese and Japanese, then all else: a sign with the letters behind it, words with their
// marks. A line end stands in these patterns as itself.
json deepseekV3() {
  return inTurn({split(R"(\p{N}{1,3})"), split("[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"),
                 split(R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^)"
                       "\r\n"
                       R"(\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[)"
                       "\r\n"
                       R"(]*|\s*[)"
                       "\r\n"
                       R"(]+|\s+(?!\S)|\s+)")});
}

json deepseekCoder() {
  return inTurn({split("[\r\n]"), split(R"(\s?\p{L}+)"), split(R"(\s?\p{P}+)"),
                 split("[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"), digits()});
}

// The letters with two cases, as Unicode 11 had them.
json deepseekLlm() {
  constexpr const char* kCased =
      "A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-"
      "ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁ"
      "Ҋ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫ"
      "ᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝ"
      "Ὗ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-"
      "Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-"
      "ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-"
      "ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-"
      "Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-"
      "𞥃";
  return inTurn({split("[\r\n]"), split("\\s?[" + std::string(kCased) + "]+"),
                 split("\\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+"), split(R"(\s+$)"),
                 split("[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"), digits()});
}

json gpt2() { return byteLevel(true); }

// What llama.cpp does where a converter named no kind: signs, GPT-2's words, numbers, three digits at a time.
json byDefault() {
  return inTurn({split(R"([\p{P}\$\+<=>\^~\|]+)"),
                 split(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))"),
                 split(R"(\p{N}+)"), split("[0-9][0-9][0-9]")});
}

json smollm() { return {{"type", "Sequence"}, {"pretokenizers", {digits(), byteLevel(true)}}}; }

constexpr std::array<PreKind, 12> kKinds = {{
    {" llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 ", llama3, true, true, false},
    {" qwen2 deepseek-r1-qwen megrez kormo hunyuan ", qwen2, false, false, true},
    {" qwen35 ", qwen35, false, false, true},
    {" smollm starcoder refact command-r codeshell exaone minerva-7b ", smollm, false, false, false},
    {" gpt-2 phi-2 gigachat a.x-4.0 mellum exaone4 olmo mpt ", gpt2, false, false, false},
    {" tekken ", tekken, true, true, false},
    {" gpt-4o llama4 kanana2 talkie minimax-m2 ", gpt4o, false, false, false},
    {" kimi-k2 ", kimiK2, false, false, false},
    {" deepseek-v3 hunyuan-dense joyai-llm ", deepseekV3, false, false, false},
    {" deepseek-coder ", deepseekCoder, false, false, false},
    {" deepseek-llm ", deepseekLlm, false, false, false},
    {" default ", byDefault, false, false, false},
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

// DeepSeek's files have a sequence of no normalizers.
bool isNothing(const json& normalizer) {
  return normalizer.is_null() ||
         (memberOf(normalizer, "type") == "Sequence" && memberOf(normalizer, "normalizers") == json::array());
}

}  // namespace

std::string_view preKindOf(const json& tokenizer) {
  const json cut = compared(memberOf(tokenizer, "pre_tokenizer")), model = memberOf(tokenizer, "model");
  const bool ignoresMerges = memberOf(model, "ignore_merges") == true;
  const json normalizer = memberOf(tokenizer, "normalizer");
  for (const PreKind& kind : kKinds) {
    const bool same = compared(kind.json()) == cut && kind.ignoresMerges == ignoresMerges;
    const bool sameForm = kind.composes ? memberOf(normalizer, "type") == "NFC" : isNothing(normalizer);
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
