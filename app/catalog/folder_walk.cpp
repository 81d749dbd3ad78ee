#include "catalog/folder_walk.h"

#include <sys/stat.h>

#include <QFile>
#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "catalog/catalog_wording.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

class Walk {
 public:
  Walk(int& entries, const WalkVisitor& visitor) : m_entries(entries), m_visitor(visitor) {}

  void enter(const fs::path& folder, int depth) {
    if (m_visitor.cancelled() || m_entries <= 0 || !isNew(folder)) return;
    FolderContent content{QFile::decodeName(folder.c_str()), {}, {}};
    std::vector<fs::path> below;
    read(folder, content, below);
    if (!m_visitor.folder(content)) return;
    if (depth == 0 && !below.empty())
      return skip(folder, CatalogWording::tr("lies too deep: the folders in it were not searched"));
    for (const fs::path& next : below) enter(next, depth - 1);
  }

 private:
  void read(const fs::path& folder, FolderContent& content, std::vector<fs::path>& below) {
    std::error_code error;
    fs::directory_iterator at(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      if (--m_entries < 0)
        return skip(folder, CatalogWording::tr("was not searched to its end: there are too many files"));
      sort(*at, content, below);
    }
    if (error)
      skip(folder, CatalogWording::tr("cannot be read: %1").arg(QString::fromStdString(error.message())));
    content.files.sort();
    content.dangling.sort();
    std::ranges::sort(below);
  }

  void sort(const fs::directory_entry& entry, FolderContent& content, std::vector<fs::path>& below) {
    const QString name = QFile::decodeName(entry.path().filename().c_str());
    if (name.startsWith('.')) return;
    std::error_code error;
    const fs::file_status status = entry.status(error);  // of what a link leads to
    if (fs::is_directory(status))
      below.push_back(entry.path());
    else if (fs::is_regular_file(status))
      content.files.append(name);
    else if (!fs::exists(status) && entry.is_symlink(error))
      content.dangling.append(name);
  }

  bool isNew(const fs::path& folder) {
    struct stat found {};
    if (::stat(folder.c_str(), &found) != 0) {
      // A root that is not there is none; a folder that went away meanwhile neither.
      if (errno != ENOENT) skip(folder, CatalogWording::tr("cannot be read: %1").arg(qt_error_string(errno)));
      return false;
    }
    return m_entered.emplace(found.st_dev, found.st_ino).second;
  }

  void skip(const fs::path& path, const QString& reason) {
    m_visitor.skipped(QFile::decodeName(path.c_str()), reason);
  }

  int& m_entries;
  const WalkVisitor& m_visitor;
  std::set<std::pair<dev_t, ino_t>> m_entered;
};

}  // namespace

void walkFolders(const QString& root, int depth, int& entries, const WalkVisitor& visitor) {
  Walk(entries, visitor).enter(QFile::encodeName(root).toStdString(), depth);
}

}  // namespace vitrine
