// What may stand in the place of a model's file: the text of git-lfs, where a clone has not fetched the file;
// the page of a proxy or of a log-in, where a download has; the text of a symbolic link, where a copy has
// lost it.
//
// Each reader would find another fault in it, and none would name the cause. Thread: any.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "formats/input_file.h"

namespace vitrine {

// `beginning`: the first bytes of the file, 512 or all. Throws EngineError(kFileCorrupt) when they are those
// of a stand-in.
void refuseStandIn(const std::filesystem::path& path, std::string_view beginning, std::size_t fileBytes);

// A file of weights, of which parts are read. Throws what InputFile and refuseStandIn() throw.
std::unique_ptr<InputFile> openModelFile(const std::filesystem::path& path);
// A text beside the weights. Throws what readWholeFile() and refuseStandIn() throw.
std::string readModelText(const std::filesystem::path& path, std::size_t mostBytes);

}  // namespace vitrine
