#include "catalog/model_name.h"

#include <QFile>
#include <filesystem>

#include "vitrine/library_name.h"

namespace vitrine {

QString modelName(const QString& path) {
  return QString::fromStdString(modelName(std::filesystem::path(QFile::encodeName(path).toStdString())));
}

}  // namespace vitrine
