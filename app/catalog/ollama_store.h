// Ollama's models: a manifest, whose path is the model's name, lists layers by their digest.
//
//   manifests-v2/ollama.com/library/qwen3/8b         JSON: layers with mediaType, digest, size
//   manifests/registry.ollama.ai/library/qwen3/8b    the same, of versions before 0.40 and kept by later ones
//   blobs/sha256-HEX                                 a layer; that of the weights is a GGUF file
//
// Since 0.40 a manifest may also list further ones, in blobs, one for each way to run the model.
//
// Thread: any. Read next: model_finder.h.
#pragma once

#include "catalog/model_candidate.h"

namespace vitrine {

// Names are as `ollama list` has them: "qwen3:8b", "owner/name:tag", "hf.co/owner/name:tag".
void findInOllamaStore(const QString& root, int& entries, const FinderSink& sink);

}  // namespace vitrine
