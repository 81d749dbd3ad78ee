#include "runtime/model_files.h"

#include "models/checkpoint.h"
#include "models/own_head.h"
#include "text/gguf_tokenizer.h"
#include "text/template_files.h"
#include "vitrine/model_place.h"

namespace vitrine {

namespace {

// A file has no word on the tie: it has a head, or it has none.
ModelConfig configOfFolder(const std::filesystem::path& folder, HeadCheck check) {
  constexpr std::int64_t kSampledRows = 256;
  ModelConfig config = loadModelConfig(folder);
  if (!config.tiedEmbeddings) return config;
  const std::int64_t rows = check == HeadCheck::kSample ? kSampledRows : config.vocabularySize;
  config.tieIgnored = hasOwnHead(config, *openCheckpoint(folder), rows);
  config.tiedEmbeddings = !config.tieIgnored;
  return config;
}

}  // namespace

ModelFiles::ModelFiles(const std::filesystem::path& model, HeadCheck check)
    : m_path(modelPlace(model)),
      m_gguf(isModelFile(m_path) ? std::make_shared<const GgufModel>(m_path) : nullptr),
      m_config(m_gguf ? readGgufConfig(*m_gguf) : configOfFolder(m_path, check)) {}

std::unique_ptr<Tokenizer> ModelFiles::tokenizer() const {
  if (m_gguf) return hasGgufTokenizer(m_gguf->keys()) ? readGgufTokenizer(m_gguf->keys()) : nullptr;
  return hasTokenizer(m_path) ? loadTokenizer(m_path) : nullptr;
}

ChatFormat ModelFiles::chatFormat() const {
  return m_gguf ? ChatFormat::ofModel(m_gguf->keys()) : ChatFormat::ofModel(m_path);
}

std::string ModelFiles::chatTemplate() const {
  const auto found = m_gguf ? readTemplateText(m_gguf->keys()) : readTemplateText(m_path);
  return found ? found->text : "";
}

std::unique_ptr<WeightSource> ModelFiles::weights() const {
  return m_gguf ? openGgufWeights(m_gguf, m_config) : openCheckpoint(m_path);
}

}  // namespace vitrine
