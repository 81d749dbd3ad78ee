// Files from outside, read whole and safely: what lies beside a model, and the prompts, requests and
// scenarios that a user names.
//
// Reading never waits for a pipe without a writer, unless kFileOrPipe allows pipes, and never takes more
// memory than the limit. Thread: any. Read next: formats/input_file.h, which reads parts of large files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace vitrine {

// A user may hand a prompt over in a pipe (/dev/stdin, <(command)); beside a model only a file makes sense.
enum class InputKind { kFile, kFileOrPipe };

// The whole content. Throws EngineError naming the path: kFileNotFound; kFileUnreadable for a folder, a pipe,
// a device, a loop of symbolic links or a file without permission; kFileCorrupt when there are more than
// `mostBytes`, or when the file becomes shorter meanwhile.
std::string readWholeFile(const std::filesystem::path& path, std::size_t mostBytes,
                          InputKind kind = InputKind::kFile);

// Whether anything exists at `path`, readable or not: readWholeFile() then reports why it cannot be read.
// False for a symbolic link to nothing.
bool isThere(const std::filesystem::path& path);

}  // namespace vitrine
