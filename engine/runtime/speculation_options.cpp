// What a drafter needs of the model is checked when the engine is made, so that no step can find it missing.
#include <algorithm>

#include "runtime/engine_parts.h"

namespace vitrine {
namespace {

int chooseExitLayer(int wanted, const ModelConfig& config) {
  const std::string range = "name one with --exit-layer, from 1 to " + std::to_string(config.layers - 1);
  if (config.layers < 2)
    throw EngineError(ErrorCode::kInvalidArgument, "a model of one layer has none to leave early",
                      "draft with another model, or by n-grams");
  const int layer = wanted > 0 ? wanted : config.recommendedExitLayer;
  if (layer == 0)
    throw EngineError(ErrorCode::kInvalidArgument, "the model's config.json recommends no exit layer", range);
  if (layer >= config.layers)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--exit-layer " + std::to_string(layer) + " is not below the model's " +
                          std::to_string(config.layers) + " layers",
                      range);
  return layer;
}

}  // namespace

SpeculationOptions chooseSpeculation(const EngineParts& parts, const EngineOptions& options) {
  SpeculationOptions chosen = options.speculation;
  if (chosen.drafter == DraftMethod::kEarlyExit)
    chosen.exitLayer = chooseExitLayer(chosen.exitLayer, parts.config);
  if (chosen.drafter != DraftMethod::kModel) return chosen;
  if (!parts.draftDecoder) throw EngineError(ErrorCode::kInvalidArgument, "there is no model to draft with");
  const int drafts = parts.draftDecoder->config().vocabularySize, model = parts.config.vocabularySize;
  if (drafts != model)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "the drafting model has a vocabulary of " + std::to_string(drafts) +
                          " tokens, and the model one of " + std::to_string(model),
                      "a draft is made of the model's own tokens: choose a smaller model of the same family");
  return chosen;
}

void requireSameTokens(const Tokenizer& model, const Tokenizer& drafts) {
  const int size = std::min(model.vocabularySize(), drafts.vocabularySize());
  for (TokenId token = 0; token < size; ++token) {
    if (model.piece(token) == drafts.piece(token)) continue;
    throw EngineError(ErrorCode::kInvalidArgument,
                      "token " + std::to_string(token) + " is \"" + model.piece(token) +
                          "\" to the model and \"" + drafts.piece(token) + "\" to the drafting model",
                      "a draft is made of the model's own tokens: choose a smaller model of the same family");
  }
}

}  // namespace vitrine
