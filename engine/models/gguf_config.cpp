// From the keys of a GGUF file to a ModelConfig. Names of keys: llama.cpp's, gguf-py/gguf/constants.py.
#include <algorithm>
#include <cmath>

#include "formats/gguf_tokens.h"
#include "models/gguf_model.h"
#include "models/json_file.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

class GgufConfigReader {
 public:
  explicit GgufConfigReader(const GgufModel& model)
      : m_model(model), m_keys(model.keys()), m_architecture(architecture()) {}

  ModelConfig run() {
    refuseExperts();
    readSizes();
    readHeads();
    m_config.rmsNormEps = static_cast<float>(m_keys.number(key("attention.layer_norm_rms_epsilon")));
    readRope();
    readWindows();
    readFlags();
    readStoredType();
    readEnds();
    return std::move(m_config);
  }

 private:
  std::string architecture() const {
    const std::string name = m_keys.text("general.architecture");
    if (name == "llama" || name == "qwen2" || name == "qwen3") return name;
    m_keys.refuse("general.architecture", "is " + forMessage(name) + ", which this engine does not know",
                  "Read are llama (Llama, Mistral), qwen2 and qwen3.");
  }

  std::string key(const char* name) const { return m_architecture + "." + name; }

  void refuseExperts() const {
    if (m_keys.countOr(key("expert_count"), 0, kMaxSize) > 0)
      m_keys.refuse(key("expert_count"), "is above 0: the model is a mixture of experts",
                    "Only models with one set of weights for all tokens are read.");
  }

  void readSizes() {
    m_config.family = m_architecture;
    m_config.layers = count("block_count", kMaxLayers);
    m_config.hiddenSize = count("embedding_length", kMaxWidth);
    m_config.intermediateSize = perLayer("feed_forward_length", kMaxWidth, 0);
    m_config.contextLength = count("context_length", kMaxSize);
    const GgufModel::Place* const table = m_model.find("token_embd.weight");
    if (table == nullptr || table->tensor->shape.size() != 2)
      throw EngineError(ErrorCode::kFileCorrupt,
                        m_keys.name() + ": tensor token_embd.weight is missing, or no matrix",
                        "Take a file that holds a whole model; all parts, if it is split.");
    if (table->tensor->shape[0] > kMaxSize)
      throw EngineError(ErrorCode::kFileCorrupt,
                        m_keys.name() + ": tensor token_embd.weight has " +
                            std::to_string(table->tensor->shape[0]) + " rows",
                        "Compare the file with the one the model's authors published.");
    m_config.vocabularySize = static_cast<int>(table->tensor->shape[0]);
  }

  int count(const char* name, std::int64_t largest) const {
    return static_cast<int>(m_keys.size(key(name), largest));
  }

  // A number for all layers, or a list of one for each: the decoder's layers are all alike.
  int perLayer(const char* name, std::int64_t largest, int fallback) const {
    const std::string full = key(name);
    if (!m_keys.isList(full))
      return fallback > 0 ? static_cast<int>(m_keys.sizeOr(full, fallback, largest)) : count(name, largest);
    const std::vector<double> numbers = m_keys.numbers(full, kMaxLayers);
    for (const double number : numbers)
      if (number != numbers[0])
        m_keys.refuse(full, "differs from layer to layer", "Only models whose layers are alike are read.");
    if (numbers.empty() || numbers[0] < 1 || numbers[0] > static_cast<double>(largest))
      m_keys.fail(full, "holds no size within 1.." + std::to_string(largest));
    return static_cast<int>(numbers[0]);
  }

  void readHeads() {
    m_config.heads = perLayer("attention.head_count", kMaxHeads, 0);
    m_config.kvHeads = perLayer("attention.head_count_kv", kMaxHeads, m_config.heads);
    if (m_config.heads % m_config.kvHeads != 0)
      m_keys.fail(key("attention.head_count_kv"), "does not divide the number of attention heads");
    const std::int64_t even = m_config.hiddenSize / m_config.heads;
    m_config.headDim = static_cast<int>(m_keys.sizeOr(key("attention.key_length"), even, kMaxHeadDim));
    if (m_config.headDim < 2 || m_config.headDim > kMaxHeadDim || m_config.headDim % 2 != 0)
      m_keys.fail(key("attention.key_length"), "gives heads of " + std::to_string(m_config.headDim) +
                                                   ", but a head turns in pairs and has at most 4096");
    // A value's width does not follow the key's: the format derives both from embedding_length alone.
    const std::string values = key("attention.value_length");
    if (!m_keys.has(values) && even != m_config.headDim)
      m_keys.fail(values, "is missing, so values have the width " + std::to_string(even) +
                              ", but keys have " + std::to_string(m_config.headDim));
    for (const std::string& name : {values, key("rope.dimension_count")})
      if (m_keys.sizeOr(name, m_config.headDim, kMaxSize) != m_config.headDim)
        m_keys.refuse(name, "is not the width of a head, " + std::to_string(m_config.headDim),
                      "Only heads that are turned whole, with values as wide as keys, are read.");
  }

