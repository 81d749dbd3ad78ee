#include "text/gguf_tokenizer.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "formats/gguf_tokens.h"
#include "text/pre_kinds.h"
#include "text/sentencepiece_model.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/tokenizer_json.h"
#include "text/utf8.h"
#include "text/vocabulary.h"
#include "vitrine/error.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

using json = nlohmann::json;

constexpr const char* kPre = "tokenizer.ggml.pre";
constexpr const char* kTokens = "tokenizer.ggml.tokens";
constexpr const char* kScores = "tokenizer.ggml.scores";
constexpr const char* kTokenTypes = "tokenizer.ggml.token_type";
constexpr const char* kMerges = "tokenizer.ggml.merges";
constexpr const char* kCharacterMap = "tokenizer.ggml.precompiled_charsmap";
constexpr std::size_t kMostMapBytes = std::size_t{4} << 20;
constexpr std::size_t kMostTokens = static_cast<std::size_t>(Vocabulary::kMostIds);

// The tokens, in the order of their ids. One without a text gets llama.cpp's name for it.
std::vector<std::string> readTokens(const GgufFile& file) {
  std::vector<std::string> tokens = file.texts(kTokens, kMostTokens);
  if (tokens.empty()) file.fail(kTokens, "is missing or empty");
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    if (!utf8::isValid(tokens[id]))
      file.fail(kTokens, "has an entry that is not UTF-8: " + std::to_string(id));
    if (tokens[id].empty()) tokens[id] = "[EMPTY_" + std::to_string(id) + "]";
  }
  return tokens;
}

// A list of a number for each token.
std::vector<double> readForEach(const GgufFile& file, const char* key, std::size_t tokens) {
  if (!file.has(key)) file.fail(key, "is missing");
  std::vector<double> numbers = file.numbers(key, kMostTokens);
  if (numbers.size() != tokens)
    file.fail(key,
              "has " + std::to_string(numbers.size()) + " entries for " + std::to_string(tokens) + " tokens");
  return numbers;
}

std::vector<PieceKind> readKinds(const GgufFile& file, std::size_t tokens) {
  std::vector<PieceKind> kinds(tokens, PieceKind::kNormal);
  const std::vector<double> numbers = readForEach(file, kTokenTypes, tokens);
  for (std::size_t id = 0; id < numbers.size(); ++id) {
    if (numbers[id] < 1 || numbers[id] > 6)
      file.fail(kTokenTypes, "has the kind " + std::to_string(numbers[id]) + ", which does not exist");
    kinds[id] = static_cast<PieceKind>(static_cast<int>(numbers[id]));
  }
  return kinds;
}

// The text of the token that a key, or its default, names by its id; none when there is neither.
std::optional<std::string> namedToken(const GgufFile& file, const char* key,
                                      const std::vector<std::string>& tokens) {
  const std::optional<std::int64_t> id = ggufTokenId(file, key);
  if (!id) return {};
  const auto place = static_cast<std::size_t>(*id);
  if (place < tokens.size()) return tokens[place];
  if (!file.has(key)) return {};
  file.fail(key,
            "is " + std::to_string(*id) + ", but there are " + std::to_string(tokens.size()) + " tokens");
}

TokenizerConfig readNames(const GgufFile& file, const std::vector<std::string>& tokens, bool addsBos) {
  TokenizerConfig config;
  config.bos = namedToken(file, kGgufBosKey, tokens);
  config.eos = namedToken(file, kGgufEosKey, tokens);
  config.addBos = file.flagOr("tokenizer.ggml.add_bos_token", addsBos);
  config.addEos = file.flagOr("tokenizer.ggml.add_eos_token", false);
  return config;
}

SentencePieceModel sentencePieceModel(const GgufFile& file, const std::vector<std::string>& tokens) {
  const std::vector<double> scores = readForEach(file, kScores, tokens.size());
  const std::vector<PieceKind> kinds = readKinds(file, tokens.size());
  SentencePieceModel model;
  model.algorithm = SentencePieceAlgorithm::kBpe;
  model.addDummyPrefix = file.flagOr("tokenizer.ggml.add_space_prefix", true);
  model.removeExtraWhitespace = file.flagOr("tokenizer.ggml.remove_extra_whitespaces", false);
  for (const double byte : file.numbers(kCharacterMap, kMostMapBytes))
    model.characterMap.push_back(static_cast<char>(static_cast<int>(byte)));
  int bytes = 0;
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    model.pieces.push_back({tokens[id], static_cast<float>(scores[id]), kinds[id]});
    if (kinds[id] == PieceKind::kUnknown) model.unknownId = static_cast<int>(id);
    bytes += kinds[id] == PieceKind::kByte;
  }
  model.byteFallback = bytes == 256;
  const auto idOr = [&](const char* key, int fallback) {
    return static_cast<int>(file.countOr(key, fallback, Vocabulary::kMostIds));
  };
  model.bosId = idOr(kGgufBosKey, kSentencePieceBos);
  model.eosId = idOr(kGgufEosKey, kSentencePieceEos);
  return model;
}

