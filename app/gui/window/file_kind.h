// fileKind: what the program does with a file or folder that it is given without more words: named on the
// command line, dropped on the window, handed over by a later start. Read next: file_opening.h.
#pragma once

#include <QString>

namespace vitrine {

enum class FileKind {
  kTrace,         // a recorded run
  kModel,         // a folder, or a GGUF file
  kBenchResults,  // of `vitrine-cli bench`, also damaged ones
  kChats,         // exported by this program or another
  kScenario,
  kLesson,  // a Markdown file that begins as one
  kOther,   // a text for the chat at most
};

// By the name, and of JSON files also by what they begin with or hold: reads up to 8 MiB of one. A larger one
// is one of chats, since no other is that large. Never throws: a file that cannot be read has the kind of its
// name, so that opening it says why.
FileKind fileKind(const QString& path);

// Whether a file that has the kind by its name is one by what it holds: a scenario, a trace. True of the
// other kinds, and of a file that cannot be read. Never throws.
bool isByContents(FileKind kind, const QString& path);
// Whether a text for the chat is all that the file can be, by its name or by what it holds. Never throws.
bool isForChat(const QString& path);

}  // namespace vitrine
