#include "gui/machine/model_name.h"

#include <QFile>
#include <QFileInfo>
#include <filesystem>

#include "vitrine/engine.h"
#include "vitrine/model_place.h"
#include "widgets/support/wording.h"

namespace vitrine {

bool isBuiltinModel(const QString& path) { return path.toStdString() == builtinModelDirectory().string(); }

QString modelName(const QString& path) {
  if (isBuiltinModel(path)) return Wording::tr("Built-in model");
  const QFileInfo place(path);
  return place.isDir()
             ? QString::fromStdString(modelName(std::filesystem::path(QFile::encodeName(path).toStdString())))
             : place.fileName();
}

}  // namespace vitrine
