#include "vitrine/model_place.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <vector>

#include "formats/gguf_file.h"
#include "formats/stand_in.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/json_reader.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using FileNames = std::set<std::string>;

constexpr std::string_view kRepositoryPrefix = "models--";
constexpr std::size_t kMostAdapterBytes = std::size_t{1} << 20, kMostRefBytes = 1024;

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

// The part's number in "model-00002-of-00005.gguf"; 1 for a file that is no part.
int partNumber(std::string_view name) {
  constexpr std::string_view kPattern = "-00000-of-00000.gguf";
  if (name.size() < kPattern.size()) return 1;
  const std::string_view ending = name.substr(name.size() - kPattern.size());
  int number = 0;
  for (std::size_t i = 0; i < kPattern.size(); ++i) {
    const bool digit = ending[i] >= '0' && ending[i] <= '9';
    if (kPattern[i] == '0' ? !digit : ending[i] != kPattern[i]) return 1;
    if (i < 6 && digit) number = number * 10 + (ending[i] - '0');
  }
  return number;
}

// The files that a person can give: one for each model. What sees pictures (mmproj) belongs to one of them.
std::vector<std::string> ggufModels(const FileNames& names) {
  std::vector<std::string> models;
  for (const std::string& name : names)
    if (name.ends_with(".gguf") && name.find("mmproj") == std::string::npos && partNumber(name) == 1)
      models.push_back(name);
  return models;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += (i > 0 ? ", " : "") + forMessage(names[i]);
  return names.size() > kShown ? text + " and " + std::to_string(names.size() - kShown) + " more" : text;
}

// "owner/name" of "models--owner--name"; empty for another folder.
std::string repositoryOf(const fs::path& folder) {
  std::string name = folder.filename().string();
  if (!name.starts_with(kRepositoryPrefix)) return {};
  name.erase(0, kRepositoryPrefix.size());
  for (std::size_t at = 0; (at = name.find("--", at)) != std::string::npos;) name.replace(at, 2, "/");
  return name;
}

// A name in refs/main is not ours: it must not lead out of the folder.
std::string commitOfMain(const fs::path& repository) {
  const fs::path main = repository / "refs" / "main";
  if (!isThere(main)) return {};
  std::string commit = readWholeFile(main, kMostRefBytes);
  commit.erase(commit.find_last_not_of(" \t\r\n") + 1);
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

fs::path withoutSlash(const fs::path& path) {
  const fs::path plain = fs::absolute(path).lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
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
  const fs::path plain = withoutSlash(model);
  if (isFolder(model / "snapshots")) {
    const fs::path snapshot = snapshotOf(plain);
    return isFolder(snapshot / "snapshots") ? snapshot : modelPlace(snapshot);
  }
  refuseAdapter(model);
  return ggufIn(model);
}

std::string modelName(const fs::path& model) {
  const fs::path plain = withoutSlash(model);
  fs::path place = plain;
  try {
    place = modelPlace(plain);
  } catch (const EngineError&) {
    // Its name is asked for, no more.
  }
  if (isModelFile(place)) return place.stem().string();
  for (const fs::path& folder : {place, place.parent_path().parent_path()})
    if (std::string repository = repositoryOf(folder); !repository.empty()) return repository;
  return place.filename().string();
}

}  // namespace vitrine
