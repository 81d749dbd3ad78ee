#include "gui/parts/file_drop.h"

#include <QMimeData>
#include <QUrl>

namespace vitrine {

QStringList droppedFiles(const QMimeData& data) {
  QStringList files;
  for (const QUrl& url : data.urls()) {
    if (!url.isLocalFile()) return {};
    files << url.toLocalFile();
  }
  return files;
}

}  // namespace vitrine
