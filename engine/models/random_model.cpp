#include "vitrine/random_model.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "models/host_tensor.h"
#include "models/json_file.h"
#include "models/random_weights.h"
#include "models/safetensors_writer.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

struct Shape {
  const char* family;
  int layers, hidden, inner, heads, kvHeads, headDim, vocabulary, context;
};

ModelConfig configOf(const Shape& shape) {
  ModelConfig config;
  config.family = shape.family;
  config.layers = shape.layers;
  config.hiddenSize = shape.hidden;
  config.intermediateSize = shape.inner;
  config.heads = shape.heads;
  config.kvHeads = shape.kvHeads;
  config.headDim = shape.headDim;
  config.vocabularySize = shape.vocabulary;
  config.contextLength = config.rope.originalContextLength = shape.context;
  config.layerSlides.assign(shape.layers, false);
  config.rmsNormEps = 1e-5f;
  config.eosTokens = {2};
  return config;
}

void refineQwen(ModelConfig& config) {
  config.rmsNormEps = 1e-6f;
  config.tiedEmbeddings = true;
  config.rope.theta = 1e6;
  config.attentionBias = config.family == "qwen2";
  config.qkNorm = config.family == "qwen3";
  config.eosTokens = {config.family == "qwen2" ? 151643 : 151645};
}

void refineLlama32(ModelConfig& config) {
  config.tiedEmbeddings = true;
  config.rope = {.kind = RopeKind::kLlama3, .theta = 5e5, .factor = 32, .originalContextLength = 8192};
  config.eosTokens = {128001};
}

void refineMistral(ModelConfig& config) {
  config.slidingWindow = 4096;
  config.layerSlides.assign(config.layers, true);
}

struct Preset {
  const char* name;
  Shape shape;
  void (*refine)(ModelConfig& config) = [](ModelConfig&) {};
};
constexpr std::array<Preset, 6> kPresets = {{
    // family, layers, hidden, inner, heads, kvHeads, headDim, vocabulary, context
    {"tiny", {"llama", 2, 64, 112, 4, 2, 16, 320, 512}},
    {"qwen2-0.5b", {"qwen2", 24, 896, 4864, 14, 2, 64, 151936, 32768}, refineQwen},
    {"qwen3-0.6b", {"qwen3", 28, 1024, 3072, 16, 8, 128, 151936, 40960}, refineQwen},
    {"llama-3.2-1b", {"llama", 16, 2048, 8192, 32, 8, 64, 128256, 131072}, refineLlama32},
    {"tinyllama-1.1b", {"llama", 22, 2048, 5632, 32, 4, 64, 32000, 2048}},
    {"mistral-7b", {"mistral", 32, 4096, 14336, 32, 8, 128, 32000, 32768}, refineMistral},
}};

json ropeJson(const RopeConfig& rope) {
  json parameters = {{"rope_theta", rope.theta}};
  const auto set = [&](const char* kind) { parameters["rope_type"] = kind; };
  switch (rope.kind) {
    case RopeKind::kDefault:
      set("default");
      return parameters;
    case RopeKind::kLinear:
      set("linear");
      break;
    case RopeKind::kDynamic:
      set("dynamic");
      break;
    case RopeKind::kLongRope:
      set("longrope");
      parameters["short_factor"] = rope.shortFactors;
      parameters["long_factor"] = rope.longFactors;
      if (rope.attentionFactor != 0) parameters["attention_factor"] = rope.attentionFactor;
      break;
    case RopeKind::kLlama3:
      set("llama3");
      parameters["low_freq_factor"] = rope.lowFrequencyFactor;
      parameters["high_freq_factor"] = rope.highFrequencyFactor;
      break;
    case RopeKind::kYarn:
      set("yarn");
      parameters["beta_fast"] = rope.betaFast;
      parameters["beta_slow"] = rope.betaSlow;
      parameters["mscale"] = rope.mscale;
      parameters["mscale_all_dim"] = rope.mscaleAllDim;
      parameters["truncate"] = rope.truncate;
      if (rope.attentionFactor != 0) parameters["attention_factor"] = rope.attentionFactor;
      break;
  }
  parameters["factor"] = rope.factor;
  parameters["original_max_position_embeddings"] = rope.originalContextLength;
  return parameters;
}

void addFamilyFields(const ModelConfig& config, json& file) {
  if (config.family == "llama") {
    file["attention_bias"] = config.attentionBias;
    file["mlp_bias"] = config.mlpBias;
  } else if (config.family == "mistral") {
    file["sliding_window"] = config.slidingWindow > 0 ? json(config.slidingWindow) : json();
  } else {
    if (config.family == "qwen3") file["attention_bias"] = config.attentionBias;
    file["use_sliding_window"] = config.slidingWindow > 0;
    if (config.slidingWindow > 0) file["sliding_window"] = config.slidingWindow;
    for (const bool slides : config.layerSlides)
      file["layer_types"].push_back(slides ? "sliding_attention" : "full_attention");
  }
}

