// The cache of huggingface_hub, which transformers, vLLM and newer versions of llama.cpp use:
//
//   models--OWNER--NAME/refs/main          the commit that "main" was at
//   models--OWNER--NAME/snapshots/COMMIT/  the files of a commit, links into
//   models--OWNER--NAME/blobs/             what they contain
//
// Thread: any. Read next: model_finder.h.
#pragma once

#include "catalog/model_candidate.h"

namespace vitrine {

// Looks through the snapshots of every model, that of "main" first.
void findInHuggingFaceCache(const QString& root, int depth, int& entries, const FinderSink& sink);

}  // namespace vitrine
