// Models in a folder, whatever program keeps them: GGUF files, the parts of a split one together, and Hugging
// Face folders. Thread: any. Read next: hugging_face_cache.h and ollama_store.h, whose layouts differ.
#pragma once

#include "catalog/model_candidate.h"
#include "catalog/model_roots.h"

namespace vitrine {

// Names a model. `folder` is relative to the root, without a slash at either end, empty for the root itself;
// `base` is the name of a GGUF file without its ending and part, empty for a folder; likewise `quantization`.
struct ModelPlace {
  QString folder, base, quantization;
};
using NameModel = std::function<QString(const ModelPlace&)>;

struct FolderSearch {
  ModelProgram program;
  QString root;
  NameModel name;
};

// `entries` counts down, as in walkFolders().
void findModelsBelow(const FolderSearch& search, int depth, int& entries, const FinderSink& sink);

// A root as the program that it belongs to lays it out.
void findModels(const ModelRoot& root, int depth, int& entries, const FinderSink& sink);

}  // namespace vitrine
