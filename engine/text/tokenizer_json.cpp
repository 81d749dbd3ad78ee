#include "text/tokenizer_json.h"

#include <algorithm>

namespace vitrine {
namespace {

constexpr std::size_t kMostAround = 64;  // special tokens around a text; real files have one or two

TokenId idOf(const JsonField& field) {
  return static_cast<TokenId>(field.integer(0, Vocabulary::kMostIds - 1));
}

// {"special_tokens": {"<s>": {"ids": [1]}}, "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id":
// "A"}}]}
void addTemplate(const JsonField& description, TokenizerParts& parts) {
  const JsonField items = description.at("single").mustBeArray();
  const JsonField tokens = description.at("special_tokens").mustBeObject();
  std::vector<TokenId> before, after;
  bool textSeen = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (const auto token = items[i].get("SpecialToken")) {
      const JsonField ids = tokens.at(token->at("id").string().c_str()).at("ids").mustBeArray();
      if (ids.size() + before.size() + after.size() > kMostAround)
        items[i].fail("puts too many tokens around a text");
      for (std::size_t k = 0; k < ids.size(); ++k) (textSeen ? after : before).push_back(idOf(ids[k]));
    } else if (items[i].get("Sequence")) {
      if (textSeen) items[i].refuse("a template that repeats the text");
      textSeen = true;
    } else {
      items[i].fail("should be a SpecialToken or a Sequence");
    }
  }
  if (!textSeen) items.refuse("a template without the text");
  parts.before.insert(parts.before.begin(), before.begin(), before.end());
  parts.after.insert(parts.after.end(), after.begin(), after.end());
}

// [CLS] text [SEP], as BERT and RoBERTa have it: {"cls": ["[CLS]", 101], "sep": ["[SEP]", 102]}
void addClsAndSep(const JsonField& description, TokenizerParts& parts) {
  const auto id = [&](const char* key) {
    const JsonField pair = description.at(key).mustBeArray();
    if (pair.size() != 2) pair.fail("should be a token and its id");
    return idOf(pair[1]);
  };
  parts.before.insert(parts.before.begin(), id("cls"));
  parts.after.push_back(id("sep"));
}

void addPostProcessor(const JsonField& description, TokenizerParts& parts, int depth) {
  description.mustBeShallow(depth);
  if (parts.before.size() + parts.after.size() > kMostAround)
    description.fail("puts too many tokens around a text");
  const std::string& kind = description.at("type").string();
  if (kind == "Sequence") {
    const JsonField list = description.at("processors").mustBeArray();
    for (std::size_t i = 0; i < list.size(); ++i) addPostProcessor(list[i], parts, depth + 1);
  } else if (kind == "TemplateProcessing") {
    addTemplate(description, parts);
  } else if (kind == "RobertaProcessing" || kind == "BertProcessing") {
    addClsAndSep(description, parts);
  } else if (kind != "ByteLevel") {  // which only moves offsets, and ids are all we give
    description.refuse("a post-processor of the kind " + kind);
  }
}

BpeModel readModel(const JsonField& description) {
  const std::string kind = description.stringOr("type", description.get("merges") ? "BPE" : "unnamed");
  if (kind != "BPE") description.refuse("a model of the kind " + kind);
  return BpeModel(description);
}

// Ids are given out in the file's order, as the reference does; its own "id" is only a remark there.
void addTokens(const JsonField& list, TokenizerParts& parts) {
  for (std::size_t i = 0; i < list.mustBeArray().size(); ++i) {
    if (parts.added.last() >= Vocabulary::kMostIds - 1) list[i].fail("is one token too many");
    parts.addToken(readAddedToken(list[i]));
  }
}

// What the other files of the folder add to a tokenizer: tokens, names, and tokens around a text.
void applyConfig(TokenizerParts& parts, const TokenizerConfig& config) {
  for (const AddedToken& token : config.added) parts.addToken(token);
  // Lists without flags only add new tokens; a known token keeps its flags.
  for (const AddedToken& token : config.furtherTokens()) {
    if (!parts.added.find(token.content)) parts.addToken(token);
  }
  if (config.bos) parts.bos = parts.find(*config.bos);
  if (config.eos) parts.eos = parts.find(*config.eos);
  if (!config.addBos && !config.addEos) return;
  // As in transformers, either flag replaces what the post-processor says.
  parts.before.clear();
  parts.after.clear();
  if (config.addBos.value_or(false) && parts.bos) parts.before.push_back(*parts.bos);
  if (config.addEos.value_or(false) && parts.eos) parts.after.push_back(*parts.eos);
}

}  // namespace

std::unique_ptr<Tokenizer> parseTokenizerJson(std::string_view bytes, const std::string& file,
                                              const TokenizerConfig& config) {
  const nlohmann::json document = parseJson(bytes, file);
  const JsonField root(document, file, "");
  if (const auto version = root.get("version"); version && version->string() != "1.0")
    version->refuse("\"" + version->string() + "\"");
  return tokenizerFromJson(document, readModel(root.at("model")), file, config);
}

std::unique_ptr<Tokenizer> tokenizerFromJson(const nlohmann::json& document, BpeModel model,
                                             const std::string& file, const TokenizerConfig& config) {
  const JsonField root(document, file, "");
  TokenizerParts parts;
  parts.model.emplace(std::move(model));
  if (const auto field = root.get("normalizer")) parts.normalizer = Normalizer(*field);
  if (const auto field = root.get("pre_tokenizer")) parts.preTokenizer = PreTokenizer(*field);
  if (const auto field = root.get("post_processor")) addPostProcessor(*field, parts, 0);
  if (const auto field = root.get("decoder")) parts.decoder = TokenDecoder(*field);
  if (const auto field = root.get("added_tokens")) addTokens(*field, parts);
  for (const std::vector<TokenId>* around : {&parts.before, &parts.after}) {
    for (const TokenId id : *around) {
      if (!parts.model->vocabulary().has(id) && !parts.added.find(id))
        root.at("post_processor").fail("names the id " + std::to_string(id) + ", which no token has");
    }
  }
  if (!parts.before.empty()) parts.bos = parts.before.front();  // unless the config names another
  if (parts.model->vocabulary().entries() == 0 && parts.added.empty())
    JsonField(document, file, "model").fail("has an empty vocabulary");
  applyConfig(parts, config);
  return std::make_unique<PipelineTokenizer>(std::move(parts));
}

}  // namespace vitrine