const char* dtypeName(DType type) {
  return type == DType::kBf16 ? "bfloat16" : type == DType::kF16 ? "float16" : "float32";
}

void requireFresh(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    throw EngineError(ErrorCode::kIo, directory.string() + " cannot be created: " + error.message(),
                      "Choose a folder that can be written to.");
  if (!fs::is_empty(directory, error) || error)
    throw EngineError(ErrorCode::kInvalidArgument, directory.string() + " is not empty",
                      "Choose a new folder: a model in it would be lost.");
}

std::vector<SafetensorsSpec> specsOf(const std::vector<TensorSpec>& tensors, DType type) {
  std::vector<SafetensorsSpec> specs;
  for (const TensorSpec& tensor : tensors) {
    specs.push_back({tensor.name, type, {tensor.columns}});
    if (tensor.rows > 0) specs.back().shape.insert(specs.back().shape.begin(), tensor.rows);
  }
  return specs;
}

// A chunk at a time; `before` is called with each chunk's elements and may throw.
void writeTensor(const TensorSpec& tensor, const ModelConfig& config, std::uint64_t seed,
                 SafetensorsWriter& writer, const std::function<void(std::int64_t)>& before) {
  constexpr std::int64_t kChunk = 1 << 20;
  std::vector<float> values;
  for (std::int64_t first = 0; first < tensor.elements(); first += kChunk) {
    const std::int64_t count = std::min(kChunk, tensor.elements() - first);
    before(count);
    values.resize(count);
    fillRandomWeights(tensor, config, seed, first, values);
    const Tensor stored = convertHost(TensorView(values.data(), DType::kF32, {count}), config.storedType);
    writer.write(
        {static_cast<const std::byte*>(stored.view().data()), count * dtypeBytes(config.storedType)});
  }
}

}  // namespace

std::string configJson(const ModelConfig& config) {
  const std::string type = config.family;
  const std::string title = type == "llama"   ? "Llama"
                            : type == "qwen2" ? "Qwen2"
                            : type == "qwen3" ? "Qwen3"
                                              : "Mistral";
  json file = {{"architectures", {title + "ForCausalLM"}},
               {"model_type", type},
               {"vocab_size", config.vocabularySize},
               {"hidden_size", config.hiddenSize},
               {"intermediate_size", config.intermediateSize},
               {"num_hidden_layers", config.layers},
               {"num_attention_heads", config.heads},
               {"num_key_value_heads", config.kvHeads},
               {"head_dim", config.headDim},
               {"hidden_act", "silu"},
               {"max_position_embeddings", config.contextLength},
               {"rms_norm_eps", config.rmsNormEps},
               {"tie_word_embeddings", config.tiedEmbeddings},
               {"rope_parameters", ropeJson(config.rope)},
               {"dtype", dtypeName(config.storedType)},
               {"eos_token_id", config.eosTokens}};
  addFamilyFields(config, file);
  return file.dump(2) + "\n";
}

void writeRandomModel(const ModelConfig& config, const fs::path& directory, std::uint64_t seed,
                      const std::function<bool(double, const char*)>& progress) {
  requireFresh(directory);
  const std::vector<TensorSpec> tensors = checkpointTensors(config);
  SafetensorsWriter weights(directory / "model.safetensors", specsOf(tensors, config.storedType));
  const double total = static_cast<double>(config.parameters());
  std::int64_t done = 0;
  for (const TensorSpec& tensor : tensors)
    writeTensor(tensor, config, seed, weights, [&](std::int64_t elements) {
      if (progress && !progress(static_cast<double>(done) / total, "weights"))
        throw EngineError(ErrorCode::kCancelled, "writing the model was cancelled");
      done += elements;
    });
  OutputFile description(directory / "config.json");
  description.write(configJson(config));
  weights.finish();
  // Last, so that a directory with a config.json is a whole model.
  description.finish();
  if (progress) progress(1.0, "weights");
}

std::vector<std::string> randomModelPresets() {
  std::vector<std::string> names;
  for (const Preset& preset : kPresets) names.push_back(preset.name);
  return names;
}

ModelConfig randomModelConfig(std::string_view preset) {
  std::string names;
  for (const Preset& known : kPresets) {
    if (preset == known.name) {
      ModelConfig config = configOf(known.shape);
      known.refine(config);
      return config;
    }
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  throw EngineError(ErrorCode::kInvalidArgument, "no random model is called " + forMessage(preset),
                    "Known: " + names + ".");
}

void makeRandomModel(std::string_view preset, const fs::path& directory, const RandomModelOptions& options,
                     const std::function<bool(double fraction, const char* what)>& progress) {
  ModelConfig config = randomModelConfig(preset);
  config.storedType = options.type == RandomModelType::kF32   ? DType::kF32
                      : options.type == RandomModelType::kF16 ? DType::kF16
                                                              : DType::kBf16;
  writeRandomModel(config, directory, options.seed, progress);
}

}  // namespace vitrine
