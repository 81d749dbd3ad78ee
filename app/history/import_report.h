// What an import marked and left out, counted. Thread: values.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "vitrine/names.h"

namespace vitrine {

enum class ImportNote : std::uint8_t {
  kPicture,    // "[picture]" stands in its place
  kFile,       // "[file: name]", with its text where the export has it
  kSound,      // "[sound]" or "[video]"
  kTool,       // requests of tools: "[tool: name]" in the answer, the rest in a message of the tool
  kReference,  // links in the place of the program's own marks
  kHidden,     // messages that their program does not show; left out
  kEmpty,      // messages without any content; left out
  kStranger,   // entries that are no chat or no message; left out
};
VITRINE_NAMES(ImportNote, "picture", "file", "sound", "tool", "reference", "hidden", "empty", "stranger");

class ImportNotes {
 public:
  void add(ImportNote note, int times = 1) { m_times[static_cast<std::size_t>(note)] += times; }
  int of(ImportNote note) const { return m_times[static_cast<std::size_t>(note)]; }
  ImportNotes& operator+=(const ImportNotes& more) {
    for (std::size_t i = 0; i < m_times.size(); ++i) m_times[i] += more.m_times[i];
    return *this;
  }

  bool operator==(const ImportNotes&) const = default;

 private:
  std::array<int, 8> m_times{};
};

// Of one file that was imported; of an archive, of all files in it.
struct ImportReport {
  std::string format;  // the program that wrote the chats
  std::size_t chats = 0;
  ImportNotes notes;
  std::vector<std::string> unread;  // files of an archive that could not be read, each with the reason
};

}  // namespace vitrine