// Rebuilt as the file that SentencePiece would have written, so that its checks are the same.
std::unique_ptr<Tokenizer> readSentencePiece(const GgufFile& file) {
  const std::vector<std::string> tokens = readTokens(file);
  return parseSentencePiece(sentencePieceModel(file, tokens).serialized(), file.name(),
                            readNames(file, tokens, true));
}

json addedToken(std::size_t id, const std::string& content, bool special) {
  return {{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", false}, {"special", special}};
}

const PreKind& readPreKind(const GgufFile& file) {
  if (!file.has(kPre))
    file.refuse(kPre, "is missing, so how the text is cut into words is not known",
                "Convert the model again with a converter of today; old files lack the key.");
  const std::string name = file.text(kPre);
  if (const PreKind* kind = findPreKind(name)) return *kind;
  file.refuse(kPre, "is " + forMessage(name) + ", a way to cut words that this engine does not know",
              "Known: " + preKindNames() + ".");
}

[[noreturn]] void failTwice(const GgufFile& file, const std::string& token) {
  file.fail(kTokens, "has an entry twice: " + forMessage(token));
}

std::vector<std::string> readMerges(const GgufFile& file) {
  if (!file.has(kMerges)) file.fail(kMerges, "is missing");
  return file.texts(kMerges, kMostTokens);
}

BpeModel bpeModel(const GgufFile& file, const std::vector<std::string>& tokens) {
  Vocabulary vocabulary;
  vocabulary.reserve(tokens.size());
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    vocabulary.add(tokens[id], static_cast<TokenId>(id));
    if (vocabulary.entries() != id + 1) failTwice(file, tokens[id]);
  }
  BpeModel::Options options;
  options.ignoreMerges = readPreKind(file).ignoresMerges;
  BpeModel model(std::move(vocabulary), std::move(options));
  if (const auto bad = model.addMerges(readMerges(file)))
    file.fail(kMerges, "has an entry that is no two tokens of the vocabulary which make a third: " +
                           std::to_string(*bad));
  return model;
}

// The tokenizer.json but for its tokens and merges.
json withoutModel(const GgufFile& file, const std::vector<std::string>& tokens) {
  const PreKind& pre = readPreKind(file);
  const std::vector<PieceKind> kinds = readKinds(file, tokens.size());
  json added = json::array();
  for (std::size_t id = 0; id < tokens.size(); ++id)
    if (kinds[id] == PieceKind::kControl || kinds[id] == PieceKind::kUserDefined)
      added.push_back(addedToken(id, tokens[id], kinds[id] == PieceKind::kControl));
  const json byteLevel = {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
  return {{"version", "1.0"},
          {"added_tokens", std::move(added)},
          {"normalizer", pre.composes ? json{{"type", "NFC"}} : json()},
          {"pre_tokenizer", pre.json()},
          {"decoder", byteLevel}};
}

}  // namespace

std::string ggufSentencePiece(const GgufFile& file) {
  return sentencePieceModel(file, readTokens(file)).serialized();
}

json ggufTokenizerJson(const GgufFile& file) {
  const std::vector<std::string> tokens = readTokens(file);
  json document = withoutModel(file, tokens), vocabulary = json::object();
  for (std::size_t id = 0; id < tokens.size(); ++id)
    if (!vocabulary.emplace(tokens[id], id).second) failTwice(file, tokens[id]);
  document["model"] = {{"type", "BPE"},
                       {"ignore_merges", readPreKind(file).ignoresMerges},
                       {"vocab", std::move(vocabulary)},
                       {"merges", readMerges(file)}};
  return document;
}

// A file may say that it has none. One that names a kind and lacks the tokens is refused when they are read.
bool hasGgufTokenizer(const GgufFile& file) {
  if (file.has(kTokens)) return true;
  const std::string kind = file.textOr(kGgufTokenizerKey, "none");
  return kind != "none" && kind != "no_vocab";
}

std::unique_ptr<Tokenizer> readGgufTokenizer(const GgufFile& file) {
  const std::string model = file.text(kGgufTokenizerKey);
  if (model == "llama") return readSentencePiece(file);
  if (model != "gpt2")
    file.refuse(kGgufTokenizerKey, "is " + forMessage(model) + ", which this engine does not read",
                "Known: llama (SentencePiece) and gpt2 (byte-level BPE).");
  const bool addsBos = readPreKind(file).addsBos;  // first: without it the tokens are of no use
  const std::vector<std::string> tokens = readTokens(file);
  return tokenizerFromJson(withoutModel(file, tokens), bpeModel(file, tokens), file.name(),
                           readNames(file, tokens, addsBos));
}

std::vector<std::pair<std::string, std::string>> readGgufTokenNames(const GgufFile& file) {
  std::vector<std::pair<std::string, std::string>> names;
  const std::vector<std::string> tokens = readTokens(file);
  for (const auto& [name, key] :
       {std::pair{"bos_token", kGgufBosKey},
        {"eos_token", kGgufEosKey},
        {"unk_token", "tokenizer.ggml.unknown_token_id"},
        {"sep_token", "tokenizer.ggml.seperator_token_id"},  // as the format spells it
        {"pad_token", "tokenizer.ggml.padding_token_id"}}) {
    if (const auto text = namedToken(file, key, tokens)) names.emplace_back(name, *text);
  }
  return names;
}

}  // namespace vitrine
