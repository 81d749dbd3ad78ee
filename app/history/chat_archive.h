// The files of chats in a ZIP archive, which programs export. Nothing is unpacked to the disk, and a name in
// the archive is only ever shown.
//
// libzip reads it: the formats of ZIP (64 bits, data descriptors, several methods) and damaged ones are its
// business. Sizes are bounded by what comes out, not by what the archive says. Thread: any.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "chat_import.h"

namespace vitrine {

// In bytes that come out.
struct ArchiveBounds {
  std::size_t file = kLargestImport;
  std::size_t all = std::size_t{2} << 30;  // of all files with chats
};

// Whether a file begins as an archive does.
bool isZip(const std::filesystem::path& file);

struct ArchivedFile {
  std::string name = {};   // without folders
  std::string bytes = {};  // empty where `fault` is not
  std::string fault = {};  // why the file could not be read
};

// Calls take() with each *.json and *.jsonl file, in the order of the archive, one in memory at a time; one
// above the bounds is a fault. Throws EngineError: kFileCorrupt for what is no sound archive, and for one in
// which all such files exceed the bounds together; kUnsupported for an encrypted one; kCancelled.
void readChatArchive(const std::filesystem::path& file, const std::atomic<bool>* cancelled,
                     const std::function<void(ArchivedFile)>& take, const ArchiveBounds& bounds = {});

}  // namespace vitrine
