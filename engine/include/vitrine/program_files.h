// The running program: its version, and where its own files lie.
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

// The folder of modules loaded on demand (vitrine/module.h). The folder may be missing.
std::filesystem::path moduleFolder();

}  // namespace vitrine
