// Checkpoint: the weight files of a model directory as one WeightSource, read by mmap.
//
// model.safetensors, or several shards named by model.safetensors.index.json, as Hugging Face writes them.
// Everything a header says is checked when it is opened; tensors are read when a page is touched. A file that
// shrinks while it is mapped is noticed at the next get(). Thread: one thread at a time.
// Read next: safetensors.h.
#pragma once

#include <filesystem>
#include <memory>

#include "models/weight_source.h"

namespace vitrine {

// Throws EngineError: kFileNotFound, kFileUnreadable, kFileCorrupt (naming file and tensor), kUnsupported.
std::unique_ptr<WeightSource> openCheckpoint(const std::filesystem::path& modelDirectory);

}  // namespace vitrine
