// walkFolders(): folders of other programs, within bounds.
//
// Each folder is entered once, however many symbolic links lead to it, so that a loop ends. Hidden folders
// and files are passed over. Thread: any; it may take long, and asks whether it is still wanted. Read next:
// model_finder.h.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

namespace vitrine {

struct WalkLimits {
  int depth = 8;          // folders below the first one
  int entries = 200'000;  // files and folders looked at, all together
};

struct FolderContent {
  QString folder;
  QStringList files;     // names of regular files, or of links to them, in order
  QStringList dangling;  // names of links to nothing
  bool has(const QString& name) const { return files.contains(name); }
};

struct WalkVisitor {
  // Returns whether to go into the folders below.
  std::function<bool(const FolderContent&)> folder;
  std::function<void(const QString& path, const QString& reason)> skipped;
  std::function<bool()> cancelled;
};

// Does nothing for a root that is not there. Counts `entries` down: several walks may share the bound.
void walkFolders(const QString& root, int depth, int& entries, const WalkVisitor& visitor);

}  // namespace vitrine
