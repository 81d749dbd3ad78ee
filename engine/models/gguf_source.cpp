// Tensors of a GGUF file under the decoder's names, packed as they are.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "models/gguf_model.h"
#include "models/host_tensor.h"
#include "models/json_file.h"
#include "models/safetensors.h"
#include "models/tensor_names.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;
constexpr std::array<Pair, 3> kOuter = {{{"token_embd.weight", kEmbeddingName},
                                         {"output_norm.weight", kFinalNormName},
                                         {"output.weight", kHeadName}}};
// Behind "blk.3." and "model.layers.3."; each may be a weight or a bias.
constexpr std::array<Pair, 11> kInner = {{{"attn_norm", "input_layernorm"},
                                          {"attn_q", "self_attn.q_proj"},
                                          {"attn_k", "self_attn.k_proj"},
                                          {"attn_v", "self_attn.v_proj"},
                                          {"attn_q_norm", "self_attn.q_norm"},
                                          {"attn_k_norm", "self_attn.k_norm"},
                                          {"attn_output", "self_attn.o_proj"},
                                          {"ffn_norm", "post_attention_layernorm"},
                                          {"ffn_gate", "mlp.gate_proj"},
                                          {"ffn_up", "mlp.up_proj"},
                                          {"ffn_down", "mlp.down_proj"}}};

// The name of one side in the other's words; `from` and `to` choose the halves of the tables.
template <typename From, typename To>
std::string translated(std::string_view name, std::string_view before, std::string_view after, From from,
                       To to) {
  for (const Pair& pair : kOuter)
    if (from(pair) == name) return std::string(to(pair));
  if (!name.starts_with(before)) return {};
  const std::size_t dot = name.find('.', before.size());
  const std::size_t last = name.rfind('.');
  if (dot == std::string_view::npos || last <= dot) return {};
  const std::string_view number = name.substr(before.size(), dot - before.size()),
                         stem = name.substr(dot + 1, last - dot - 1), kind = name.substr(last);
  int layer = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), layer);
  const bool plain = error == std::errc() && end == number.data() + number.size() &&
                     std::to_string(layer) == number && (kind == ".weight" || kind == ".bias");
  if (!plain) return {};
  for (const Pair& pair : kInner)
    if (from(pair) == stem)
      return std::string(after) + std::string(number) + "." + std::string(to(pair)) + std::string(kind);
  return {};
}

std::string_view first(const Pair& pair) { return pair.first; }
std::string_view second(const Pair& pair) { return pair.second; }

class GgufSource final : public WeightSource {
 public:
  GgufSource(std::shared_ptr<const GgufModel> model, const ModelConfig& config)
      : m_model(std::move(model)), m_config(config) {
    for (const auto& [name, place] : m_model->tensors()) {
      if (name == "rope_freqs.weight") continue;  // the config has them
      if (config.rope.kind == RopeKind::kLongRope && name.starts_with("rope_factors_"))
        continue;  // these, too
      const std::string known = checkpointName(name);
      if (!m_tensors.emplace(known.empty() ? name : known, place).second)
        throw EngineError(
            ErrorCode::kFileCorrupt,
            place.file->name() + ": tensor " + forMessage(name) + " stands there under two names",
            "Compare the file with the one the model's authors published.");
    }
  }

