#include "vitrine/library_name.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <system_error>

#include "formats/gguf_file.h"
#include "formats/model_path.h"
#include "vitrine/error.h"
#include "vitrine/gguf_name.h"
#include "vitrine/model_place.h"
#include "vitrine/ollama_manifest.h"
#include "vitrine/program_files.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

GgufName ggufNameOf(const fs::path& file) {
  const std::string name = file.filename().string();
  return isGgufName(name) ? readGgufName(name) : GgufName{name, {}};
}

bool isCalledModel(const std::string& base) {
  constexpr std::string_view kModel = "model";
  return std::ranges::equal(base, kModel, [](char c, char small) { return (c | 0x20) == small; });
}

template <typename Visit>
void forEachName(const fs::path& folder, const Visit& visit) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error))
    visit(at->path().filename().string());
}

// ":Q8_0", as llama.cpp and Ollama write it behind the name of a repository. Where the folder has another
// model of that quantization, the file's name tells them apart.
std::string suffixOf(const fs::path& file) {
  const GgufName name = ggufNameOf(file);
  if (isCalledModel(name.base)) return {};
  bool isOnly = !name.quantization.empty();
  forEachName(file.parent_path(), [&](const std::string& other) {
    if (!isGgufName(other)) return;
    const GgufName said = readGgufName(other);
    isOnly = isOnly && (said.isVision || said.base == name.base || said.quantization != name.quantization);
  });
  return ':' + (isOnly ? name.quantization : name.base);
}

// Whether a repository has other snapshots, and another one is that of "main".
bool isBesideMain(const fs::path& repository, const std::string& commit) {
  int snapshots = 0;
  forEachName(repository / "snapshots", [&](const std::string&) { ++snapshots; });
  try {
    return snapshots > 1 && mainOf(repository) != commit;
  } catch (const EngineError&) {
    return snapshots > 1;
  }
}

// The functions below return an empty name for a place that is none of theirs.

std::string nameInCache(const fs::path& place) {
  fs::path repository = place;
  while (repository.has_relative_path() && repositoryOf(repository).empty())
    repository = repository.parent_path();
  std::string name = repositoryOf(repository);
  const fs::path below = place.lexically_relative(repository);
  auto part = below.begin();
  if (name.empty() || part == below.end() || *part != "snapshots" || ++part == below.end()) return name;
  const std::string commit = part->string();
  if (isModelFile(place))
    name += suffixOf(place);
  else
    while (++part != below.end()) name += '/' + part->string();
  constexpr std::size_t kShown = 8;
  return isBesideMain(repository, commit) ? name + " (" + commit.substr(0, kShown) + ')' : name;
}

// PROGRAM/models/owner/name, and what is in it.
std::string nameOfPublished(const fs::path& place) {
  constexpr std::array<std::string_view, 4> kPrograms = {"vitrine", ".lmstudio", "lm-studio", "llamacpp"};
  const auto isOfProgram = [&](const fs::path& folder) {
    const std::string program = folder.parent_path().filename().string();
    return folder.filename() == "models" && std::ranges::find(kPrograms, program) != kPrograms.end();
  };
  fs::path models = place.parent_path();
  while (models.has_relative_path() && !isOfProgram(models)) models = models.parent_path();
  if (!models.has_relative_path()) return {};
  const fs::path below = place.lexically_relative(models);
  const bool isFile = isModelFile(place);
  const auto parts = std::distance(below.begin(), below.end());
  if (parts < (isFile ? 3 : 2)) return {};
  const auto owner = below.begin();
  return isFile ? owner->string() + '/' + std::next(owner)->string() + suffixOf(place) : below.string();
}

// llama.cpp puts owner, repository and file into one name with "_" between. Where the owner ends stands in
// the names of its manifests: "manifest=owner=repository=tag.json".
std::string nameByManifest(const fs::path& place) {
  constexpr std::string_view kBegin = "manifest=", kEnd = ".json";
  if (!isModelFile(place)) return {};
  const GgufName file = ggufNameOf(place);
  std::string found;
  std::size_t longest = 0;
  forEachName(place.parent_path(), [&](const std::string& name) {
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return;
    const std::size_t owner = kBegin.size(), repository = name.find('=', owner) + 1;
    const std::size_t tag = repository == 0 ? 0 : name.find('=', repository) + 1;
    if (tag == 0) return;
    const std::string publisher = name.substr(owner, repository - 1 - owner);
    const std::string title = name.substr(repository, tag - 1 - repository);
    const std::string begin = publisher + '_' + title + '_';
    if (begin.size() <= longest || !file.base.starts_with(begin)) return;
    longest = begin.size();
    found = publisher + '/' + title + ':' +
            (file.quantization.empty() ? file.base.substr(begin.size()) : file.quantization);
  });
  return found;
}

std::string plainName(const fs::path& place) {
  if (!isModelFile(place)) return place.filename().string();
  const std::string base = ggufNameOf(place).base;
  return isCalledModel(base) ? place.parent_path().filename().string() : base;
}

bool isBuiltin(const fs::path& place) {
  std::error_code error;
  return fs::equivalent(place, dataFolder("model"), error);
}

}  // namespace

std::string modelName(const fs::path& model) {
  fs::path place = plainPath(model);
  try {
    place = plainPath(modelPlace(place));
  } catch (const EngineError&) {
    // Its name is asked for, no more.
  }
  if (isBuiltin(place)) return "Built-in model";
  for (const auto& nameIn : {&ollamaNameOf, &nameInCache, &nameOfPublished, &nameByManifest})
    if (std::string name = nameIn(place); !name.empty()) return name;
  return plainName(place);
}

}  // namespace vitrine