  void readRope() {
    RopeConfig& rope = m_config.rope;
    rope.theta = m_keys.numberOr(key("rope.freq_base"), 10000);
    rope.originalContextLength = static_cast<int>(
        m_keys.sizeOr(key("rope.scaling.original_context_length"), m_config.contextLength, kMaxSize));
    const std::string type = key("rope.scaling.type"), factor = key("rope.scaling.factor"),
                      older = key("rope.scale_linear");
    const std::string kind = m_keys.textOr(type, "linear");
    if (m_keys.has(type) && (kind == "linear" || kind == "yarn") && !m_keys.has(factor) && !m_keys.has(older))
      m_keys.fail(factor, "is missing, and " + type + " is " + forMessage(kind));
    rope.factor = m_keys.numberOr(factor, m_keys.numberOr(older, 1));
    if (kind == "linear") {
      rope.kind = rope.factor == 1 ? RopeKind::kDefault : RopeKind::kLinear;
    } else if (kind == "yarn") {
      readYarn(rope);
    } else if (kind == "longrope") {
      readLongRope(rope);
    } else if (kind != "none") {
      m_keys.refuse(key("rope.scaling.type"),
                    "is " + forMessage(kind) + ", which this engine does not compute",
                    "Known: none, linear, yarn, longrope.");
    }
    if (rope.kind == RopeKind::kDefault) rope.factor = 1;
    if (m_keys.has("vitrine.rope.llama3"))
      readLlama3(rope);
    else if (m_model.find("rope_freqs.weight") != nullptr)
      readFrequencyFactors(rope);
  }

  // llama.cpp multiplies what yarn itself puts on cos and sin by attn_factor.
  void readYarn(RopeConfig& rope) const {
    rope.kind = RopeKind::kYarn;
    if (rope.theta == 1) m_keys.fail(key("rope.freq_base"), "is 1, where yarn divides by its logarithm");
    if (m_keys.numberOr(key("rope.scaling.yarn_ext_factor"), 1) != 1)
      m_keys.refuse(key("rope.scaling.yarn_ext_factor"), "is not 1", "Only whole yarn is computed.");
    rope.betaFast = m_keys.numberOr(key("rope.scaling.yarn_beta_fast"), 32);
    rope.betaSlow = m_keys.numberOr(key("rope.scaling.yarn_beta_slow"), 1);
    rope.truncate = m_keys.flagOr("vitrine.rope.scaling.truncate", true);
    const std::string by = key("rope.scaling.attn_factor"), whole = key("rope.scaling.yarn_attn_factor");
    if (!m_keys.has(by) && !m_keys.has(whole)) return;
    const double own = rope.factor > 1 ? 1 + 0.1 * std::log(rope.factor) : 1;
    rope.attentionFactor = m_keys.numberOr(by, 1) * m_keys.numberOr(whole, own);
  }

  // As llama.cpp does it: the tensors hold the factors, and what goes on cos and sin is attn_factor alone.
  void readLongRope(RopeConfig& rope) const {
    if (rope.factor != 1)
      m_keys.refuse(key("rope.scaling.factor"), "is not 1, and " + key("rope.scaling.type") + " is longrope",
                    "Only longrope without a further stretching is computed.");
    rope.kind = RopeKind::kLongRope;
    rope.shortFactors = factorsIn("rope_factors_short.weight");
    rope.longFactors = factorsIn("rope_factors_long.weight");
    rope.factor = double(m_config.contextLength) / rope.originalContextLength;
    rope.attentionFactor = m_keys.numberOr(key("rope.scaling.attn_factor"), 1);
    rope.takesLong = m_config.contextLength > rope.originalContextLength;
  }

