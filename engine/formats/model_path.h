// The paths of models, as modelPlace() and modelName() read them. Thread: any. Read next:
// vitrine/model_place.h.
#pragma once

#include <filesystem>
#include <string>

namespace vitrine {

// The path as the rest of the program takes it: absolute, without "..", and without a slash at its end.
std::filesystem::path plainPath(const std::filesystem::path& path);

// "owner/name" of a folder "models--owner--name" of the Hugging Face cache; empty for another folder.
std::string repositoryOf(const std::filesystem::path& folder);

// The text of refs/main of such a folder, without blanks at its end; empty where there is none. Throws
// EngineError as readWholeFile().
std::string mainOf(const std::filesystem::path& repository);

}  // namespace vitrine
