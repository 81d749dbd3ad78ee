// Ollama's models, by its manifests. Thread: any. Read next: vitrine/ollama_manifest.h; model_finder.h.
#pragma once

#include "catalog/model_candidate.h"

namespace vitrine {

void findInOllamaStore(const QString& root, int& entries, const FinderSink& sink);

}  // namespace vitrine
