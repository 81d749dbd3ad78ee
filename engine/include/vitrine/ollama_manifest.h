// OllamaManifest: Ollama's word on a model: its path is the model's name, its content lists layers by their
// digest.
//
//   manifests-v2/ollama.com/library/qwen3/8b         JSON: layers with mediaType, digest, size
//   manifests/registry.ollama.ai/library/qwen3/8b    the same, of versions before 0.40 and kept by later ones
//   blobs/sha256-HEX                                 a layer; that of the weights is a GGUF file
//
// Since 0.40 a manifest may also list further ones, in blobs, one for each way to run the model. Thread: any.
#pragma once

#include <array>
#include <filesystem>
#include <string>

namespace vitrine {

struct OllamaManifest {
  enum class Fault {
    kNone,
    kUnnamed,    // its path is no name of a model
    kNoLayers,   // it cannot be read, or lists none
    kInTensors,  // each tensor has a file of its own
    kNoWeights,  // none on this computer: they are elsewhere
    kNoDigest,   // what should be one is none
  };
  Fault fault = Fault::kNone;
  std::string name = {};               // as `ollama list` has it: "qwen3:8b", "owner/name:tag"
  std::filesystem::path weights = {};  // a path below blobs, which may be missing; empty with a fault
};

// The folders of manifests in a store; the name of a model counts in the first one that has it.
inline constexpr std::array<const char*, 2> kOllamaManifests = {"manifests-v2", "manifests"};
inline constexpr int kOllamaDepth = 4;  // of a manifest below one of them: host, namespace, model, tag

// `manifest` lies below `folder`, one of kOllamaManifests. Throws nothing.
OllamaManifest readOllamaManifest(const std::filesystem::path& folder, const std::filesystem::path& manifest);

// The name of the first manifest with this blob as its weights, in the order of names; empty for a path that
// is no blob of a store, and for a blob without a manifest. Reads at most a thousand manifests.
std::string ollamaNameOf(const std::filesystem::path& blob);

}  // namespace vitrine
