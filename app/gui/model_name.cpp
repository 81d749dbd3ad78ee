#include "model_name.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "vitrine/engine.h"

namespace vitrine {
namespace {

struct ModelNameWords {
  Q_DECLARE_TR_FUNCTIONS(vitrine::ModelName)
};

}  // namespace

bool isBuiltinModel(const QString& path) { return path.toStdString() == builtinModelDirectory().string(); }

QString modelName(const QString& path) {
  return isBuiltinModel(path) ? ModelNameWords::tr("Built-in model") : QFileInfo(path).fileName();
}

}  // namespace vitrine
