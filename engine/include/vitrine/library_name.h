// modelName(): what a model is called, by its path: the one place for every command and for the window, so
// that a model has the same name in the list of models, over the chat and under each answer.
//
//   the model that comes with the program       Built-in model
//   a blob of Ollama's store                    qwen3:8b, as `ollama list`
//   a snapshot of the Hugging Face cache        owner/name; of a commit beside "main", owner/name (1234abcd)
//   a GGUF file in one                          owner/name:Q8_0
//   owner/name below the models of LM Studio,   the same two
//     of Jan, and of this program
//   a file in the cache of llama.cpp            the same, by its manifests
//   another file, another folder                its name without part and .gguf, its name
//
// A GGUF file that shares its quantization with another one in its folder has its own name behind the colon,
// and "model.gguf" that of its folder. Reads names of files, and the small ones that say which model a blob
// is. Thread: any. Read next: ollama_manifest.h.
#pragma once

#include <filesystem>
#include <string>

namespace vitrine {

// Of what modelPlace() takes; also of a path that leads to no model. Throws nothing that is wrong with it.
std::string modelName(const std::filesystem::path& model);

}  // namespace vitrine
