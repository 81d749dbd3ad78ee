// modelName: the engine's name of a model (vitrine/library_name.h) for paths of Qt. The name of the model
// that is open stands in EngineLoaded. Thread: any; reads small files.
#pragma once

#include <QString>

namespace vitrine {

QString modelName(const QString& path);

}  // namespace vitrine