  bool has(std::string_view name) const override { return m_tensors.find(name) != m_tensors.end(); }
  void require(std::string_view name, std::initializer_list<std::int64_t> shape) const override {
    find(name, shape);
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, place] : m_tensors) all.push_back(name);
    return all;
  }
  std::string nameInFile(std::string_view name) const override {
    const auto found = m_tensors.find(name);
    return found == m_tensors.end() ? shownName(name) : found->second.tensor->name;
  }
  std::string whatDescribesIt() const override { return "The file's keys"; }
  BlockType storedType(std::string_view name) const override {
    return m_tensors.find(name)->second.tensor->type;
  }
  std::vector<FileIdentity> files() const override { return m_model->files(); }
  bool keepsBlocks() const override { return true; }

  WeightRows rows(std::string_view name, std::initializer_list<std::int64_t> shape) const override {
    VITRINE_CHECK(shape.size() == 2);
    const GgufModel::Place& place = find(name, shape);
    return {place.tensor->type, *shape.begin(), *(shape.begin() + 1),
            [this, &place, paired = isPaired(m_config, name)](std::int64_t first, std::span<std::byte> out) {
              if (paired)
                readPaired(place, first, out);
              else
                place.file->read(*place.tensor, static_cast<std::size_t>(first) * rowBytesOf(place), out);
            }};
  }

  Tensor get(std::string_view name, std::initializer_list<std::int64_t> shape) const override {
    const GgufModel::Place& place = find(name, shape);
    const BlockType type = place.tensor->type;
    Tensor tensor = m_memory.allocate(dtypeOf(type), shape);  // float32 for blocks
    const Tensor blocks = isFloat(type) ? Tensor() : allocate(place.tensor->bytes);
    const std::span bytes(
        static_cast<std::byte*>(isFloat(type) ? tensor.view().data() : blocks.view().data()),
        place.tensor->bytes);
    if (isPaired(m_config, name))
      readPaired(place, 0, bytes);
    else
      place.file->read(*place.tensor, 0, bytes);
    if (!isFloat(type))
      decodeBlocks(type, bytes.data(),
                   {tensor.view().f32(), static_cast<std::size_t>(tensor.view().elements())});
    return tensor;
  }

 private:
  const GgufModel::Place& find(std::string_view name, std::initializer_list<std::int64_t> shape) const {
    const auto found = m_tensors.find(name);
    if (found == m_tensors.end())
      throw EngineError(ErrorCode::kFileCorrupt,
                        m_model->keys().name() + ": tensor " + shownName(name) + " is missing",
                        "Take a file that holds a whole model; all parts, if it is split.");
    const GgufModel::Place& place = found->second;
    if (!std::ranges::equal(shape, place.tensor->shape))
      throw EngineError(ErrorCode::kFileCorrupt,
                        place.file->name() + ": tensor " + forMessage(place.tensor->name) + " (byte " +
                            std::to_string(place.tensor->offset) + ") has the shape " +
                            shapeText(place.tensor->shape) + ", but the keys ask for " +
                            shapeText({shape.begin(), shape.size()}),
                        "Compare the file with the one the model's authors published.");
    return place;
  }

  static std::string shownName(std::string_view name) {
    const std::string own = ggufTensorName(name);
    return own.empty() ? std::string(name) : own;
  }

  static std::size_t rowBytesOf(const GgufModel::Place& place) {
    return place.tensor->bytes / static_cast<std::size_t>(place.tensor->shape[0]);
  }

  // Rows of q or k of a llama in the decoder's order. The file has the two halves of a head in turn, so rows
  // that follow each other in a half are read with those of the other half between them.
  void readPaired(const GgufModel::Place& place, std::int64_t first, std::span<std::byte> rows) const {
    const std::size_t each = rowBytesOf(place);
    const std::int64_t half = m_config.headDim / 2;
    std::vector<std::byte> span;
    while (!rows.empty()) {
      const std::int64_t count =
          std::min<std::int64_t>(static_cast<std::int64_t>(rows.size() / each), half - first % half);
      span.resize(static_cast<std::size_t>(2 * count - 1) * each);
      const std::int64_t begin = pairedRow(first, m_config.headDim);
      place.file->read(*place.tensor, static_cast<std::size_t>(begin) * each, span);
      for (std::int64_t i = 0; i < count; ++i)
        std::copy_n(span.data() + static_cast<std::size_t>(2 * i) * each, each,
                    rows.data() + static_cast<std::size_t>(i) * each);
      rows = rows.subspan(static_cast<std::size_t>(count) * each);
      first += count;
    }
  }

  Tensor allocate(std::size_t bytes) const {
    return m_memory.allocate(DType::kF32, {static_cast<std::int64_t>((bytes + 3) / 4)});
  }

  mutable HostMemory m_memory;
  const std::shared_ptr<const GgufModel> m_model;
  const ModelConfig m_config;
  std::map<std::string, GgufModel::Place, std::less<>> m_tensors;
};

}  // namespace

GgufModel::GgufModel(std::vector<std::unique_ptr<GgufFile>> files) : m_files(std::move(files)) {
  for (const auto& file : m_files)
    for (const GgufTensor& tensor : file->header().tensors)
      if (!m_tensors.try_emplace(tensor.name, Place{file.get(), &tensor}).second)
        throw EngineError(
            ErrorCode::kFileCorrupt,
            file->name() + ": tensor " + forMessage(tensor.name) + " stands in another part too",
            "Download all parts again.");
}

std::vector<FileIdentity> GgufModel::files() const {
  std::vector<FileIdentity> all;
  for (const auto& file : m_files)
    if (file->input() != nullptr) all.push_back(file->input()->identity());
  return all;
}

const GgufModel::Place* GgufModel::find(std::string_view ggufName) const {
  const auto found = m_tensors.find(ggufName);
  return found == m_tensors.end() ? nullptr : &found->second;
}

std::vector<float> GgufModel::vector(std::string_view ggufName, std::int64_t length) const {
  const Place* const place = find(ggufName);
  if (place == nullptr || place->tensor->shape != std::vector<std::int64_t>{length} ||
      !isFloat(place->tensor->type))
    throw EngineError(
        ErrorCode::kFileCorrupt,
        keys().name() + ": tensor " + std::string(ggufName) + " is not " + std::to_string(length) + " floats",
        "Compare the file with the one the model's authors published.");
  std::vector<std::byte> bytes(place->tensor->bytes);
  place->file->read(*place->tensor, 0, bytes);
  std::vector<float> values(static_cast<std::size_t>(length));
  decodeBlocks(place->tensor->type, bytes.data(), values);
  return values;
}

std::string checkpointName(std::string_view ggufName) {
  return translated(ggufName, "blk.", "model.layers.", first, second);
}

std::string ggufTensorName(std::string_view checkpointName) {
  std::string_view name = checkpointName;
  constexpr std::string_view kLayers = "model.layers.";
  return translated(name, kLayers, "blk.", second, first);
}

std::int64_t pairedRow(std::int64_t row, std::int64_t headDim) {
  const std::int64_t head = row / headDim, within = row % headDim, half = headDim / 2;
  return head * headDim + within % half * 2 + within / half;
}

bool isPaired(const ModelConfig& config, std::string_view checkpointName) {
  if (config.family != "llama" && config.family != "mistral") return false;
  return checkpointName.find(".q_proj.") != std::string_view::npos ||
         checkpointName.find(".k_proj.") != std::string_view::npos;
}

std::unique_ptr<WeightSource> openGgufWeights(std::shared_ptr<const GgufModel> model,
                                              const ModelConfig& config) {
  return std::make_unique<GgufSource>(std::move(model), config);
}

}  // namespace vitrine
