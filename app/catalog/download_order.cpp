#include "catalog/download_order.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStorageInfo>
#include <algorithm>

#include "catalog/catalog_wording.h"
#include "catalog/part_file.h"

namespace vitrine {
namespace {

// Of the file system; the folder and some above it may not be there yet.
qint64 freeBytesAt(QString folder) {
  while (!QFileInfo::exists(folder) && folder.size() > 1) folder = QFileInfo(folder).path();
  return QStorageInfo(folder).bytesAvailable();
}

qint64 bytesToCome(const DownloadOrder& order) {
  qint64 sum = 0;
  for (const HubFile& file : order.choice.files)
    if (!QFileInfo::exists(order.target(file)))
      sum += std::max<qint64>(0, file.bytes - PartFile::bytesAt(order.target(file)));
  return sum;
}

}  // namespace

DownloadProblem problemOf(const DownloadOrder& order, const DownloadSettings& settings) {
  if (order.choice.files.isEmpty())
    return {
        DownloadFault::kNotFound, CatalogWording::tr("No file of %1 was chosen.").arg(order.repository), {}};
  if (!QDir::isAbsolutePath(order.modelsFolder) || !isSafeHubPath(order.repository))
    return {DownloadFault::kCannotWrite,
            CatalogWording::tr("%1 is no place for models.").arg(order.folder()),
            {}};
  for (const HubFile& file : order.choice.files)
    if (!isSafeHubPath(file.path))
      return {DownloadFault::kHostile,
              CatalogWording::tr("\"%1\" is refused as the name of a file.").arg(file.path.left(100)),
              {}};
  constexpr qint64 kSpared = 64 << 20;  // for the rest of the system
  const qint64 needed = bytesToCome(order), free = settings.freeBytes ? settings.freeBytes(order.modelsFolder)
                                                                      : freeBytesAt(order.modelsFolder);
  if (needed > 0 && free >= 0 && needed + kSpared > free)
    return {
        DownloadFault::kNoSpace,
        CatalogWording::tr("The files need %1 more, and %2 are free in %3.")
            .arg(QLocale().formattedDataSize(needed), QLocale().formattedDataSize(free), order.modelsFolder),
        CatalogWording::tr("Make room, or choose another folder or a smaller file.")};
  return {};
}

void removeFiles(const DownloadOrder& order, const QSet<int>& finished) {
  for (int i = 0; i < order.choice.files.size(); ++i) {
    const QString target = order.target(order.choice.files[i]);
    PartFile::removeAt(target);
    if (finished.contains(i)) QFile::remove(target);
    for (QString folder = QFileInfo(target).path(); folder.size() > order.modelsFolder.size();
         folder = QFileInfo(folder).path())
      if (!QDir().rmdir(folder)) break;
  }
}

}  // namespace vitrine
