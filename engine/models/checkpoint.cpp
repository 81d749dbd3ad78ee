#include "models/checkpoint.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/check.h"
#include "formats/input_file.h"
#include "formats/stand_in.h"
#include "models/gguf_model.h"
#include "models/host_tensor.h"
#include "models/json_file.h"
#include "models/safetensors.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/model_place.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

constexpr std::size_t kMaxIndexBytes = std::size_t{32} << 20;
constexpr const char* kSingleName = "model.safetensors";
constexpr const char* kIndexName = "model.safetensors.index.json";

[[noreturn]] void corrupt(const fs::path& file, const std::string& what,
                          const std::string& hint = "Download the model again.") {
  throw EngineError(ErrorCode::kFileCorrupt, file.string() + ": " + what, hint);
}

// What stands before the decoder's names in the files: nothing where the decoder was saved alone, as
// embedding models are, and more where it was a part of a model that sees. Behind it come the same names.
constexpr std::array<std::string_view, 4> kPrefixes = {"model.", "", "model.language_model.",
                                                       "language_model.model."};
constexpr std::array<std::string_view, 3> kDecoderParts = {"embed_tokens.", "layers.", "norm."};
constexpr std::string_view kPartHead = "language_model.lm_head.";

// The name that the decoder knows; names outside the decoder stay as they are.
std::string decoderName(std::string_view stored, std::string_view prefix) {
  if (prefix.starts_with("language_model.") && stored.starts_with(kPartHead))
    return std::string(stored.substr(kPartHead.size() - std::string_view("lm_head.").size()));
  if (!stored.starts_with(prefix)) return std::string(stored);
  const std::string_view rest = stored.substr(prefix.size());
  const bool isPart =
      std::ranges::any_of(kDecoderParts, [&](std::string_view part) { return rest.starts_with(part); });
  return isPart ? "model." + std::string(rest) : std::string(stored);
}

class SafetensorsSource final : public WeightSource {
 public:
  explicit SafetensorsSource(fs::path place) : m_place(std::move(place)) {}

  void add(const fs::path& path) {
    auto file = openModelFile(path);
    for (SafetensorsEntry& entry : readEntries(*file)) {
      const auto [twin, isNew] = m_tensors.try_emplace(entry.name, Stored{file.get(), entry});
      if (!isNew)
        corrupt(path, "tensor " + forMessage(entry.name) + " stands in " +
                          twin->second.file->path().string() + " too");
    }
    m_files.push_back(std::move(file));
  }

  // When all files are added: gives the tensors the decoder's names.
  void translateNames() {
    const auto holds = [&](std::string_view prefix) {
      return has(std::string(prefix) + "embed_tokens.weight");
    };
    const auto prefix = std::ranges::find_if(kPrefixes, holds);
    if (prefix == kPrefixes.end() || *prefix == "model.") return;
    std::map<std::string, Stored, std::less<>> named;
    for (auto& [name, stored] : m_tensors)
      if (!named.emplace(decoderName(name, *prefix), stored).second)
        corrupt(m_place, "tensor " + forMessage(name) + " stands there under two names");
    m_tensors = std::move(named);
  }
  // What a person can do about a tensor that is not there; empty: nothing is known.
  void setElsewhere(std::function<std::string(std::string_view name)> mend) { m_elsewhere = std::move(mend); }

  std::string nameInFile(std::string_view name) const override {
    const auto found = m_tensors.find(name);
    return found == m_tensors.end() ? std::string(name) : found->second.entry.name;
  }
  std::string foundElsewhere(std::string_view name) const override {
    return m_elsewhere ? m_elsewhere(name) : std::string();
  }

  bool has(std::string_view name) const override { return m_tensors.find(name) != m_tensors.end(); }

