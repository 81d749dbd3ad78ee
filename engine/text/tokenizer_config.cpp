#include "text/tokenizer_config.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unordered_map>

#include "formats/stand_in.h"
#include "text/vocabulary.h"
#include "vitrine/files.h"

namespace vitrine {
namespace {

constexpr std::size_t kLargestFile = std::size_t{128}
                                     << 20;  // tokenizer.json of the largest vocabularies: 35 MB
constexpr std::size_t kLongestContent = 1024;

std::string nameOf(const JsonField& field) {  // "</s>" or {"content": "</s>", ...}
  return field.isString() ? field.string() : field.at("content").string();
}

}  // namespace

AddedToken readAddedToken(const JsonField& description) {
  AddedToken token;
  token.content = description.at("content").string();
  if (token.content.size() > kLongestContent)
    description.fail("is longer than " + std::to_string(kLongestContent) + " bytes");
  token.singleWord = description.booleanOr("single_word", false);
  token.lstrip = description.booleanOr("lstrip", false);
  token.rstrip = description.booleanOr("rstrip", false);
  token.special = description.booleanOr("special", false);
  token.normalized = description.booleanOr("normalized", !token.special);
  return token;
}

void TokenizerConfig::addSpecial(const JsonField& field) {
  AddedToken token;
  if (field.isString()) {
    token.content = field.string();
  } else {
    token = readAddedToken(field);
  }
  token.special = true;
  if (field.isString()) token.normalized = false;
  specials.push_back(std::move(token));
}

// The file that is read later has the last word.
void TokenizerConfig::name(const char* key, const std::string& text) {
  std::erase_if(names, [&](const auto& one) { return one.first == key; });
  names.emplace_back(key, text);
}

void TokenizerConfig::readNames(const JsonField& file) {
  if (const auto field = file.get("bos_token")) bos = nameOf(*field);
  if (const auto field = file.get("eos_token")) eos = nameOf(*field);
  if (const auto field = file.get("unk_token")) unknown = nameOf(*field);
  for (const char* key :
       {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}) {
    if (const auto field = file.get(key)) {
      addSpecial(*field);
      name(key, nameOf(*field));
    }
  }
  for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
    const auto list = file.get(key);
    if (list && list->isArray()) {
      for (std::size_t i = 0; i < list->size(); ++i) addSpecial((*list)[i]);
    } else if (list && list->isObject()) {
      for (const auto& [name, value] : list->value().items())
        addSpecial(JsonField(value, list->file(), std::string(key) + "." + name));
    }
  }
}

void TokenizerConfig::readConfig(const JsonField& file) {
  readNames(file.mustBeObject());
  const auto flag = [&](const char* key) {
    const auto field = file.get(key);
    return field ? std::optional<bool>(field->boolean()) : std::nullopt;
  };
  addBos = flag("add_bos_token");
  addEos = flag("add_eos_token");
  legacy = flag("legacy");
  addPrefixSpace = flag("add_prefix_space");
  const auto decoder = file.get("added_tokens_decoder");
  if (!decoder) return;
  for (const auto& [key, value] : decoder->mustBeObject().value().items()) {
    const JsonField entry(value, file.file(), "added_tokens_decoder." + key);
    if (key.empty() || key.size() > 8 ||
        !std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; }))
      entry.fail("should be named by an id");
    AddedToken token = readAddedToken(entry);
    token.id = std::atoi(key.c_str());
    added.push_back(std::move(token));
  }
  std::sort(added.begin(), added.end(), [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
}

void TokenizerConfig::readSpecialTokensMap(const JsonField& file) { readNames(file.mustBeObject()); }

void TokenizerConfig::readAddedTokens(const JsonField& file) {
  for (const auto& [content, id] : file.mustBeObject().value().items()) {
    AddedToken token;
    token.content = content;
    token.normalized = true;
    token.id = static_cast<TokenId>(
        JsonField(id, file.file(), "\"" + content + "\"").integer(0, Vocabulary::kMostIds - 1));
    plain.push_back(std::move(token));
  }
  std::sort(plain.begin(), plain.end(), [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
}

std::vector<AddedToken> TokenizerConfig::furtherTokens() const {
  std::unordered_map<std::string_view, const AddedToken*> named;
  for (const AddedToken& token : specials)
    named.emplace(token.content, &token);  // the first of a name counts
  std::vector<AddedToken> tokens;
  for (const AddedToken& token : plain) {
    const auto found = named.find(token.content);
    tokens.push_back(found == named.end() ? token : *found->second);
  }
  tokens.insert(tokens.end(), specials.begin(), specials.end());
  return tokens;
}

std::string readTextFile(const std::filesystem::path& path) { return readModelText(path, kLargestFile); }

TokenizerConfig readTokenizerConfig(const std::filesystem::path& directory) {
  TokenizerConfig config;
  const auto read = [&](const char* name, void (TokenizerConfig::*into)(const JsonField&)) {
    const std::filesystem::path path = directory / name;
    if (!isThere(path)) return;
    const nlohmann::json document = parseJson(readTextFile(path), path.string());
    (config.*into)(JsonField(document, path.string(), ""));
  };
  // The map first: where both name a token, transformers follows tokenizer_config.json.
  read("special_tokens_map.json", &TokenizerConfig::readSpecialTokensMap);
  read("tokenizer_config.json", &TokenizerConfig::readConfig);
  read("added_tokens.json", &TokenizerConfig::readAddedTokens);
  return config;
}

}  // namespace vitrine
