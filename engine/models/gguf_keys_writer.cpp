// A ModelConfig as the keys of a GGUF file; gguf_config.cpp reads them back.
#include <algorithm>
#include <cmath>

#include "formats/gguf_writer.h"
#include "models/gguf_model.h"
#include "models/rope.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

class KeysWriter {
 public:
  KeysWriter(const ModelConfig& config, GgufWriter& writer)
      : m_config(config),
        m_writer(writer),
        m_architecture(config.family == "mistral" ? "llama" : config.family) {}

  void run() {
    m_writer.text("general.architecture", m_architecture);
    number("block_count", m_config.layers);
    number("context_length", m_config.contextLength);
    number("embedding_length", m_config.hiddenSize);
    number("feed_forward_length", m_config.intermediateSize);
    number("attention.head_count", m_config.heads);
    number("attention.head_count_kv", m_config.kvHeads);
    number("attention.key_length", m_config.headDim);
    number("attention.value_length", m_config.headDim);
    number("vocab_size", m_config.vocabularySize);
    real("attention.layer_norm_rms_epsilon", m_config.rmsNormEps);
    writeRope();
    writeWindows();
  }

 private:
  std::string key(const char* name) const { return m_architecture + "." + name; }
  void number(const char* name, int value) { m_writer.number(key(name), static_cast<std::uint32_t>(value)); }
  void real(const char* name, double value) { m_writer.real(key(name), static_cast<float>(value)); }

  // GGUF has no dynamic kind: within the model's context it stretches nothing (rope.h).
  void writeRope() {
    const RopeConfig& rope = m_config.rope;
    real("rope.freq_base", rope.theta);
    number("rope.dimension_count", m_config.headDim);
    if (rope.kind == RopeKind::kLinear || rope.kind == RopeKind::kYarn) {
      m_writer.text(key("rope.scaling.type"), rope.kind == RopeKind::kYarn ? "yarn" : "linear");
      real("rope.scaling.factor", rope.factor);
    }
    if (rope.kind == RopeKind::kLinear) return;
    if (rope.kind == RopeKind::kYarn || rope.kind == RopeKind::kLlama3 || rope.kind == RopeKind::kLongRope)
      number("rope.scaling.original_context_length", rope.originalContextLength);
    if (rope.kind == RopeKind::kYarn) writeYarn();
    if (rope.kind == RopeKind::kLongRope) {
      m_writer.text(key("rope.scaling.type"), "longrope");
      real("rope.scaling.attn_factor", ropeFrequencies(rope, m_config.headDim).attentionScaling);
    }
    if (rope.kind == RopeKind::kLlama3) {
      // rope_freqs.weight says what they do; these say what they are.
      const float numbers[] = {static_cast<float>(rope.factor), static_cast<float>(rope.lowFrequencyFactor),
                               static_cast<float>(rope.highFrequencyFactor)};
      m_writer.reals("vitrine.rope.llama3", numbers);
    }
  }

  // A reader multiplies what yarn itself puts on cos and sin by attn_factor.
  void writeYarn() {
    const RopeConfig& rope = m_config.rope;
    real("rope.scaling.yarn_beta_fast", rope.betaFast);
    real("rope.scaling.yarn_beta_slow", rope.betaSlow);
    const double own = rope.factor > 1 ? 1 + 0.1 * std::log(rope.factor) : 1;
    const double whole = static_cast<double>(ropeFrequencies(rope, m_config.headDim).attentionScaling);
    if (std::abs(whole - own) > 1e-6) real("rope.scaling.attn_factor", whole / own);
    if (!rope.truncate) m_writer.flag("vitrine.rope.scaling.truncate", false);
  }

  void writeWindows() {
    if (m_config.slidingWindow == 0) return;
    number("attention.sliding_window", m_config.slidingWindow);
    m_writer.flags(key("attention.sliding_window_pattern"), m_config.layerSlides);
  }

  const ModelConfig& m_config;
  GgufWriter& m_writer;
  const std::string m_architecture;
};

}  // namespace

void writeGgufKeys(const ModelConfig& config, GgufWriter& writer) { KeysWriter(config, writer).run(); }

std::vector<float> frequencyFactors(const RopeConfig& rope, int headDim) {
  if (!rope.frequencyFactors.empty()) return rope.frequencyFactors;
  if (rope.kind != RopeKind::kLlama3) return {};
  RopeConfig plain;
  plain.theta = rope.theta;
  const RopeFrequencies before = ropeFrequencies(plain, headDim), after = ropeFrequencies(rope, headDim);
  std::vector<float> factors;
  for (std::size_t i = 0; i < before.inverse.size(); ++i)
    factors.push_back(before.inverse[i] / after.inverse[i]);
  return factors;
}

std::vector<std::pair<std::string, std::vector<float>>> ropeTensors(const RopeConfig& rope, int headDim) {
  if (rope.kind == RopeKind::kLongRope)
    return {{"rope_factors_long.weight", rope.longFactors}, {"rope_factors_short.weight", rope.shortFactors}};
  std::vector<float> factors = frequencyFactors(rope, headDim);
  if (factors.empty()) return {};
  return {{"rope_freqs.weight", std::move(factors)}};
}

RopeConfig namedStretching(const RopeConfig& rope, int headDim, const std::string& file) {
  if (rope.frequencyFactors.empty()) return rope;
  RopeConfig llama3 = rope;
  llama3.frequencyFactors.clear();
  llama3.kind = RopeKind::kLlama3;
  llama3.factor = std::round(*std::ranges::max_element(rope.frequencyFactors));
  // As Llama 3.1, 3.2 and 3.3 have them.
  llama3.lowFrequencyFactor = 1;
  llama3.highFrequencyFactor = 4;
  llama3.originalContextLength = 8192;
  const std::vector<float> wanted = ropeFrequencies(rope, headDim).inverse,
                           got = ropeFrequencies(llama3, headDim).inverse;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (std::abs(got[i] - wanted[i]) > 1e-5f * wanted[i])
      throw EngineError(
          ErrorCode::kUnsupported,
          file + ": tensor rope_freqs.weight stretches frequencies as no rope_type of a config.json does",
          "Use the GGUF file itself.");
  return llama3;
}

}  // namespace vitrine
