#include "models/checkpoint.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/input_file.h"
#include "models/gguf_model.h"
#include "models/host_tensor.h"
#include "models/json_file.h"
#include "models/safetensors.h"
#include "vitrine/error.h"
#include "vitrine/files.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

constexpr std::size_t kMaxIndexBytes = std::size_t{32} << 20;
constexpr const char* kSingleName = "model.safetensors";
constexpr const char* kIndexName = "model.safetensors.index.json";

[[noreturn]] void corrupt(const fs::path& file, const std::string& what) {
  throw EngineError(ErrorCode::kFileCorrupt, file.string() + ": " + what, "Download the model again.");
}

class SafetensorsSource final : public WeightSource {
 public:
  explicit SafetensorsSource(fs::path place) : m_place(std::move(place)) {}

  void add(const fs::path& path) {
    auto file = std::make_unique<InputFile>(path);
    for (SafetensorsEntry& entry : readEntries(*file)) {
      const auto [twin, isNew] = m_tensors.try_emplace(entry.name, Stored{file.get(), entry});
      if (!isNew)
        corrupt(path, "tensor " + forMessage(entry.name) + " stands in " +
                          twin->second.file->path().string() + " too");
    }
    m_files.push_back(std::move(file));
  }

  bool has(std::string_view name) const override { return m_tensors.find(name) != m_tensors.end(); }

  // The file that holds a tensor; requires has().
  const fs::path& fileOf(std::string_view name) const { return m_tensors.find(name)->second.file->path(); }

  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, stored] : m_tensors) all.push_back(name);
    return all;
  }

  void require(std::string_view name, std::initializer_list<std::int64_t> shape) const override {
    floatType(find(name, shape));
  }
  BlockType storedType(std::string_view name) const override {
    return blockTypeOf(floatType(m_tensors.find(name)->second));
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
    if (found == m_tensors.end()) corrupt(m_place, "tensor " + std::string(name) + " is missing");
    const Stored& stored = found->second;
    if (!std::equal(shape.begin(), shape.end(), stored.entry.shape.begin(), stored.entry.shape.end()))
      corrupt(stored.file->path(), "tensor " + std::string(name) + " has the shape " +
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
  std::map<std::string, Stored, std::less<>> m_tensors;
};

// A shard's name must be a plain file name: an untrusted index must not open files of other folders.
void requirePlainName(const fs::path& index, const std::string& name) {
  const bool plain = !name.empty() && name != "." && name != ".." && name.size() < 256 &&
                     name.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
  if (!plain) corrupt(index, "names the shard \"" + forMessage(name) + "\", which is no plain file name");
}

std::map<std::string, std::string> readWeightMap(const fs::path& index) {
  const json parsed = parseJsonObject(readWholeFile(index, kMaxIndexBytes), index.string());
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
  return source;
}

}  // namespace

std::unique_ptr<WeightSource> openCheckpoint(const fs::path& modelDirectory) {
  if (isModelFile(modelDirectory)) {
    auto model = std::make_unique<GgufModel>(modelDirectory);
    const ModelConfig config = readGgufConfig(*model);
    return openGgufWeights(std::move(model), config);
  }
  if (isThere(modelDirectory / kSingleName)) {
    auto source = std::make_unique<SafetensorsSource>(modelDirectory / kSingleName);
    source->add(modelDirectory / kSingleName);
    return source;
  }
  if (isThere(modelDirectory / kIndexName)) return openShards(modelDirectory);
  if (isThere(modelDirectory / "pytorch_model.bin"))
    throw EngineError(ErrorCode::kUnsupported,
                      modelDirectory.string() + " holds pytorch_model.bin, which is not read",
                      "Save the model as safetensors.");
  throw EngineError(ErrorCode::kFileNotFound,
                    modelDirectory.string() + " holds neither " + kSingleName + " nor " + kIndexName,
                    "Point --model at a directory with safetensors files.");
}

}  // namespace vitrine
