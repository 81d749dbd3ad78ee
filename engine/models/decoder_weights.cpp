#include "models/decoder_weights.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "models/host_tensor.h"
#include "models/tensor_check.h"
#include "models/tensor_names.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

constexpr float kLargestHalf = 65504;

class Packer {
 public:
  Packer(Backend& backend, const ModelConfig& config, const WeightSource& source, WeightStorage storage,
         const Decoder::Progress& progress)
      : m_backend(backend), m_config(config), m_source(source), m_storage(storage), m_progress(progress) {}

  DecoderWeights pack() {
    const std::vector<TensorSpec> wanted = checkpointTensors(m_config);
    for (const TensorSpec& tensor : wanted) m_total += tensor.elements();
    if (m_config.tiedEmbeddings && !keepsBlocks())
      m_total += wanted.front().elements();  // packed once more, as the head
    reportProgress();
    m_packed.ignored = checkTensors(m_config, m_source);  // before packing, which may take long
    openCopies();
    addEmbedding();
    for (int layer = 0; layer < m_config.layers; ++layer)
      m_packed.layers.push_back(packLayer(layerPrefix(layer)));
    m_packed.finalNorm = vector(kFinalNormName, m_config.hiddenSize);
    if (!m_packed.head) m_packed.head = head();
    m_packed.head->operation = Operation::kHead;
    if (m_copies != nullptr) m_packed.copy = m_copies->close();
    return std::move(m_packed);
  }

 private:
  using Part = std::pair<std::string, std::int64_t>;  // a projection's weight and how many features it gives

  bool keepsBlocks() const { return m_storage.packed && m_source.keepsBlocks(); }

  // Of a table in blocks there is one copy: panels, of which the head's product and the look-up of a row read
  // the same.
  void addEmbedding() {
    if (!keepsBlocks()) {
      m_packed.embedding = embeddingTable();
    } else if (m_config.tiedEmbeddings) {
      m_packed.head = head();
      m_packed.embeddingRows = m_packed.head.get();
    } else {
      m_packed.packedEmbedding =
          matrix({{kEmbeddingName, m_config.vocabularySize}}, m_config.hiddenSize, m_storage.matrices);
      m_packed.embeddingRows = m_packed.packedEmbedding.get();
    }
  }

  std::unique_ptr<LinearWeight> head() {
    const char* name = m_config.tiedEmbeddings ? kEmbeddingName : kHeadName;
    return matrix({{name, m_config.vocabularySize}}, m_config.hiddenSize, m_storage.head());
  }

  Tensor embeddingTable() {
    Tensor table =
        sound(kEmbeddingName, {m_config.vocabularySize, m_config.hiddenSize}, formatOf(m_storage.table));
    if (table.view().type() != m_storage.table) table = convertHost(table.view(), m_storage.table);
    return upload(table);
  }

  LayerWeights packLayer(const std::string& prefix) {
    const std::int64_t hidden = m_config.hiddenSize, inner = m_config.intermediateSize;
    const std::int64_t queryWidth = std::int64_t{m_config.heads} * m_config.headDim;
    const std::int64_t kvWidth = std::int64_t{m_config.kvHeads} * m_config.headDim;
    const std::string attention = prefix + "self_attn.", mlp = prefix + "mlp.";
    LayerWeights layer;
    layer.attentionNorm = vector(prefix + "input_layernorm.weight", hidden);
    std::tie(layer.qkv, layer.qkvBias) = project({{attention + "q_proj", queryWidth},
                                                  {attention + "k_proj", kvWidth},
                                                  {attention + "v_proj", kvWidth}},
                                                 hidden, m_config.attentionBias);
    if (m_config.qkNorm) {
      layer.queryNorm = vector(attention + "q_norm.weight", m_config.headDim);
      layer.keyNorm = vector(attention + "k_norm.weight", m_config.headDim);
    }
    std::tie(layer.output, layer.outputBias) =
        project({{attention + "o_proj", hidden}}, queryWidth, m_config.outputBias);
    layer.mlpNorm = vector(prefix + "post_attention_layernorm.weight", hidden);
    std::tie(layer.gateUp, layer.gateUpBias) =
        project({{mlp + "gate_proj", inner}, {mlp + "up_proj", inner}}, hidden, m_config.mlpBias);
    std::tie(layer.down, layer.downBias) = project({{mlp + "down_proj", hidden}}, inner, m_config.mlpBias);
    layer.qkv->operation = Operation::kQkv;
    layer.output->operation = Operation::kOutput;
    layer.gateUp->operation = Operation::kGateUp;
    layer.down->operation = Operation::kDown;
    return layer;
  }

