#include "vitrine/model_place.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <vector>

#include "formats/model_path.h"
#include "formats/stand_in.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/gguf_name.h"
#include "vitrine/json_reader.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using FileNames = std::set<std::string>;

constexpr std::size_t kMostAdapterBytes = std::size_t{1} << 20;

bool isFolder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

// Empty for a folder that cannot be read.
FileNames namesIn(const fs::path& folder) {
  FileNames names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error))
    names.insert(at->path().filename().string());
  return names;
}

// The files that a person can give: one for each model. What sees pictures (mmproj) belongs to one of them.
std::vector<std::string> ggufModels(const FileNames& names) {
  std::vector<std::string> models;
  for (const std::string& name : names)
    if (isGgufName(name))
      if (const GgufName said = readGgufName(name); !said.isVision && said.part == 1) models.push_back(name);
  return models;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += (i > 0 ? ", " : "") + forMessage(names[i]);
  return names.size() > kShown ? text + " and " + std::to_string(names.size() - kShown) + " more" : text;
}

// A name in refs/main is not ours: it must not lead out of the folder.
std::string commitOfMain(const fs::path& repository) {
  const fs::path main = repository / "refs" / "main";
  if (!isThere(main)) return {};
  std::string commit = mainOf(repository);
  const bool isPlain = !commit.empty() && commit.front() != '.' &&
                       commit.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
  if (!isPlain)
    throw EngineError(ErrorCode::kFileCorrupt, main.string() + " names no snapshot",
                      "Give the folder of a snapshot, in " + (repository / "snapshots").string() + ".");
  return commit;
}

fs::path snapshotOf(const fs::path& repository) {
  const fs::path snapshots = repository / "snapshots";
  const std::string name = repositoryOf(repository);
  const std::string download =
      name.empty() ? "Download the model again." : "Download it: hf download " + name;
  if (const std::string commit = commitOfMain(repository); !commit.empty()) {
    if (isFolder(snapshots / commit)) return snapshots / commit;
    throw EngineError(
        ErrorCode::kFileNotFound,
        repository.string() + " lacks the snapshot " + forMessage(commit) + ", which its refs/main names",
        download);
  }
  const FileNames commits = namesIn(snapshots);
  if (commits.size() == 1) return snapshots / *commits.begin();
  if (commits.empty())
    throw EngineError(ErrorCode::kFileNotFound, repository.string() + " has no snapshot", download);
  throw EngineError(ErrorCode::kInvalidArgument,
                    repository.string() + " has several snapshots and no refs/main: " +
                        listed({commits.begin(), commits.end()}),
                    "Give the folder of one, in " + snapshots.string() + ".");
}

std::string baseOf(const fs::path& adapter, std::string& kind) {
  const auto fail = [&](const std::string& fault) {
    throw EngineError(ErrorCode::kFileCorrupt, adapter.string() + ": " + fault);
  };
  try {
    const auto json = readJson<nlohmann::json>(readModelText(adapter, kMostAdapterBytes), {}, fail);
    if (!json.is_object()) return {};
    const auto text = [&](const char* key) {
      const auto found = json.find(key);
      return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    if (text("peft_type") == "LORA") kind = "a LoRA adapter";
    return forMessage(text("base_model_name_or_path"));
  } catch (const EngineError&) {
    return {};  // an adapter all the same
  }
}

fs::path ggufIn(const fs::path& folder) {
  const FileNames names = namesIn(folder);
  const std::vector<std::string> models = ggufModels(names);
  const auto isSafetensors = [](const std::string& name) { return name.ends_with(".safetensors"); };
  if (models.empty() || std::ranges::any_of(names, isSafetensors)) return folder;
  if (models.size() == 1) return folder / models.front();
  if (names.contains("config.json")) return folder;  // its tokenizer, say, can be read
  throw EngineError(ErrorCode::kInvalidArgument,
                    folder.string() + " holds " + std::to_string(models.size()) +
                        " GGUF files and no config.json: " + listed(models),
                    "Give one of the files.");
}

}  // namespace

void refuseAdapter(const fs::path& folder) {
  const fs::path adapter = folder / "adapter_config.json";
  if (!isThere(adapter)) return;
  std::string kind = "an adapter";
  const std::string base = baseOf(adapter, kind);
  throw EngineError(ErrorCode::kUnsupported,
                    folder.string() + " holds " + kind + " for " +
                        (base.empty() ? "a model that it does not name" : base) + ", and no model",
                    "Merge the two (merge_and_unload() of peft, then save_pretrained()) and open what that "
                    "writes, or open the base model alone.");
}

fs::path modelPlace(const fs::path& model) {
  if (!isFolder(model)) return model;
  if (isThere(model / "config.json")) return ggufIn(model);
  const fs::path plain = plainPath(model);
  if (isFolder(model / "snapshots")) {
    const fs::path snapshot = snapshotOf(plain);
    return isFolder(snapshot / "snapshots") ? snapshot : modelPlace(snapshot);
  }
  refuseAdapter(model);
  return ggufIn(model);
}

}  // namespace vitrine
