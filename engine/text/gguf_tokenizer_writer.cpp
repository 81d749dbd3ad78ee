#include "text/gguf_tokenizer_writer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "text/gguf_tokenizer.h"
#include "text/pre_kinds.h"
#include "text/sentencepiece_model.h"
#include "text/template_files.h"
#include "text/tokenizer_config.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/output_file.h"

namespace vitrine {
namespace {

using json = nlohmann::json;
namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& what, const std::string& hint) {
  throw EngineError(ErrorCode::kUnsupported, file.string() + ": " + what, hint);
}

struct TokenList {
  std::vector<std::string> texts;
  std::vector<float> scores;
  std::vector<std::int32_t> kinds;

  void add(std::string text, float score, PieceKind kind) {
    texts.push_back(std::move(text));
    scores.push_back(score);
    kinds.push_back(static_cast<std::int32_t>(kind));
  }
  // Ids that the embedding has rows for and the tokenizer no text.
  void fillUp(int vocabularySize) {
    while (static_cast<int>(texts.size()) < vocabularySize)
      add("[PAD" + std::to_string(texts.size()) + "]", -1000, PieceKind::kUnused);
  }
};

void writeEnds(std::optional<TokenId> eos, std::span<const std::int32_t> ends, GgufWriter& writer) {
  std::vector<TokenId> all;
  if (eos) all.push_back(*eos);
  for (const std::int32_t end : ends)
    if (std::ranges::count(all, end) == 0) all.push_back(end);
  constexpr const char* kKeys[] = {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                                   "tokenizer.ggml.eom_token_id"};
  for (std::size_t i = 0; i < std::min(std::size(kKeys), all.size()); ++i)
    writer.number(kKeys[i], static_cast<std::uint32_t>(all[i]));
}

void writeNames(const Tokenizer& tokenizer, std::span<const std::int32_t> ends, GgufWriter& writer) {
  const auto bos = tokenizer.bosToken(), eos = tokenizer.eosToken();
  if (bos) writer.number("tokenizer.ggml.bos_token_id", static_cast<std::uint32_t>(*bos));
  writeEnds(eos, ends, writer);
  const std::vector<TokenId> around = tokenizer.encode("", true);
  writer.flag("tokenizer.ggml.add_bos_token", bos && !around.empty() && around.front() == *bos);
  writer.flag("tokenizer.ggml.add_eos_token",
              eos && !around.empty() && around.back() == *eos && (around.size() > 1 || bos != eos));
}

PieceKind kindOfAdded(const Tokenizer& tokenizer, TokenId id) {
  return tokenizer.isSpecial(id) ? PieceKind::kControl : PieceKind::kUserDefined;
}

void writeSentencePiece(const fs::path& file, const TokenizerConfig& config, const Tokenizer& tokenizer,
                        int vocabularySize, GgufWriter& writer) {
  const SentencePieceModel model = SentencePieceModel::parse(readTextFile(file), file.string());
  if (model.algorithm != SentencePieceAlgorithm::kBpe)
    refuse(file, "is a unigram model, which the tokenizers inside GGUF files of these families are not",
           "Convert a model whose tokenizer.model is a BPE model, or give token ids.");
  TokenList tokens;
  for (const auto& [text, score, kind] : model.pieces) tokens.add(text, score, kind);
  for (auto id = static_cast<TokenId>(model.pieces.size()); id < tokenizer.vocabularySize(); ++id)
    tokens.add(tokenizer.piece(id), -1000, kindOfAdded(tokenizer, id));
  tokens.fillUp(vocabularySize);
  writer.text("tokenizer.ggml.model", "llama");
  writer.text("tokenizer.ggml.pre", "default");
  writer.texts("tokenizer.ggml.tokens", tokens.texts);
  writer.reals("tokenizer.ggml.scores", tokens.scores);
  writer.numbers("tokenizer.ggml.token_type", tokens.kinds);
  writer.flag("tokenizer.ggml.add_space_prefix", config.addPrefixSpace.value_or(model.addDummyPrefix));
  writer.flag("tokenizer.ggml.remove_extra_whitespaces", model.removeExtraWhitespace);
  if (!model.characterMap.empty()) writer.bytes("tokenizer.ggml.precompiled_charsmap", model.characterMap);
}

void writeByteLevel(const fs::path& file, const Tokenizer& tokenizer, int vocabularySize,
                    GgufWriter& writer) {
  const json document = parseJson(readTextFile(file), file.string());
  const std::string_view pre = preKindOf(document);
  if (pre.empty())
    refuse(file, "cuts words in a way that has no name in a GGUF file",
           "Known: " + preKindNames() + "; a SentencePiece model converts from its tokenizer.model.");
  std::set<int> added;
  const auto own = document.find("added_tokens");
  if (own != document.end())
    for (const json& token : *own)
      if (const auto id = tokenizer.find(token.at("content").get<std::string>())) added.insert(*id);
  std::set<int> plain;
  for (const auto& [text, id] : document.at("model").at("vocab").items()) plain.insert(id.get<int>());
  TokenList tokens;
  for (TokenId id = 0; id < tokenizer.vocabularySize(); ++id) {
    const std::string text = tokenizer.piece(id);
    if (text.empty())
      tokens.add("[PAD" + std::to_string(id) + "]", 0, PieceKind::kUnused);
    else if (added.contains(id) || !plain.contains(id))
      tokens.add(text, 0, kindOfAdded(tokenizer, id));
    else
      tokens.add(text, 0, PieceKind::kNormal);
  }
  tokens.fillUp(vocabularySize);
  std::vector<std::string> merges;
  for (const json& merge : document.at("model").at("merges"))
    merges.push_back(merge.is_string()
                         ? merge.get<std::string>()
                         : merge.at(0).get<std::string>() + " " + merge.at(1).get<std::string>());
  writer.text("tokenizer.ggml.model", "gpt2");
  writer.text("tokenizer.ggml.pre", pre);
  writer.texts("tokenizer.ggml.tokens", tokens.texts);
  writer.numbers("tokenizer.ggml.token_type", tokens.kinds);
  writer.texts("tokenizer.ggml.merges", merges);
}

void writeFile(const fs::path& path, const std::string& bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.finish();
}

}  // namespace

