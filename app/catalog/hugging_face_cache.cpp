#include "catalog/hugging_face_cache.h"

#include <QFile>
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "catalog/catalog_wording.h"
#include "catalog/model_finder.h"
#include "catalog/small_file.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

QStringList foldersIn(const QString& folder, const QString& prefix, const FinderSink& sink) {
  QStringList names;
  std::error_code error;
  fs::directory_iterator at(QFile::encodeName(folder).toStdString(), error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    const QString name = QFile::decodeName(at->path().filename().c_str());
    std::error_code ignored;
    if (name.startsWith(prefix) && at->is_directory(ignored)) names.append(name);
  }
  if (error && error != std::errc::no_such_file_or_directory)
    sink.leftOut({ModelProgram::kHuggingFace, folder,
                  CatalogWording::tr("cannot be read: %1").arg(QString::fromStdString(error.message()))});
  names.sort();
  return names;
}

void findInRepository(const QString& folder, int depth, int& entries, const FinderSink& sink) {
  const QString main = QString::fromUtf8(readSmallFile(folder + "/refs/main").trimmed());
  QStringList commits = foldersIn(folder + "/snapshots", {}, sink);
  std::ranges::stable_partition(commits, [&](const QString& commit) { return commit == main; });
  for (const QString& commit : commits)
    findModelsBelow({ModelProgram::kHuggingFace, folder + "/snapshots/" + commit}, depth, entries, sink);
}

}  // namespace

void findInHuggingFaceCache(const QString& root, int depth, int& entries, const FinderSink& sink) {
  for (const QString& folder : foldersIn(root, "models--", sink)) {
    if (--entries < 0 || sink.cancelled()) return;
    findInRepository(root + '/' + folder, depth, entries, sink);
  }
}

}  // namespace vitrine
