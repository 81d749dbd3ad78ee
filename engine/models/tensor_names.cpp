#include "models/tensor_names.h"

namespace vitrine {
namespace {

void addProjection(std::vector<TensorSpec>& all, const TensorSpec& projection, bool bias) {
  all.push_back({projection.name + ".weight", projection.rows, projection.columns});
  if (bias) all.push_back({projection.name + ".bias", 0, projection.rows});
}

void addLayer(std::vector<TensorSpec>& all, const std::string& prefix, const ModelConfig& c) {
  const std::int64_t hidden = c.hiddenSize, inner = c.intermediateSize, headDim = c.headDim;
  const std::int64_t queryWidth = c.heads * headDim, kvWidth = c.kvHeads * headDim;
  all.push_back({prefix + "input_layernorm.weight", 0, hidden});
  addProjection(all, {prefix + "self_attn.q_proj", queryWidth, hidden}, c.attentionBias);
  addProjection(all, {prefix + "self_attn.k_proj", kvWidth, hidden}, c.attentionBias);
  addProjection(all, {prefix + "self_attn.v_proj", kvWidth, hidden}, c.attentionBias);
  if (c.qkNorm) {
    all.push_back({prefix + "self_attn.q_norm.weight", 0, headDim});
    all.push_back({prefix + "self_attn.k_norm.weight", 0, headDim});
  }
  addProjection(all, {prefix + "self_attn.o_proj", hidden, queryWidth}, c.outputBias);
  all.push_back({prefix + "post_attention_layernorm.weight", 0, hidden});
  addProjection(all, {prefix + "mlp.gate_proj", inner, hidden}, c.mlpBias);
  addProjection(all, {prefix + "mlp.up_proj", inner, hidden}, c.mlpBias);
  addProjection(all, {prefix + "mlp.down_proj", hidden, inner}, c.mlpBias);
}

}  // namespace

std::string layerPrefix(int layer) { return "model.layers." + std::to_string(layer) + "."; }

std::vector<TensorSpec> checkpointTensors(const ModelConfig& config) {
  std::vector<TensorSpec> all;
  all.push_back({kEmbeddingName, config.vocabularySize, config.hiddenSize});
  for (int layer = 0; layer < config.layers; ++layer) addLayer(all, layerPrefix(layer), config);
  all.push_back({kFinalNormName, 0, config.hiddenSize});
  if (!config.tiedEmbeddings) all.push_back({kHeadName, config.vocabularySize, config.hiddenSize});
  return all;
}

}  // namespace vitrine