  // The file that holds a tensor; requires has().
  const fs::path& fileOf(std::string_view name) const { return m_tensors.find(name)->second.file->path(); }

  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, stored] : m_tensors) all.push_back(name);
    return all;
  }

  std::vector<FileIdentity> files() const override {
    std::vector<FileIdentity> all;
    for (const auto& file : m_files) all.push_back(file->identity());
    return all;
  }

  void require(std::string_view name, std::initializer_list<std::int64_t> shape) const override {
    floatType(find(name, shape));
  }
  BlockType storedType(std::string_view name) const override {
    return blockTypeOf(floatType(m_tensors.find(name)->second));
  }

  WeightRows rows(std::string_view name, std::initializer_list<std::int64_t> shape) const override {
    VITRINE_CHECK(shape.size() == 2);
    const Stored& stored = find(name, shape);
    const BlockType type = blockTypeOf(floatType(stored));
    const auto each = static_cast<std::size_t>(rowBytes(type, shape.begin()[1]));
    return {type, shape.begin()[0], shape.begin()[1],
            [&stored, each](std::int64_t first, std::span<std::byte> out) {
              stored.file->read(stored.entry.offset + static_cast<std::size_t>(first) * each, out,
                                "tensor " + forMessage(stored.entry.name));
            }};
  }

  Tensor get(std::string_view name, std::initializer_list<std::int64_t> shape) const override {
    const Stored& stored = find(name, shape);
    Tensor tensor = m_memory.allocate(floatType(stored), shape);
    stored.file->read(stored.entry.offset,
                      {static_cast<std::byte*>(tensor.view().data()), stored.entry.bytes},
                      "tensor " + forMessage(name));
    return tensor;
  }

 private:
  struct Stored {
    const InputFile* file;
    SafetensorsEntry entry;
  };

  static std::vector<SafetensorsEntry> readEntries(const InputFile& file) {
    const auto read = [&](std::size_t offset, std::span<std::byte> out) {
      file.read(offset, out, "its header");
    };
    return parseSafetensors(file.size(), read, file.path().string());
  }

  const Stored& find(std::string_view name, std::initializer_list<std::int64_t> shape) const {
    const auto found = m_tensors.find(name);
    if (found == m_tensors.end()) {
      const std::string missing = "tensor " + std::string(name) + " is missing", mend = foundElsewhere(name);
      if (mend.empty()) corrupt(m_place, missing);
      corrupt(m_place, missing, mend);
    }
    const Stored& stored = found->second;
    if (!std::equal(shape.begin(), shape.end(), stored.entry.shape.begin(), stored.entry.shape.end()))
      corrupt(stored.file->path(), "tensor " + forMessage(stored.entry.name) + " has the shape " +
                                       shapeText(stored.entry.shape) + ", but config.json asks for " +
                                       shapeText({shape.begin(), shape.size()}));
    return stored;
  }

  static DType floatType(const Stored& stored) {
    if (stored.entry.type == "F32") return DType::kF32;
    if (stored.entry.type == "BF16") return DType::kBf16;
    if (stored.entry.type == "F16") return DType::kF16;
    throw EngineError(ErrorCode::kFileCorrupt,
                      stored.file->path().string() + ": tensor " + forMessage(stored.entry.name) +
                          " has the type " + stored.entry.type + ", but a weight must be F32, BF16 or F16",
                      "Use the model's float32, bf16 or f16 files.");
  }

  mutable HostMemory m_memory;
  fs::path m_place;  // for messages: the file, or the index
  std::vector<std::unique_ptr<InputFile>> m_files;
  std::map<std::string, Stored, std::less<>> m_tensors;  // by the decoder's names
  std::function<std::string(std::string_view name)> m_elsewhere;
};

// A shard's name must be a plain file name: an untrusted index must not open files of other folders.
void requirePlainName(const fs::path& index, const std::string& name) {
  const bool plain = !name.empty() && name != "." && name != ".." && name.size() < 256 &&
                     name.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
  if (!plain) corrupt(index, "names the shard \"" + forMessage(name) + "\", which is no plain file name");
}

std::map<std::string, std::string> readWeightMap(const fs::path& index) {
  const json parsed = parseJsonObject(readModelText(index, kMaxIndexBytes), index.string());
  const auto map = parsed.find("weight_map");
  if (map == parsed.end() || !map->is_object()) corrupt(index, "weight_map is missing");
  std::map<std::string, std::string> shardOf;
  for (const auto& [tensor, shard] : map->items()) {
    if (!shard.is_string()) corrupt(index, "weight_map names no file for tensor " + forMessage(tensor));
    requirePlainName(index, shard.get<std::string>());
    shardOf.emplace(tensor, shard.get<std::string>());
  }
  if (shardOf.empty()) corrupt(index, "weight_map is empty");
  return shardOf;
}

