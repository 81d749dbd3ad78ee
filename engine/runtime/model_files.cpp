#include "runtime/model_files.h"

#include <utility>

#include "models/checkpoint.h"
#include "text/gguf_tokenizer.h"
#include "text/template_files.h"

namespace vitrine {

std::string modelName(const std::filesystem::path& model) {
  const std::filesystem::path plain = std::filesystem::absolute(model).lexically_normal();
  if (isModelFile(plain)) return plain.stem().string();
  return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

ModelFiles::ModelFiles(std::filesystem::path model)
    : m_path(std::move(model)),
      m_gguf(isModelFile(m_path) ? std::make_shared<const GgufModel>(m_path) : nullptr),
      m_config(m_gguf ? readGgufConfig(*m_gguf) : loadModelConfig(m_path)) {}

std::unique_ptr<Tokenizer> ModelFiles::tokenizer() const {
  if (m_gguf) return hasGgufTokenizer(m_gguf->keys()) ? readGgufTokenizer(m_gguf->keys()) : nullptr;
  return hasTokenizer(m_path) ? loadTokenizer(m_path) : nullptr;
}

ChatFormat ModelFiles::chatFormat() const {
  return m_gguf ? readGgufChat(m_gguf->keys()) : ChatFormat::ofModel(m_path);
}

std::string ModelFiles::chatTemplate() const {
  const auto found = m_gguf ? readTemplateText(m_gguf->keys()) : readTemplateText(m_path);
  return found ? found->text : "";
}

std::unique_ptr<WeightSource> ModelFiles::weights() const {
  return m_gguf ? openGgufWeights(m_gguf, m_config) : openCheckpoint(m_path);
}

}  // namespace vitrine
