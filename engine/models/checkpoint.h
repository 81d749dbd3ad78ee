// Checkpoint: the weight files of a model as one WeightSource.
//
// A GGUF file with its parts (gguf_model.h), or a model directory:
// model.safetensors, or several shards named by model.safetensors.index.json, as Hugging Face writes them.
// Everything a header says is checked when it is opened; a tensor is read into memory of its own when it is
// asked for. A file that shrinks or is written to meanwhile is an error then. Thread: one thread at a time.
// Read next: safetensors.h, formats/input_file.h.
#pragma once

#include <filesystem>
#include <memory>

#include "models/weight_source.h"

namespace vitrine {

// Names in the files with another prefix than "model." are translated: none, as where a decoder was saved
// without its head, and "model.language_model." or "language_model.model.", as in models that see. Throws
// EngineError: what modelPlace() throws; kFileNotFound, kFileUnreadable, kFileCorrupt (naming file and
// tensor), kUnsupported.
std::unique_ptr<WeightSource> openCheckpoint(const std::filesystem::path& model);

}  // namespace vitrine
