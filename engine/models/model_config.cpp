#include "models/model_config.h"

#include <nlohmann/json.hpp>

#include "formats/stand_in.h"
#include "models/config_reader.h"
#include "models/family.h"
#include "models/gguf_model.h"
#include "models/json_file.h"
#include "models/rope_config.h"
#include "models/tensor_names.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/model_place.h"

namespace vitrine {
namespace {

using json = nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 4 << 20;

void readHeads(const ConfigReader& reader, const Family& family, ModelConfig& config) {
  config.heads = reader.size("num_attention_heads", kMaxHeads);
  const bool defaulted = !reader.mentions("num_key_value_heads") && family.kvHeads > 0;
  config.kvHeads = reader.sizeOr("num_key_value_heads", defaulted ? family.kvHeads : config.heads, kMaxHeads);
  if (config.heads % config.kvHeads != 0)
    reader.corrupt("num_key_value_heads", "is " + std::to_string(config.kvHeads) +
                                              ", which does not divide the " + std::to_string(config.heads) +
                                              " attention heads");
  if (family.headDim > 0) reader.refuseNull("head_dim");
  if (reader.has("head_dim")) {
    config.headDim = reader.size("head_dim", kMaxHeadDim);
  } else if (family.headDim > 0) {
    config.headDim = family.headDim;
  } else if (config.hiddenSize % config.heads != 0) {
    reader.corrupt("num_attention_heads", "is " + std::to_string(config.heads) +
                                              ", which does not divide hidden_size " +
                                              std::to_string(config.hiddenSize));
  } else {
    config.headDim = config.hiddenSize / config.heads;
  }
  if (config.headDim > kMaxHeadDim) reader.corrupt("hidden_size", "gives heads wider than 4096");
  if (config.headDim % 2 != 0)
    reader.corrupt("head_dim", "is " + std::to_string(config.headDim) + ", but a head turns in pairs");
}

// MLX's converter writes "quantization", and the same again as "quantization_config" without a method's name.
void refuseMlx(const ConfigReader& reader) {
  for (const char* field : {"quantization", "quantization_config"}) {
    if (!reader.has(field)) continue;
    const nlohmann::json& said = reader.raw()[field];
    if (!said.is_object() || !said.contains("bits") || said.contains("quant_method")) continue;
    reader.unsupported(field,
                       "says that these are MLX " + forMessage(said["bits"].dump()) +
                           "-bit weights, which are for Apple's machines",
                       "Use the model's float32, bf16 or f16 files, or a GGUF file.");
  }
}

void refuseUnknownParts(const ConfigReader& reader) {
  const std::string activation = reader.text("hidden_act", "silu");
  if (activation != "silu" && activation != "swish")
    reader.unsupported("hidden_act", "is " + forMessage(activation), "Only silu is known.");
  refuseMlx(reader);
  if (!reader.has("quantization_config")) return;
  const std::string method = reader.object("quantization_config").text("quant_method", "of an unnamed kind");
  reader.unsupported("quantization_config", "says the weights are quantised: " + forMessage(method),
                     "Use the model's float32, bf16 or f16 files.");
}

DType readStoredType(const ConfigReader& reader) {
  const char* field = reader.has("dtype") ? "dtype" : "torch_dtype";
  const std::string name = reader.text(field, "float32");
  if (name == "float32" || name == "auto") return DType::kF32;
  if (name == "bfloat16") return DType::kBf16;
  if (name == "float16") return DType::kF16;
  reader.unsupported(field, "is " + forMessage(name), "Known: float32, bfloat16, float16.");
}

// Ids outside the vocabulary are dropped: some files say -1 for "none", and such a token can never be drawn.
void addEosTokens(const ConfigReader& reader, ModelConfig& config) {
  for (const std::int64_t id : reader.integers("eos_token_id")) {
    if (id < 0 || id >= config.vocabularySize) continue;
    const auto token = static_cast<std::int32_t>(id);
    if (std::find(config.eosTokens.begin(), config.eosTokens.end(), token) == config.eosTokens.end())
      config.eosTokens.push_back(token);
  }
}

ModelConfig readConfig(const ConfigReader& reader) {
  const Family& family = recogniseFamily(reader);
  for (const char* field : {"hidden_act", "max_position_embeddings", "rms_norm_eps"})
    reader.refuseNull(field);
  refuseUnknownParts(reader);
  ModelConfig config;
  config.family = family.name;
  config.layers = reader.size("num_hidden_layers", kMaxLayers);
  config.hiddenSize = reader.size("hidden_size", kMaxWidth);
  config.intermediateSize = reader.size("intermediate_size", kMaxWidth);
  config.vocabularySize = reader.size("vocab_size");
  config.contextLength = reader.sizeOr("max_position_embeddings", family.contextLength);
  readHeads(reader, family, config);
  config.rmsNormEps = static_cast<float>(reader.numberOr("rms_norm_eps", 1e-6));
  config.tiedEmbeddings = reader.flag("tie_word_embeddings", false);
  config.rope = readRope(reader, config.contextLength, config.headDim);
  config.storedType = readStoredType(reader);
  config.layerSlides.assign(config.layers, false);
  family.read(reader, config);
  if (reader.has("vitrine"))
    config.recommendedExitLayer =
        reader.object("vitrine").countOr("recommended_exit_layer", 0, config.layers - 1);
  addEosTokens(reader, config);
  if (!reader.mentions("eos_token_id") && family.eosToken >= 0 && family.eosToken < config.vocabularySize)
    config.eosTokens.push_back(family.eosToken);
  return config;
}

}  // namespace

std::int64_t ModelConfig::parameters() const {
  std::int64_t count = 0;
  for (const TensorSpec& tensor : checkpointTensors(*this)) count += tensor.elements();
  return count;
}

ModelConfig parseModelConfig(std::string_view text, std::string_view fileName) {
  const json parsed = parseJsonObject(text, fileName);
  return readConfig(ConfigReader(parsed, fileName));
}

ModelConfig loadModelConfig(const std::filesystem::path& model) {
  const std::filesystem::path modelDirectory = modelPlace(model);
  if (isModelFile(modelDirectory)) return readGgufConfig(GgufModel(modelDirectory));
  std::error_code failure;
  // A loop of symbolic links is reported with its name when config.json is read.
  if (!std::filesystem::is_directory(modelDirectory, failure) &&
      failure != std::errc::too_many_symbolic_link_levels)
    throw EngineError(ErrorCode::kFileNotFound, modelDirectory.string() + " is no directory",
                      "Point --model at a Hugging Face model directory or a GGUF file.");
  const std::filesystem::path path = modelDirectory / "config.json";
  ModelConfig config = parseModelConfig(readModelText(path, kMaxConfigBytes), path.string());
  const std::filesystem::path generation = modelDirectory / "generation_config.json";
  if (isThere(generation)) {
    const json parsed = parseJsonObject(readModelText(generation, kMaxConfigBytes), generation.string());
    addEosTokens(ConfigReader(parsed, generation.string()), config);
  }
  return config;
}

}  // namespace vitrine