void writeGgufTokenizer(const fs::path& folder, int vocabularySize, std::span<const std::int32_t> ends,
                        GgufWriter& writer) {
  if (!hasTokenizer(folder)) {
    writer.text("tokenizer.ggml.model", "none");
    writeEnds({}, ends, writer);
  } else {
    const auto tokenizer = loadTokenizer(folder);
    const fs::path model = folder / "tokenizer.model", described = folder / "tokenizer.json";
    if (tokenizer->vocabularySize() > vocabularySize)
      refuse(folder, "the tokenizer has more tokens than the embedding has rows",
             "The files do not belong together.");
    if (isThere(model) && !isThere(described))
      writeSentencePiece(model, readTokenizerConfig(folder), *tokenizer, vocabularySize, writer);
    else
      writeByteLevel(described, *tokenizer, vocabularySize, writer);
    writeNames(*tokenizer, ends, writer);
  }
  if (const auto chat = readTemplateText(folder)) {
    writer.text("tokenizer.chat_template", chat->text);
    if (!chat->forTools.empty()) writer.text("tokenizer.chat_template.tool_use", chat->forTools);
  }
}

void writeTokenizerFiles(const GgufFile& file, const fs::path& folder) {
  if (!hasGgufTokenizer(file)) return;
  const auto tokenizer = readGgufTokenizer(file);
  json config = json::object();
  if (const auto bos = tokenizer->bosToken()) config["bos_token"] = tokenizer->piece(*bos);
  if (const auto eos = tokenizer->eosToken()) config["eos_token"] = tokenizer->piece(*eos);
  if (file.text("tokenizer.ggml.model") == "llama") {
    writeFile(folder / "tokenizer.model", ggufSentencePiece(file));
    config["tokenizer_class"] = "LlamaTokenizer";
    config["legacy"] = false;
    config["add_prefix_space"] = file.flagOr("tokenizer.ggml.add_space_prefix", true);
  } else {
    writeFile(folder / "tokenizer.json", ggufTokenizerJson(file).dump());
    config["tokenizer_class"] = "PreTrainedTokenizerFast";
  }
  const std::vector<TokenId> around = tokenizer->encode("", true);
  config["add_bos_token"] =
      tokenizer->bosToken() && !around.empty() && around.front() == *tokenizer->bosToken();
  config["add_eos_token"] = file.flagOr("tokenizer.ggml.add_eos_token", false);
  const std::string chat = file.textOr("tokenizer.chat_template", "");
  if (!chat.empty()) config["chat_template"] = chat;
  writeFile(folder / "tokenizer_config.json", config.dump(2) + "\n");
}

}  // namespace vitrine
