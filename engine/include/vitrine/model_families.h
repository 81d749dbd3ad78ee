// The families of models that the engine reads. Thread: any.
#pragma once

#include <string>
#include <vector>

namespace vitrine {

// As model_type of config.json names them, and general.architecture of a GGUF file: "llama", "qwen3".
std::vector<std::string> familyNames();

}  // namespace vitrine
