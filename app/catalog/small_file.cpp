#include "catalog/small_file.h"

#include <QFile>

#include "vitrine/error.h"
#include "vitrine/files.h"

namespace vitrine {

QByteArray readSmallFile(const QString& path) {
  constexpr std::size_t kMostBytes = 4 << 20;
  if (path.isEmpty()) return {};
  try {
    return QByteArray::fromStdString(readWholeFile(QFile::encodeName(path).toStdString(), kMostBytes));
  } catch (const EngineError&) {
    return {};
  }
}

}  // namespace vitrine
