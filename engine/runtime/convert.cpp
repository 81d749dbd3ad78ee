#include "vitrine/convert.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "formats/block_encode.h"
#include "models/gguf_model.h"
#include "models/random_weights.h"
#include "models/safetensors_writer.h"
#include "models/tensor_check.h"
#include "models/tensor_names.h"
#include "runtime/model_files.h"
#include "text/gguf_tokenizer_writer.h"
#include "vitrine/error.h"
#include "vitrine/library_name.h"
#include "vitrine/model_place.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;
using Progress = std::function<bool(double, const char*)>;

// Reads a model's tensors one after another, and gives their bytes in the type asked for.
class Conversion {
 public:
  Conversion(const ModelFiles& files, ConvertType type, const Progress& progress)
      : config(files.config()),
        tensors(checkpointTensors(config)),
        m_source(files.weights()),
        m_type(type),
        m_progress(progress) {
    report.ignored = checkTensors(config, *m_source);
    report.ignored.model = modelName(files.path());
  }

  const ModelConfig& config;
  const std::vector<TensorSpec> tensors;
  ConvertReport report;

  // In a GGUF file norms and biases are float32, whatever the matrices.
  BlockType typeInGguf(const TensorSpec& tensor) const {
    if (tensor.rows == 0) return BlockType::kF32;
    const bool outer = tensor.name == kEmbeddingName || tensor.name == kHeadName;
    const BlockType wanted = asked(outer).value_or(m_source->storedType(tensor.name));
    return tensor.columns % blockTypeInfo(wanted).length == 0 ? wanted : BlockType::kF16;
  }

  // In a folder there are floats alone. Norms and biases stand in the matrices' type where it can hold them:
  // a folder in bf16 comes back from a GGUF file with all its bits.
  BlockType typeInFolder(const TensorSpec& tensor) const {
    if (tensor.rows > 0) {
      const BlockType wanted = asked(false).value_or(m_source->storedType(tensor.name));
      return isFloat(wanted) ? wanted : BlockType::kF32;
    }
    const BlockType wanted = asked(false).value_or(blockTypeOf(config.storedType));
    const Tensor floats = m_source->get(tensor.name, {tensor.columns});
    const TensorView view = floats.view();
    if (blockTypeOf(view.type()) == wanted) return wanted;
    const auto count = static_cast<std::size_t>(tensor.columns);
    std::vector<float> exact(count), narrowed(count);
    Bytes bytes(static_cast<std::size_t>(rowBytes(wanted, tensor.columns)));
    decodeBlocks(blockTypeOf(view.type()), static_cast<const std::byte*>(view.data()), exact);
    encodeBlocks(wanted, exact, bytes.data());
    decodeBlocks(wanted, bytes.data(), narrowed);
    return exact == narrowed ? wanted : BlockType::kF32;
  }

  // A tensor's bytes in that type. Throws EngineError(kInvalidArgument) for a number that it cannot hold.
  Bytes bytes(const TensorSpec& tensor, BlockType type) {
    const auto done = static_cast<double>(report.tensors) / static_cast<double>(tensors.size());
    if (m_progress && !m_progress(done, "weights"))
      throw EngineError(ErrorCode::kCancelled, "converting was cancelled");
    Bytes stored = storedBytes(*m_source, tensor);
    const BlockType from = m_source->storedType(tensor.name);
    Bytes out = from == type ? std::move(stored) : encoded(tensor, {from, stored}, type);
    ++report.tensors;
    report.bytes += static_cast<std::int64_t>(out.size());
    return out;
  }

 private:
  // The type that --type names; none: each tensor's own.
  std::optional<BlockType> asked(bool outer) const {
    switch (m_type) {
      case ConvertType::kSame:
        return {};
      case ConvertType::kF32:
        return BlockType::kF32;
      case ConvertType::kF16:
        return BlockType::kF16;
      case ConvertType::kBf16:
        return BlockType::kBf16;
      case ConvertType::kQ80:
      case ConvertType::kInt8:
        return BlockType::kQ80;
      case ConvertType::kQ40:
      case ConvertType::kInt4:
        return outer ? BlockType::kQ80 : BlockType::kQ40;
      case ConvertType::kQ4K:
        return outer ? BlockType::kQ80 : BlockType::kQ4K;
    }
    return {};
  }

