// describeModel(): opens a candidate for what can be said of it. Reads no weight. Thread: any; a large
// tokenizer takes a second. Read next: vitrine/inspect.h.
#pragma once

#include <filesystem>
#include <variant>

#include "catalog/model_candidate.h"

namespace vitrine {

// A model, also one that this program cannot open, or why it is none: files that went away meanwhile, and
// GGUF files that hold something else. Throws nothing.
std::variant<FoundModel, LeftOut> describeModel(const ModelCandidate& candidate);

// What a model takes in memory: weights, cache and context, without its tokenizer. Throws EngineError as
// loading it.
FoundModel sizesOf(const std::filesystem::path& model);

}  // namespace vitrine
