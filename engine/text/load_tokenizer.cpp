#include <filesystem>

#include "text/gguf_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/tokenizer_config.h"
#include "text/tokenizer_json.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/model_place.h"
#include "vitrine/tokenizer.h"

namespace vitrine {
namespace {

constexpr const char* kJsonName = "tokenizer.json";
constexpr const char* kModelName = "tokenizer.model";

}  // namespace

bool hasTokenizer(const std::filesystem::path& model) {
  const std::filesystem::path modelDirectory = modelPlace(model);
  if (isModelFile(modelDirectory)) return hasGgufTokenizer(GgufFile(modelDirectory));
  return isThere(modelDirectory / kJsonName) || isThere(modelDirectory / kModelName);
}

std::unique_ptr<Tokenizer> loadTokenizer(const std::filesystem::path& model) {
  const std::filesystem::path modelDirectory = modelPlace(model);
  if (isModelFile(modelDirectory)) return readGgufTokenizer(GgufFile(modelDirectory));
  if (!hasTokenizer(modelDirectory)) {
    throw EngineError(ErrorCode::kFileNotFound,
                      modelDirectory.string() + " has neither tokenizer.json nor tokenizer.model",
                      "Put the model's tokenizer file beside its weights, or give token ids.");
  }
  const TokenizerConfig config = readTokenizerConfig(modelDirectory);
  const std::filesystem::path json = modelDirectory / kJsonName;
  if (isThere(json)) return parseTokenizerJson(readTextFile(json), json.string(), config);
  const std::filesystem::path pieces = modelDirectory / kModelName;
  return parseSentencePiece(readTextFile(pieces), pieces.string(), config);
}

}  // namespace vitrine