  static bool fits(std::span<const float> row, BlockType type) {
    const bool wide = type == BlockType::kF32 || type == BlockType::kBf16;
    constexpr float kLargestHalf = 65504;
    // A float16 is a weight, or in blocks a scale that at least eight times as much goes by.
    const float largest = type == BlockType::kF16 ? kLargestHalf : kLargestHalf * 8;
    return std::ranges::all_of(
        row, [&](float value) { return std::isfinite(value) && (wide || std::abs(value) <= largest); });
  }

  struct Stored {
    BlockType type;
    const Bytes& bytes;
  };
  Bytes encoded(const TensorSpec& tensor, const Stored& stored, BlockType type) {
    const std::int64_t columns = tensor.columns, rows = tensor.elements() / columns;
    Bytes out(static_cast<std::size_t>(rows * rowBytes(type, columns)));
    const std::int64_t bad = encodeRows({stored.type, stored.bytes.data(), rows, columns}, type, out.data());
    if (bad >= 0) refuse(tensor, type, bad);
    return out;
  }

  // All threads share the rows. Returns a row that the type cannot hold; -1: there is none.
  std::int64_t encodeRows(const BlockMatrix& from, BlockType type, std::byte* out) {
    const bool inGroups = (m_type == ConvertType::kInt8 || m_type == ConvertType::kInt4) && !isFloat(type);
    std::vector<std::vector<float>> scratch(static_cast<std::size_t>(m_pool.threads()));
    for (std::vector<float>& row : scratch) row.resize(static_cast<std::size_t>(from.inFeatures));
    std::atomic<std::int64_t> bad = -1;
    m_pool.parallelFor(from.outFeatures, 16, [&](std::int64_t begin, std::int64_t end, int part) {
      const std::span<float> row = scratch[static_cast<std::size_t>(part)];
      for (std::int64_t i = begin; i < end; ++i) {
        std::byte* const at = out + i * rowBytes(type, from.inFeatures);
        decodeBlocks(from.type, from.row(i), row);
        if (!fits(row, type))
          bad = i;
        else if (inGroups)
          encodeGroups(type, row, at);
        else
          encodeBlocks(type, row, at);
      }
    });
    return bad;
  }

  [[noreturn]] static void refuse(const TensorSpec& tensor, BlockType type, std::int64_t row) {
    throw EngineError(ErrorCode::kInvalidArgument,
                      "tensor " + tensor.name + " holds a number in row " + std::to_string(row) + " that " +
                          blockTypeInfo(type).name + " cannot hold",
                      "Convert to bf16 or f32, if the numbers are finite.");
  }

  const std::unique_ptr<WeightSource> m_source;
  const ConvertType m_type;
  const Progress& m_progress;
  ThreadPool m_pool{0};
};

// Rows in the order of the file: those of q and k of a llama in pairs (gguf_model.h).
Bytes pairedRows(const TensorSpec& tensor, const ModelConfig& config, Bytes bytes) {
  if (!isPaired(config, tensor.name)) return bytes;
  const std::int64_t rows = tensor.rows == 0 ? tensor.columns : tensor.rows;
  const std::size_t each = bytes.size() / static_cast<std::size_t>(rows);
  Bytes ordered(bytes.size());
  for (std::int64_t row = 0; row < rows; ++row)
    std::copy_n(bytes.data() + static_cast<std::size_t>(row) * each, each,
                ordered.data() + static_cast<std::size_t>(pairedRow(row, config.headDim)) * each);
  return ordered;
}

// The number of general.file_type for what most of the file is in.
std::uint32_t fileType(ConvertType type, DType stored) {
  constexpr std::uint32_t kNumbers[] = {0, 0, 1, 32, 7, 2, 14, 7, 2};
  if (type != ConvertType::kSame) return kNumbers[static_cast<std::size_t>(type)];
  return stored == DType::kF16 ? 1 : stored == DType::kBf16 ? 32 : 0;
}

// All keys of a file but those that the new one differs in.
void copyKeys(const GgufFile& file, bool sameType, GgufWriter& writer) {
  for (const auto& [name, key] : file.header().keys)
    if (name != "general.alignment" && !name.starts_with("split.") &&
        (sameType || name != "general.file_type"))
      writer.raw(name, key.type, file.rawValue(key));
}

