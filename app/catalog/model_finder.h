// Models in a folder, whatever program keeps them: GGUF files, the parts of a split one together, and Hugging
// Face folders. Thread: any. Read next: hugging_face_cache.h and ollama_store.h, whose layouts differ.
#pragma once

#include "catalog/model_candidate.h"
#include "catalog/model_roots.h"

namespace vitrine {

// `entries` counts down, as in walkFolders().
void findModelsBelow(const ModelRoot& root, int depth, int& entries, const FinderSink& sink);

// A root as the program that it belongs to lays it out.
void findModels(const ModelRoot& root, int depth, int& entries, const FinderSink& sink);

}  // namespace vitrine
