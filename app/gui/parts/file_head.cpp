#include "gui/parts/file_head.h"

#include <QFile>
#include <QFileInfo>

namespace vitrine {

std::string fileHead(const QString& path, std::size_t bytes) {
  QFile file(path);
  if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return {};
  return file.read(static_cast<qint64>(bytes)).toStdString();
}

}  // namespace vitrine
