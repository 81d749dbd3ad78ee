// GgufModel: the files of a GGUF model as a model: its config, and its tensors under the names that the
// decoder knows.
//
// Architectures are those of the folder reader: llama (Llama and Mistral), qwen2, qwen3. In a llama file the
// rows of each head of q and k stand in pairs, since llama.cpp turns neighbours; here a head turns by halves.
// Whole rows are put back in their places, so that no bit of a packed row changes. A tensor's bytes are read
// when it is asked for, into memory of their own (formats/gguf.h says why nothing is mapped).
// Thread: one thread at a time. Read next: gguf_config.cpp, gguf_source.cpp; weight_source.h.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/gguf_file.h"
#include "formats/gguf_writer.h"
#include "models/model_config.h"
#include "models/weight_source.h"

namespace vitrine {

class GgufModel {
 public:
  struct Place {
    const GgufFile* file;
    const GgufTensor* tensor;
  };

  // Throws EngineError: what openGguf() throws; kFileCorrupt for a tensor that stands in two parts.
  explicit GgufModel(const std::filesystem::path& first) : GgufModel(openGguf(first)) {}
  explicit GgufModel(std::vector<std::unique_ptr<GgufFile>> files);

  const GgufFile& keys() const { return *m_files.front(); }
  std::vector<FileIdentity> files() const;
  const Place* find(std::string_view ggufName) const;  // null: not there
  const std::map<std::string, Place, std::less<>>& tensors() const { return m_tensors; }

  // Elements of a one-dimensional tensor of floats. Throws EngineError(kFileCorrupt) for another.
  std::vector<float> vector(std::string_view ggufName, std::int64_t length) const;

 private:
  std::vector<std::unique_ptr<GgufFile>> m_files;
  std::map<std::string, Place, std::less<>> m_tensors;
};

// Throws EngineError: kFileCorrupt naming the key or tensor, kUnsupported naming the architecture with the
// list of those that are read, or what else the decoder does not compute.
ModelConfig readGgufConfig(const GgufModel& model);

// The type that most of the weights' bytes are in: "Q4_K".
std::string commonBlockType(const GgufModel& model);

// Hugging Face's name of a tensor, "model.layers.3.self_attn.q_proj.weight"; empty for one that has none.
std::string checkpointName(std::string_view ggufName);
// The other way; empty for a name that GGUF has none for.
std::string ggufTensorName(std::string_view checkpointName);

// Where a row of q or k of a llama file stands in the file, for row `row` as the decoder has it.
std::int64_t pairedRow(std::int64_t row, std::int64_t headDim);
// Whether the rows of this tensor stand in pairs.
bool isPaired(const ModelConfig& config, std::string_view checkpointName);

// The keys that readGgufConfig() reads; the names of tensors and of tokens are not among them.
void writeGgufKeys(const ModelConfig& config, GgufWriter& writer);
// What rope_freqs.weight holds for a config: [headDim / 2]; empty when it needs none.
std::vector<float> frequencyFactors(const RopeConfig& rope, int headDim);
// The tensors that hold a config's stretching, by name; none when it needs none.
std::vector<std::pair<std::string, std::vector<float>>> ropeTensors(const RopeConfig& rope, int headDim);
// The other way: llama3's parameters, where factors are theirs. Throws EngineError(kUnsupported) for others.
RopeConfig namedStretching(const RopeConfig& rope, int headDim, const std::string& file);

std::unique_ptr<WeightSource> openGgufWeights(std::shared_ptr<const GgufModel> model,
                                              const ModelConfig& config);

}  // namespace vitrine