std::unique_ptr<WeightSource> openShards(const fs::path& directory) {
  const fs::path index = directory / kIndexName;
  const auto shardOf = readWeightMap(index);
  std::set<std::string> shards;
  for (const auto& [tensor, shard] : shardOf) shards.insert(shard);
  auto source = std::make_unique<SafetensorsSource>(index);
  for (const std::string& shard : shards) {
    if (!isThere(directory / shard))
      throw EngineError(ErrorCode::kFileNotFound,
                        index.string() + " names the shard " + shard + ", which is missing",
                        "Download the missing file.");
    source->add(directory / shard);
  }
  for (const auto& [tensor, shard] : shardOf) {
    if (!source->has(tensor)) corrupt(index, "names tensor " + forMessage(tensor) + ", which no shard holds");
    if (source->fileOf(tensor).filename() != shard)
      corrupt(index, "says tensor " + forMessage(tensor) + " is in " + shard + ", but it is in " +
                         source->fileOf(tensor).filename().string());
  }
  source->translateNames();
  return source;
}

// A model.safetensors is read and no index beside it, as in transformers. Of one that lacks a tensor the
// index may know more.
std::string indexKnows(const fs::path& directory, std::string_view name) {
  if (!isThere(directory / kIndexName)) return {};
  try {
    if (!readWeightMap(directory / kIndexName).contains(std::string(name))) return {};
  } catch (const EngineError&) {
    return {};
  }
  return std::string(kIndexName) +
         " beside it names shards that hold the tensor, and is read when there is no " + kSingleName +
         ": move that file away.";
}

std::unique_ptr<WeightSource> openSingle(const fs::path& directory) {
  auto source = std::make_unique<SafetensorsSource>(directory / kSingleName);
  source->add(directory / kSingleName);
  source->translateNames();
  source->setElsewhere([directory](std::string_view name) { return indexKnows(directory, name); });
  return source;
}

// A folder with neither of the two names: what it has instead.
[[noreturn]] void refuseWithoutWeights(const fs::path& directory) {
  refuseAdapter(directory);
  std::set<std::string> safetensors, gguf;
  std::error_code error;
  for (fs::directory_iterator at(directory, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.ends_with(".safetensors")) safetensors.insert(name);
    if (name.ends_with(".gguf")) gguf.insert(name);
  }
  const std::string neither = std::string("neither ") + kSingleName + " nor " + kIndexName;
  const auto refusal = [&](ErrorCode code, const std::string& what, const std::string& hint) {
    return EngineError(code, directory.string() + " holds " + what, hint);
  };
  if (safetensors.size() > 1)
    throw refusal(ErrorCode::kFileNotFound,
                  std::to_string(safetensors.size()) + " safetensors files (" +
                      forMessage(*safetensors.begin()) + ", ...), but no " + kIndexName +
                      ", which says where each tensor is",
                  std::string("Download ") + kIndexName + " into the folder.");
  if (safetensors.size() == 1)
    throw refusal(ErrorCode::kFileNotFound, forMessage(*safetensors.begin()) + ", but " + neither,
                  "If the file is one of several, download the others and the index; if it is the whole "
                  "model, name it " +
                      std::string(kSingleName) + ".");
  if (!gguf.empty())
    throw refusal(
        ErrorCode::kInvalidArgument,
        std::to_string(gguf.size()) + " GGUF files (" + forMessage(*gguf.begin()) + ", ...) and " + neither,
        "Give one of the GGUF files.");
  if (isThere(directory / "pytorch_model.bin"))
    throw refusal(ErrorCode::kUnsupported, "pytorch_model.bin, which is not read",
                  "Save the model as safetensors.");
  throw refusal(ErrorCode::kFileNotFound, neither,
                "Download the weights: safetensors files, or one GGUF file.");
}

}  // namespace

std::unique_ptr<WeightSource> openCheckpoint(const fs::path& model) {
  const fs::path modelDirectory = modelPlace(model);
  if (isModelFile(modelDirectory)) {
    auto file = std::make_unique<GgufModel>(modelDirectory);
    const ModelConfig config = readGgufConfig(*file);
    return openGgufWeights(std::move(file), config);
  }
  if (isThere(modelDirectory / kSingleName)) return openSingle(modelDirectory);
  if (isThere(modelDirectory / kIndexName)) return openShards(modelDirectory);
  refuseWithoutWeights(modelDirectory);
}

}  // namespace vitrine
