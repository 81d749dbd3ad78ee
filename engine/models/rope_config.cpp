#include "models/rope_config.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/json_file.h"

namespace vitrine {
namespace {

constexpr const char* kKnownKinds = "Known: default, linear, dynamic, llama3, yarn, longrope.";

bool isFilledObject(const ConfigReader& config, const char* field) {
  return config.has(field) && !(config.raw().at(field).is_object() && config.raw().at(field).empty());
}

// rope_parameters may hold one set a layer type; the decoder turns every layer alike, so they must agree.
std::optional<ConfigReader> uniformSet(const ConfigReader& sets) {
  std::optional<std::string> first;
  for (const auto& [name, set] : sets.raw().items()) {
    if (name != "full_attention" && name != "sliding_attention") return {};
    if (set.is_null()) continue;
    if (first && sets.raw().at(*first) != set)
      sets.unsupported(name.c_str(), "differs from " + *first,
                       "Layers that turn differently are not supported.");
    first = name;
  }
  if (!first) return {};
  return sets.object(first->c_str());
}

RopeKind readKind(const ConfigReader& rope) {
  const char* field = rope.has("rope_type") ? "rope_type" : "type";
  if (!rope.has(field) && rope.has("factor"))
    rope.corrupt("rope_type", "is missing, so what its factor does is not known");
  const std::string kind = rope.text(field, "default");
  if (kind == "default" || kind == "none") return RopeKind::kDefault;
  if (kind == "linear") return RopeKind::kLinear;
  if (kind == "dynamic") return RopeKind::kDynamic;
  if (kind == "llama3") return RopeKind::kLlama3;
  if (kind == "yarn") return RopeKind::kYarn;
  if (kind == "longrope") return RopeKind::kLongRope;
  rope.unsupported(field, "is " + forMessage(kind) + ", which this engine does not compute", kKnownKinds);
}

void readLlama3(const ConfigReader& rope, RopeConfig& result) {
  result.factor = rope.number("factor");
  result.lowFrequencyFactor = rope.number("low_freq_factor");
  result.highFrequencyFactor = rope.number("high_freq_factor");
  if (result.highFrequencyFactor <= result.lowFrequencyFactor)
    rope.corrupt("high_freq_factor", "is not above low_freq_factor");
}

// A factor that is null is how far the context was stretched. One that is left out is an error, as for
// transformers.
void readYarn(const ConfigReader& rope, int contextLength, bool knowsOriginal, RopeConfig& result) {
  if (result.theta == 1) rope.corrupt("rope_theta", "is 1, where yarn divides by its logarithm");
  if (!rope.mentions("factor") || (!rope.has("factor") && !knowsOriginal))
    rope.corrupt("factor", "is missing");
  result.factor = rope.numberOr("factor", double(contextLength) / result.originalContextLength);
  if (rope.has("attention_factor")) result.attentionFactor = rope.number("attention_factor");
  // A 0 counts as not said, as it does for transformers.
  const double fast = rope.numberOrZero("beta_fast"), slow = rope.numberOrZero("beta_slow");
  result.betaFast = fast > 0 ? fast : 32;
  result.betaSlow = slow > 0 ? slow : 1;
  result.mscale = rope.numberOrZero("mscale");
  result.mscaleAllDim = rope.numberOrZero("mscale_all_dim");
  result.truncate = rope.flag("truncate", true);
}

std::vector<float> readFactors(const ConfigReader& rope, const char* field, int headDim) {
  if (!rope.has(field)) rope.corrupt(field, "is missing");
  std::vector<float> factors;
  for (const nlohmann::json& factor : rope.raw().at(field)) {
    if (!factor.is_number() || !(factor.get<double>() >= 1e-3 && factor.get<double>() <= 1e6))
      rope.corrupt(field, "is not a list of positive numbers");
    factors.push_back(factor.get<float>());
  }
  if (factors.size() != static_cast<std::size_t>(headDim / 2))
    rope.corrupt(field, "has " + std::to_string(factors.size()) + " numbers for the " +
                            std::to_string(headDim / 2) + " pairs of a head");
  return factors;
}

// The attention factor follows from how far the context was stretched.
void readLongRope(const ConfigReader& rope, int contextLength, int headDim, bool knowsOriginal,
                  RopeConfig& result) {
  if (!knowsOriginal) rope.corrupt("original_max_position_embeddings", "is missing");
  if (result.originalContextLength < 2)
    rope.corrupt("original_max_position_embeddings", "is 1, where longrope divides by its logarithm");
  result.shortFactors = readFactors(rope, "short_factor", headDim);
  result.longFactors = readFactors(rope, "long_factor", headDim);
  result.factor = rope.numberOr("factor", double(contextLength) / result.originalContextLength);
  if (rope.has("attention_factor")) result.attentionFactor = rope.number("attention_factor");
  result.takesLong = contextLength > result.originalContextLength;
}

RopeConfig readParameters(const ConfigReader& config, const ConfigReader& rope, int contextLength,
                          int headDim) {
  RopeConfig result;
  result.kind = readKind(rope);
  for (const ConfigReader* one : {&rope, &config}) one->refuseNull("rope_theta");
  result.theta = rope.has("rope_theta") ? rope.number("rope_theta") : config.numberOr("rope_theta", 10000);
  const ConfigReader& partial = rope.has("partial_rotary_factor") ? rope : config;
  if (partial.numberOr("partial_rotary_factor", 1) != 1)
    partial.unsupported("partial_rotary_factor", "is not 1", "Only whole heads are turned.");
  // A value beside the set overrides the value inside it, as in transformers.
  const ConfigReader& original = config.has("original_max_position_embeddings") ? config : rope;
  result.originalContextLength = original.sizeOr("original_max_position_embeddings", contextLength);
  if (result.kind == RopeKind::kLinear || result.kind == RopeKind::kDynamic)
    result.factor = rope.number("factor");
  if (result.kind == RopeKind::kLlama3) readLlama3(rope, result);
  if (result.kind == RopeKind::kYarn)
    readYarn(rope, contextLength, original.has("original_max_position_embeddings"), result);
  if (result.kind == RopeKind::kLongRope)
    readLongRope(rope, contextLength, headDim, original.has("original_max_position_embeddings"), result);
  return result;
}

}  // namespace

RopeConfig readRope(const ConfigReader& config, int contextLength, int headDim) {
  // If both spellings are there, a filled rope_scaling overrides the newer one, as in transformers.
  for (const char* field : {"rope_scaling", "rope_parameters"}) {
    if (!isFilledObject(config, field)) continue;
    const ConfigReader rope = config.object(field);
    if (const auto uniform = uniformSet(rope))
      return readParameters(config, *uniform, contextLength, headDim);
    return readParameters(config, rope, contextLength, headDim);
  }
  static const nlohmann::json nothing = nlohmann::json::object();
  return readParameters(config, ConfigReader(nothing, ""), contextLength, headDim);
}

}  // namespace vitrine
