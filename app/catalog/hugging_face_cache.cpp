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

const QLatin1String kPrefix("models--");

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

QString nameIn(const QString& repository, const QString& commit, const ModelPlace& place) {
  QString name = repository;
  if (!place.folder.isEmpty() && place.base.isEmpty()) name += '/' + place.folder;
  if (!place.base.isEmpty()) name += ':' + (place.quantization.isEmpty() ? place.base : place.quantization);
  return commit.isEmpty() ? name : name + " (" + commit.left(8) + ')';
}

void findInRepository(const QString& folder, const QString& repository, int depth, int& entries,
                      const FinderSink& sink) {
  const QString main = QString::fromUtf8(readSmallFile(folder + "/refs/main").trimmed());
  QStringList commits = foldersIn(folder + "/snapshots", {}, sink);
  std::ranges::stable_partition(commits, [&](const QString& commit) { return commit == main; });
  const bool isOnly = commits.size() == 1;
  for (const QString& commit : commits) {
    const QString shown = isOnly || commit == main ? QString() : commit;
    findModelsBelow({ModelProgram::kHuggingFace, folder + "/snapshots/" + commit,
                     [&](const ModelPlace& place) { return nameIn(repository, shown, place); }},
                    depth, entries, sink);
  }
}

}  // namespace

void findInHuggingFaceCache(const QString& root, int depth, int& entries, const FinderSink& sink) {
  for (const QString& folder : foldersIn(root, kPrefix, sink)) {
    if (--entries < 0 || sink.cancelled()) return;
    const QString repository = folder.mid(kPrefix.size()).replace("--", "/");
    findInRepository(root + '/' + folder, repository, depth, entries, sink);
  }
}

}  // namespace vitrine
