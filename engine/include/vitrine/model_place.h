// modelPlace(): what the path that a person gives as a model means. The one rule for every command and for
// the window: whatever takes a model takes what this takes.
//
// A model is a GGUF file, or a folder with config.json and safetensors. Two more folders lead to one of them:
// a repository of the Hugging Face cache (models--owner--name) to its snapshot, that of refs/main or the only
// one; a folder with the GGUF file of one model to that file. Thread: any.
#pragma once

#include <filesystem>

namespace vitrine {

// The file or folder to read; of a split model the first part. A path that is none of these, or not there,
// comes back as it is, for its reader to say what is wrong. Throws EngineError: kUnsupported for an adapter,
// which is no model, naming its base; kInvalidArgument for several models, naming them; kFileNotFound for a
// repository without its snapshot.
std::filesystem::path modelPlace(const std::filesystem::path& model);

// Throws EngineError(kUnsupported) for a folder with an adapter_config.json.
void refuseAdapter(const std::filesystem::path& folder);

}  // namespace vitrine