  // The parts one above another; an empty bias when they have none.
  std::pair<std::unique_ptr<LinearWeight>, Tensor> project(const std::vector<Part>& parts,
                                                           std::int64_t inFeatures, bool hasBias) {
    std::vector<Part> weights = parts;
    for (auto& [name, outFeatures] : weights) name += ".weight";
    auto weight = matrix(weights, inFeatures, m_storage.matrices);
    if (!hasBias) return {std::move(weight), Tensor()};
    std::vector<Tensor> biases;
    for (const auto& [name, outFeatures] : parts)
      biases.push_back(sound(name + ".bias", {outFeatures}, WeightFormat::kF32));
    return {std::move(weight), upload(joinVectors(viewsOf(biases)))};
  }

  // Those of weights that lie in files, which can be told apart from others.
  void openCopies() {
    const std::vector<FileIdentity> files = m_source.files();
    m_copies = files.empty() ? nullptr : m_backend.copies();
    if (m_copies == nullptr) return;
    CopyKey key;
    for (const FileIdentity& file : files) {
      key.model += file.path.string() + "\n";
      for (const std::int64_t number :
           {static_cast<std::int64_t>(file.inode), file.bytes, file.writtenNs, file.changedNs})
        key.state += std::to_string(number) + " ";
      key.state += "\n";
    }
    // What the bits of a matrix depend on, beside the files and the products.
    for (const int choice : {static_cast<int>(m_storage.table), static_cast<int>(m_storage.matrices),
                             static_cast<int>(m_storage.packed), static_cast<int>(m_storage.asStored)})
      key.model += "storage " + std::to_string(choice) + "\n";
    m_copies->open(key);
  }

  std::unique_ptr<LinearWeight> matrix(const std::vector<Part>& parts, std::int64_t inFeatures,
                                       WeightFormat format) {
    std::string name;
    std::int64_t outFeatures = 0;
    for (const auto& [part, features] : parts) {
      name += (name.empty() ? "" : " ") + part;
      outFeatures += features;
    }
    auto weight = m_copies != nullptr ? m_copies->find(name, outFeatures, inFeatures) : nullptr;
    if (!weight) {
      weight = keepsBlocks() ? packBlocks(parts, inFeatures) : packFloats(parts, inFeatures, format);
      if (m_copies != nullptr) m_copies->add(name, *weight);
    }
    m_packed.bytes += weight->bytes;
    advance(outFeatures * inFeatures);
    return weight;
  }

  std::unique_ptr<LinearWeight> packFloats(const std::vector<Part>& parts, std::int64_t inFeatures,
                                           WeightFormat format) const {
    std::vector<Tensor> tensors;
    for (const auto& [name, outFeatures] : parts)
      tensors.push_back(sound(name, {outFeatures, inFeatures}, format));
    return m_backend.packLinear(viewsOf(tensors), format);
  }

  std::unique_ptr<LinearWeight> packBlocks(const std::vector<Part>& parts, std::int64_t inFeatures) const {
    std::vector<WeightRows> rows;
    for (const auto& [name, outFeatures] : parts) rows.push_back(soundRows(name, outFeatures, inFeatures));
    return m_backend.packBlocks(rows);
  }

  // As sound(): no weight that is not a number. Floats become what the storage asks for, here already, since
  // packBlocks() keeps types; blocks are looked at when their rows are read.
  WeightRows soundRows(const std::string& name, std::int64_t rows, std::int64_t columns) const {
    WeightRows stored = m_source.rows(name, {rows, columns});
    if (isFloat(stored.type)) return soundFloats(name, stored);
    stored.read = [name, type = stored.type, columns, each = stored.rowBytes(), read = stored.read](
                      std::int64_t first, std::span<std::byte> out) {
      read(first, out);
      const std::int64_t count = static_cast<std::int64_t>(out.size()) / each * columns;
      const std::int64_t bad = firstUnfitBlock(type, out.data(), count);
      if (bad >= 0) refuseBlock(name, type, first * columns / blockTypeInfo(type).length + bad);
    };
    return stored;
  }

  WeightRows soundFloats(const std::string& name, const WeightRows& stored) const {
    const DType kept = m_storage.asStored ? dtypeOf(stored.type) : m_storage.table;
    WeightRows rows = stored;
    rows.type = blockTypeOf(kept);
    rows.read = [name, stored, kept](std::int64_t first, std::span<std::byte> out) {
      const std::int64_t count =
          static_cast<std::int64_t>(out.size()) / vitrine::rowBytes(blockTypeOf(kept), stored.inFeatures);
      std::vector<std::byte> raw;
      const bool isKept = dtypeOf(stored.type) == kept;
      if (!isKept) raw.resize(static_cast<std::size_t>(count * stored.rowBytes()));
      const std::span<std::byte> read = isKept ? out : std::span(raw);
      stored.read(first, read);
      const TensorView floats(read.data(), dtypeOf(stored.type), {count, stored.inFeatures});
      requireSound(name, floats, formatOf(kept), first * stored.inFeatures,
                   stored.outFeatures * stored.inFeatures);
      if (!isKept) {
        const Tensor converted = convertHost(floats, kept);
        std::memcpy(out.data(), converted.view().data(), out.size());
      }
    };
    return rows;
  }

