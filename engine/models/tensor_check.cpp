#include "models/tensor_check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "models/tensor_names.h"
#include "vitrine/error.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

constexpr std::size_t kNamed = 3;  // tensors that a message names

enum class Use { kNone, kIgnored, kDraftHead, kUnknown };

// Parts beside the decoder, by the first word of a name, behind "model." or not. Single letters are those of
// GGUF files that see (v, mm) and hear (a).
constexpr std::array<std::string_view, 5> kDraftHeads = {"mtp", "nextn", "eagle", "medusa", "medusa_head"};
constexpr std::array<std::string_view, 21> kPartsBeside = {"visual",
                                                           "vision",
                                                           "vision_model",
                                                           "vision_tower",
                                                           "vision_embed_tokens",
                                                           "vision_projection",
                                                           "multi_modal_projector",
                                                           "mm_projector",
                                                           "image_newline",
                                                           "audio",
                                                           "audio_tower",
                                                           "audio_encoder",
                                                           "v",
                                                           "mm",
                                                           "a",
                                                           "score",
                                                           "classifier",
                                                           "cls",
                                                           "v_head",
                                                           "value_head",
                                                           "reward_head"};
// Words within a layer behind the last one that say it drafts tokens.
constexpr std::array<std::string_view, 7> kDraftWords = {
    ".nextn.", ".eh_proj.", ".enorm.", ".hnorm.", ".shared_head.", ".mtp", ".embed_tokens."};

// The number in "model.layers.3.rest" or "blk.3.rest"; none for a name that is not of a layer.
std::optional<std::int64_t> layerOf(std::string_view name) {
  for (const std::string_view prefix : {std::string_view("model.layers."), std::string_view("blk.")}) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view rest = name.substr(prefix.size());
    std::int64_t layer = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), layer);
    const bool plain = error == std::errc() && layer >= 0 && end != rest.data() + rest.size() && *end == '.';
    if (plain) return layer;
  }
  return {};
}

// What old versions of transformers saved along, and the head of a model whose head is its embedding.
bool isHarmless(std::string_view name, const ModelConfig& config) {
  return name.ends_with("rotary_emb.inv_freq") || name.ends_with(".masked_bias") ||
         (config.tiedEmbeddings && name == kHeadName);
}

Use useOf(std::string_view name, const ModelConfig& config) {
  if (isHarmless(name, config)) return Use::kNone;
  if (const auto layer = layerOf(name)) {
    if (*layer < config.layers) return Use::kUnknown;
    const bool drafts = std::ranges::any_of(
        kDraftWords, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
    return drafts ? Use::kDraftHead : Use::kIgnored;
  }
  if (constexpr std::string_view kModel = "model."; name.starts_with(kModel))
    name.remove_prefix(kModel.size());
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return Use::kUnknown;
  const std::string_view part = name.substr(0, dot);
  if (std::ranges::count(kDraftHeads, part) > 0) return Use::kDraftHead;
  return std::ranges::count(kPartsBeside, part) > 0 ? Use::kIgnored : Use::kUnknown;
}

std::set<std::string, std::less<>> requireAll(const ModelConfig& config, const WeightSource& source) {
  if (!config.tiedEmbeddings && !source.has(kHeadName)) {
    const std::string elsewhere = source.foundElsewhere(kHeadName);
    throw EngineError(
        ErrorCode::kFileCorrupt,
        std::string("the checkpoint lacks ") + kHeadName + ", and config.json does not tie the embeddings",
        !elsewhere.empty()
            ? elsewhere
            : "A model that only makes embeddings has no head and can say nothing. If the head is "
              "the embedding, config.json must say tie_word_embeddings: true.");
  }
  std::set<std::string, std::less<>> known;
  for (const TensorSpec& tensor : checkpointTensors(config)) {
    if (tensor.rows == 0) {
      source.require(tensor.name, {tensor.columns});
    } else {
      source.require(tensor.name, {tensor.rows, tensor.columns});
    }
    known.insert(tensor.name);
  }
  return known;
}

[[noreturn]] void refuse(const std::vector<std::string>& unknown, const ModelConfig& config,
                         const WeightSource& source) {
  std::string names;
  for (std::size_t i = 0; i < std::min(unknown.size(), kNamed); ++i)
    names += (i > 0 ? ", " : "") + forMessage(source.nameInFile(unknown[i]));
  if (unknown.size() > kNamed) names += " and " + std::to_string(unknown.size() - kNamed) + " more";
  throw EngineError(ErrorCode::kFileCorrupt,
                    "the model has tensors that a " + config.family + " of " + std::to_string(config.layers) +
                        (config.layers == 1 ? " layer" : " layers") + " does not compute with: " + names,
                    "Without them its answers would be others. " + source.whatDescribesIt() +
                        " and the weights do not belong together, or the architecture is another.");
}

}  // namespace

IgnoredTensors checkTensors(const ModelConfig& config, const WeightSource& source) {
  const auto known = requireAll(config, source);
  IgnoredTensors ignored;
  ignored.tieIgnored = config.tieIgnored;
  std::vector<std::string> unknown;
  for (const std::string& name : source.names()) {
    if (known.contains(name)) continue;
    const Use use = useOf(name, config);
    if (use == Use::kNone) continue;
    if (use == Use::kUnknown) {
      unknown.push_back(name);
      continue;
    }
    if (static_cast<std::size_t>(ignored.count++) < kNamed)
      ignored.first.push_back(forMessage(source.nameInFile(name)));
    ignored.draftHead = ignored.draftHead || use == Use::kDraftHead;
  }
  if (!unknown.empty()) refuse(unknown, config, source);
  return ignored;
}

}  // namespace vitrine
