// The sampling that a model comes with: generation_config.json of a folder, the keys general.sampling.* of a
// GGUF file.
//
// Of generation_config.json, the names of transformers: do_sample, temperature, top_k, top_p, min_p,
// typical_p, repetition_penalty. What is not there has no effect; do_sample false means greedy. Which tokens
// end an answer, the engine reads itself. Thread: any. Read next: app/gui/turns/chat_settings.h.
#pragma once

#include <filesystem>
#include <optional>

#include "vitrine/request.h"

namespace vitrine {

// Of a folder or a GGUF file, the seed aside. Nothing where it recommends nothing, where the file cannot be
// read, and where a number is out of its range: a chat goes on without.
std::optional<SamplingOptions> recommendedSampling(const std::filesystem::path& model);

}  // namespace vitrine