  [[noreturn]] static void refuseBlock(const std::string& name, BlockType type, std::int64_t block) {
    throw EngineError(ErrorCode::kFileCorrupt,
                      "tensor " + name + " has a scale that is not a finite number (block " +
                          std::to_string(block) + " of " + blockTypeInfo(type).name + ")",
                      "The weights are damaged; download the model again.");
  }

  Tensor vector(const std::string& name, std::int64_t length) {
    const Tensor stored = sound(name, {length}, WeightFormat::kF32);
    return upload(joinVectors({&stored.view(), 1}));
  }

  static std::vector<TensorView> viewsOf(const std::vector<Tensor>& tensors) {
    std::vector<TensorView> views;
    for (const Tensor& tensor : tensors) views.push_back(tensor.view());
    return views;
  }

  // A tensor of the checkpoint whose elements are all numbers, and none too large for what it becomes: one
  // bad weight makes every answer nonsense, and no answer says so.
  Tensor sound(const std::string& name, std::initializer_list<std::int64_t> shape,
               WeightFormat format) const {
    Tensor stored = m_source.get(name, shape);
    requireSound(name, stored.view(), format, 0, stored.view().elements());
    return stored;
  }

  // `some` of a tensor's elements, from element `first` on.
  static void requireSound(const std::string& name, const TensorView& some, WeightFormat format,
                           std::int64_t first, std::int64_t all) {
    const float largest = format == WeightFormat::kF16 ? kLargestHalf : std::numeric_limits<float>::max();
    const std::int64_t bad = firstUnfit(some, largest);
    if (bad < 0) return;
    const float value = hostElement(some, bad);
    const std::string place = "tensor " + name + " holds " + std::to_string(value) + " (element " +
                              std::to_string(first + bad) + " of " + std::to_string(all) + ")";
    if (std::isfinite(value))
      throw EngineError(ErrorCode::kInvalidArgument, place + ", which f16 cannot hold",
                        "Keep the weights as bf16 or f32 (--dtype).");
    throw EngineError(ErrorCode::kFileCorrupt, place + ", which is not a finite number",
                      "The weights are damaged; download the model again.");
  }

  Tensor upload(const Tensor& host) {
    Tensor device = m_backend.upload(host.view());
    m_packed.bytes += device.view().elements() * static_cast<std::int64_t>(dtypeBytes(device.view().type()));
    advance(device.view().elements());
    return device;
  }

  void advance(std::int64_t elements) {
    m_done += elements;
    reportProgress();
  }

  void reportProgress() const {
    const double fraction = m_total == 0 ? 0 : static_cast<double>(m_done) / static_cast<double>(m_total);
    if (m_progress && !m_progress(fraction, "weights"))
      throw EngineError(ErrorCode::kCancelled, "loading the model was cancelled");
  }

  Backend& m_backend;
  const ModelConfig& m_config;
  const WeightSource& m_source;
  const WeightStorage m_storage;
  const Decoder::Progress& m_progress;
  WeightCopies* m_copies = nullptr;  // null: none are kept
  DecoderWeights m_packed;
  std::int64_t m_done = 0, m_total = 0;  // elements
};

}  // namespace

WeightFormat formatOf(DType type) {
  VITRINE_CHECK(type != DType::kI32);
  return type == DType::kF32    ? WeightFormat::kF32
         : type == DType::kBf16 ? WeightFormat::kBf16
                                : WeightFormat::kF16;
}

WeightStorage::WeightStorage(DType type) : table(type), matrices(formatOf(type)) {}

WeightStorage::WeightStorage(DType tableType, Quantization quantization)
    : table(tableType),
      matrices(quantization == Quantization::kInt8   ? WeightFormat::kInt8
               : quantization == Quantization::kInt4 ? WeightFormat::kInt4
                                                     : formatOf(tableType)),
      packed(quantization == Quantization::kNone) {}

WeightFormat WeightStorage::head() const {
  return matrices == WeightFormat::kInt4 ? WeightFormat::kInt8 : matrices;
}

DecoderWeights packWeights(Backend& backend, const ModelConfig& config, const WeightSource& source,
                           WeightStorage storage, const Decoder::Progress& progress) {
  return Packer(backend, config, source, storage, progress).pack();
}

}  // namespace vitrine
