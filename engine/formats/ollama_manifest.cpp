#include "vitrine/ollama_manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <vector>

#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/json_reader.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Fault = OllamaManifest::Fault;

constexpr std::size_t kMostBytes = std::size_t{4} << 20;

// "sha256:HEX", and with "-" as the name of a blob.
bool isDigest(std::string_view text) {
  constexpr std::string_view kBegin = "sha256";
  constexpr std::size_t kDigits = 64;
  if (text.size() != kBegin.size() + 1 + kDigits || !text.starts_with(kBegin)) return false;
  const char mark = text[kBegin.size()];
  return (mark == ':' || mark == '-') && std::ranges::all_of(text.substr(kBegin.size() + 1), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// Null for a file that is no JSON, or none that can be read.
Json readManifest(const fs::path& file) {
  Json root;
  try {
    if (!file.empty() && !parseJson(readWholeFile(file, kMostBytes), JsonBounds(), root).empty()) return {};
  } catch (const EngineError&) {
    return {};
  }
  return root;
}

std::string textIn(const Json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Null for what is not there, or no list.
const Json* listIn(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? &*found : nullptr;
}

// Empty for what is no digest.
fs::path blobOf(const fs::path& store, std::string digest) {
  if (!isDigest(digest)) return {};
  std::ranges::replace(digest, ':', '-');
  return store / "blobs" / digest;
}

// The one with the GGUF file as it was published, else the first.
Json chosenOf(const fs::path& store, const Json& manifests) {
  std::string digest;
  for (const Json& one : manifests)
    if (&one == &manifests.front() || textIn(one, "runner") == "ggml") digest = textIn(one, "digest");
  return readManifest(blobOf(store, digest));
}

// host/namespace/model/tag, the usual host and namespace left out.
std::string nameOf(const fs::path& below) {
  std::vector<std::string> parts;
  for (const fs::path& part : below) parts.push_back(part.string());
  if (parts.size() != std::size_t{kOllamaDepth}) return {};
  for (const std::string_view coded : {"%3A", "%3a"})  // a port
    for (std::size_t at = 0; (at = parts[0].find(coded, at)) != std::string::npos;)
      parts[0].replace(at, coded.size(), ":");
  std::string name = parts[2] + ':' + parts[3];
  const bool isUsualHost = parts[0] == "registry.ollama.ai" || parts[0] == "ollama.com";
  if (!isUsualHost || parts[1] != "library") name = parts[1] + '/' + name;
  return isUsualHost ? name : parts[0] + '/' + name;
}

// What is in a folder, in the order of names, without what is hidden.
std::vector<fs::directory_entry> entriesOf(const fs::path& folder) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error))
    if (!at->path().filename().string().starts_with('.')) entries.push_back(*at);
  std::ranges::sort(entries);
  return entries;
}

class NameSearch {
 public:
  NameSearch(const fs::path& manifests, const fs::path& blob) : m_manifests(manifests), m_blob(blob) {}

  // Empty: no manifest in the folder names the blob.
  std::string in(const fs::path& folder, int depth) {
    for (const fs::directory_entry& entry : entriesOf(folder)) {
      std::error_code error;
      if (m_left <= 0) return {};
      std::string name;
      if (entry.is_directory(error)) {
        if (depth > 1) name = in(entry.path(), depth - 1);
      } else if (entry.is_regular_file(error)) {
        --m_left;
        const OllamaManifest manifest = readOllamaManifest(m_manifests, entry.path());
        if (manifest.weights == m_blob) name = manifest.name;
      }
      if (!name.empty()) return name;
    }
    return {};
  }

 private:
  const fs::path &m_manifests, &m_blob;
  int m_left = 1000;  // manifests to read
};

}  // namespace

OllamaManifest readOllamaManifest(const fs::path& folder, const fs::path& manifest) {
  const fs::path store = folder.parent_path();
  OllamaManifest read{.name = nameOf(manifest.lexically_relative(folder))};
  const auto with = [&](Fault fault) {
    read.fault = fault;
    return read;
  };
  if (read.name.empty()) return with(Fault::kUnnamed);
  Json content = readManifest(manifest);
  if (const Json* further = listIn(content, "manifests")) content = chosenOf(store, Json(*further));
  const Json* layers = listIn(content, "layers");
  if (layers == nullptr) return with(Fault::kNoLayers);
  bool hasWeights = false, isInTensors = false;
  for (const Json& layer : *layers) {
    const std::string media = textIn(layer, "mediaType");
    const std::string_view type = std::string_view(media).substr(0, media.find(';'));
    if (!hasWeights && type == "application/vnd.ollama.image.model") {
      hasWeights = true;
      read.weights = blobOf(store, textIn(layer, "digest"));
    }
    isInTensors = isInTensors || type == "application/vnd.ollama.image.tensor";
  }
  if (!hasWeights) return with(isInTensors ? Fault::kInTensors : Fault::kNoWeights);
  return with(read.weights.empty() ? Fault::kNoDigest : Fault::kNone);
}

std::string ollamaNameOf(const fs::path& blob) {
  const fs::path blobs = blob.parent_path();
  if (blobs.filename() != "blobs" || !isDigest(blob.filename().string())) return {};
  for (const char* name : kOllamaManifests) {
    const fs::path manifests = blobs.parent_path() / name;
    if (std::string found = NameSearch(manifests, blob).in(manifests, kOllamaDepth); !found.empty())
      return found;
  }
  return {};
}

}  // namespace vitrine
