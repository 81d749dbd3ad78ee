#include "gui/machine/model_name.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <filesystem>

#include "vitrine/engine.h"
#include "vitrine/model_place.h"

namespace vitrine {
namespace {

struct ModelNameWords {
  Q_DECLARE_TR_FUNCTIONS(vitrine::ModelName)
};

}  // namespace

bool isBuiltinModel(const QString& path) { return path.toStdString() == builtinModelDirectory().string(); }

QString modelName(const QString& path) {
  if (isBuiltinModel(path)) return ModelNameWords::tr("Built-in model");
  const QFileInfo place(path);
  return place.isDir()
             ? QString::fromStdString(modelName(std::filesystem::path(QFile::encodeName(path).toStdString())))
             : place.fileName();
}

}  // namespace vitrine