  // What our own converter leaves for the way back.
  void readLlama3(RopeConfig& rope) const {
    const std::vector<double> numbers = m_keys.numbers("vitrine.rope.llama3", 3);
    if (numbers.size() != 3 || !(numbers[0] > 0 && numbers[1] > 0 && numbers[2] > numbers[1]))
      m_keys.fail("vitrine.rope.llama3", "is not a factor, a low and a high frequency factor");
    rope.kind = RopeKind::kLlama3;
    rope.factor = numbers[0];
    rope.lowFrequencyFactor = numbers[1];
    rope.highFrequencyFactor = numbers[2];
  }

  // How llama.cpp keeps llama3's stretching: each frequency is divided by a number.
  void readFrequencyFactors(RopeConfig& rope) const {
    rope.frequencyFactors = factorsIn("rope_freqs.weight");
  }

  std::vector<float> factorsIn(const std::string& tensor) const {
    if (m_model.find(tensor) == nullptr)
      throw EngineError(ErrorCode::kFileCorrupt, m_keys.name() + ": tensor " + tensor + " is missing",
                        "Compare the file with the one the model's authors published.");
    std::vector<float> factors = m_model.vector(tensor, m_config.headDim / 2);
    for (const float factor : factors)
      if (!std::isfinite(factor) || factor < 1e-3f || factor > 1e6f)
        throw EngineError(ErrorCode::kFileCorrupt,
                          m_keys.name() + ": tensor " + tensor + " holds " + std::to_string(factor),
                          "Compare the file with the one the model's authors published.");
    return factors;
  }

  void readWindows() {
    const std::string window = key("attention.sliding_window"),
                      pattern = key("attention.sliding_window_pattern");
    m_config.layerSlides.assign(static_cast<std::size_t>(m_config.layers), false);
    m_config.slidingWindow = static_cast<int>(m_keys.countOr(window, 0, kMaxSize));
    if (m_config.slidingWindow == 0) return;
    if (m_architecture == "llama") m_config.family = "mistral";
    m_config.layerSlides.assign(static_cast<std::size_t>(m_config.layers), true);
    if (!m_keys.has(pattern) && m_architecture != "llama")
      m_keys.fail(pattern, "is missing, so which layers have the window is not known");
    if (!m_keys.isList(pattern)) return;
    const std::vector<double> slides = m_keys.numbers(pattern, kMaxLayers);
    if (slides.size() != m_config.layerSlides.size())
      m_keys.fail(pattern, "has " + std::to_string(slides.size()) + " entries for " +
                               std::to_string(m_config.layers) + " layers");
    for (std::size_t i = 0; i < slides.size(); ++i) m_config.layerSlides[i] = slides[i] != 0;
  }

  void readFlags() {
    m_config.tiedEmbeddings = m_model.find("output.weight") == nullptr;
    m_config.attentionBias = m_architecture == "qwen2" || m_model.find("blk.0.attn_q.bias") != nullptr;
    m_config.outputBias = m_model.find("blk.0.attn_output.bias") != nullptr;
    m_config.mlpBias = m_model.find("blk.0.ffn_gate.bias") != nullptr;
    m_config.qkNorm = m_architecture == "qwen3";
  }

  // The type of what is not in blocks: that of the first layer's matrices, float32 where they are packed.
  void readStoredType() {
    const GgufModel::Place* const place = m_model.find("blk.0.ffn_down.weight");
    const BlockType type = place == nullptr ? BlockType::kF32 : place->tensor->type;
    m_config.storedType = type == BlockType::kF16    ? DType::kF16
                          : type == BlockType::kBf16 ? DType::kBf16
                                                     : DType::kF32;
    m_config.packedType = commonBlockType(m_model);
  }

  void readEnds() {
    for (const char* name : {kGgufEosKey, "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
      const std::optional<std::int64_t> id = ggufTokenId(m_keys, name);
      if (!id) continue;
      const auto token = static_cast<std::int32_t>(std::min<std::int64_t>(*id, INT32_MAX));
      if (token < m_config.vocabularySize && std::ranges::count(m_config.eosTokens, token) == 0)
        m_config.eosTokens.push_back(token);
    }
  }

  const GgufModel& m_model;
  const GgufFile& m_keys;
  const std::string m_architecture;
  ModelConfig m_config;
};

}  // namespace

ModelConfig readGgufConfig(const GgufModel& model) { return GgufConfigReader(model).run(); }

std::string commonBlockType(const GgufModel& model) {
  std::size_t bytes[kBlockTypes] = {};
  for (const auto& [name, place] : model.tensors())
    bytes[static_cast<std::size_t>(place.tensor->type)] += place.tensor->bytes;
  return blockTypeInfo(static_cast<BlockType>(std::ranges::max_element(bytes) - bytes)).name;
}

}  // namespace vitrine
