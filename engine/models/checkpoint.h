// Checkpoint: the weight files of a model directory as one WeightSource.
//
// model.safetensors, or several shards named by model.safetensors.index.json, as Hugging Face writes them.
// Everything a header says is checked when it is opened; a tensor is read into memory of its own when it is
// asked for. A file that shrinks or is written to meanwhile is an error then. Thread: one thread at a time.
// Read next: safetensors.h, core/input_file.h.
#pragma once

#include <filesystem>
#include <memory>

#include "models/weight_source.h"

namespace vitrine {

// Throws EngineError: kFileNotFound, kFileUnreadable, kFileCorrupt (naming file and tensor), kUnsupported.
std::unique_ptr<WeightSource> openCheckpoint(const std::filesystem::path& modelDirectory);

}  // namespace vitrine
