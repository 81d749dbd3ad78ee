// The running program: its version, where its own files lie, and where it may keep others.
//
// A build tree has the layout of an installation: programs in bin, modules and share/vitrine beside it. So
// one rule finds the files of both, relative to the executable, and either may be moved as a whole. Thread:
// any.
#pragma once

#include <filesystem>
#include <string_view>

namespace vitrine {

// "0.1.0". CMakeLists.txt sets it; --version, About, traces and modules name it.
const char* version();

// share/vitrine/NAME, for example "model". The folder may be missing.
std::filesystem::path dataFolder(std::string_view name);

// vitrine/NAME in the user's folder for files that can be made again: $XDG_CACHE_HOME, or ~/.cache. Empty
// where the environment names neither. The folder may be missing.
std::filesystem::path cacheFolder(std::string_view name);

// The folder of modules loaded on demand (vitrine/module.h). The folder may be missing.
std::filesystem::path moduleFolder();

}  // namespace vitrine
