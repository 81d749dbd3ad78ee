// modelName: what the window calls a model by its path: the file, what the engine calls a folder
// (model_place.h), or "Built-in model".
#pragma once

#include <QString>

namespace vitrine {

bool isBuiltinModel(const QString& path);
QString modelName(const QString& path);

}  // namespace vitrine