void writeKeys(const ModelFiles& files, ConvertType type, GgufWriter& writer) {
  const ModelConfig& config = files.config();
  if (const GgufFile* file = files.gguf()) {
    copyKeys(*file, type == ConvertType::kSame, writer);
    if (type != ConvertType::kSame) writer.number("general.file_type", fileType(type, config.storedType));
    return;
  }
  writeGgufKeys(config, writer);
  writer.text("general.name", modelName(files.path()));
  writer.number("general.file_type", fileType(type, config.storedType));
  writer.number("general.quantization_version", 2);
  writeGgufTokenizer(files.path(), config.vocabularySize, config.eosTokens, writer);
}

ConvertReport writeGguf(const fs::path& from, const fs::path& to, ConvertType type,
                        const Progress& progress) {
  const ModelFiles files(from);
  Conversion conversion(files, type, progress);
  const ModelConfig& config = conversion.config;
  GgufWriter writer(to);
  writeKeys(files, type, writer);
  const auto ofRope = ropeTensors(config.rope, config.headDim);
  for (const auto& [name, factors] : ofRope)
    writer.tensor(name, BlockType::kF32, {static_cast<std::int64_t>(factors.size())});
  for (const TensorSpec& tensor : conversion.tensors)
    writer.tensor(ggufTensorName(tensor.name), conversion.typeInGguf(tensor), tensor.shape());
  writer.begin();
  for (const auto& [name, factors] : ofRope) writer.write(std::as_bytes(std::span(factors)));
  for (const TensorSpec& tensor : conversion.tensors)
    writer.write(pairedRows(tensor, config, conversion.bytes(tensor, conversion.typeInGguf(tensor))));
  writer.finish();
  return conversion.report;
}

void requireFresh(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw EngineError(ErrorCode::kIo, folder.string() + " cannot be created: " + error.message(),
                      "Choose a folder that can be written to, or a name that ends in .gguf.");
  if (!fs::is_empty(folder, error) || error)
    throw EngineError(ErrorCode::kInvalidArgument, folder.string() + " is not empty",
                      "Choose a new folder: a model in it would be lost.");
}

ModelConfig configOfFolder(const fs::path& from, ModelConfig config) {
  config.rope = namedStretching(config.rope, config.headDim, from.string());
  if ((config.family == "llama" || config.family == "qwen3") && config.attentionBias != config.outputBias)
    throw EngineError(ErrorCode::kUnsupported,
                      from.string() + ": some projections of its attention have biases and others none",
                      "A config.json of this family has all or none; use the GGUF file itself.");
  return config;
}

ConvertReport writeFolder(const fs::path& from, const fs::path& to, ConvertType type,
                          const Progress& progress) {
  if (isInBlocks(type))
    throw EngineError(ErrorCode::kUnsupported, "a folder holds floats, not " + std::string(nameOf(type)),
                      "Give a name that ends in .gguf, or the type f32, f16 or bf16.");
  const ModelFiles files(from);
  Conversion conversion(files, type, progress);
  const ModelConfig config = configOfFolder(from, conversion.config);
  requireFresh(to);
  std::vector<SafetensorsSpec> specs;
  for (const TensorSpec& tensor : conversion.tensors)
    specs.push_back({tensor.name, dtypeOf(conversion.typeInFolder(tensor)), tensor.shape()});
  SafetensorsWriter weights(to / "model.safetensors", specs);
  for (std::size_t i = 0; i < specs.size(); ++i)
    weights.write(conversion.bytes(conversion.tensors[i], blockTypeOf(specs[i].type)));
  if (const GgufFile* file = files.gguf()) writeTokenizerFiles(*file, to);
  OutputFile description(to / "config.json");
  description.write(configJson(config));
  weights.finish();
  description.finish();  // last, so that a folder with a config.json is a whole model
  return conversion.report;
}

}  // namespace

std::vector<std::string> blockTypeNames() {
  std::vector<std::string> names;
  for (const char* name : Names<ConvertType>::list)
    if (isInBlocks(fromName<ConvertType>(name).value())) names.emplace_back(name);
  return names;
}

ConvertReport convertModel(const fs::path& model, const fs::path& to, ConvertType type,
                           const Progress& progress) {
  const fs::path from = modelPlace(model);
  if (!isModelFile(from) && to.extension() != ".gguf")
    throw EngineError(ErrorCode::kInvalidArgument,
                      from.string() + " is no GGUF file, and " + to.string() + " would be none",
                      "From a folder, give a name that ends in .gguf.");
  const ConvertReport report =
      to.extension() == ".gguf" ? writeGguf(from, to, type, progress) : writeFolder(from, to, type, progress);
  if (progress) progress(1, "weights");
  return report;
}

}  // namespace vitrine
