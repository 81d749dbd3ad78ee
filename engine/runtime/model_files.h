// ModelFiles: a model's folder or GGUF file as its parts, the header of a file read once for all of them.
//
// Thread: any once made; parts may be read at the same time. Read next: engine_load.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "models/gguf_model.h"
#include "models/weight_source.h"
#include "vitrine/chat_format.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

// How much of a head is compared with the embedding that the config ties it to: all of it for computing, some
// rows for a look at a model, which takes no time then.
enum class HeadCheck { kAll, kSample };

class ModelFiles {
 public:
  // Reads the config, and whether the weights contradict its tie of head and embedding (models/own_head.h).
  // Throws EngineError: what modelPlace(), loadModelConfig() and, for a tie, openCheckpoint() throw.
  explicit ModelFiles(const std::filesystem::path& model, HeadCheck check = HeadCheck::kAll);

  const std::filesystem::path& path() const { return m_path; }                 // of modelPlace()
  const GgufFile* gguf() const { return m_gguf ? &m_gguf->keys() : nullptr; }  // null: a folder
  const ModelConfig& config() const { return m_config; }

  // Null without one. Throws what loadTokenizer() throws.
  std::unique_ptr<Tokenizer> tokenizer() const;
  ChatFormat chatFormat() const;
  // Empty without one.
  std::string chatTemplate() const;
  // Throws what openCheckpoint() throws.
  std::unique_ptr<WeightSource> weights() const;

 private:
  const std::filesystem::path m_path;
  const std::shared_ptr<const GgufModel> m_gguf;
  const ModelConfig m_config;
};

}  // namespace vitrine
