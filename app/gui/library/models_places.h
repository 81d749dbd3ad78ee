// ModelsPlaces: where the window of models looks, where it puts what it downloads, and what it asks of the
// machine. Of this user, or made up for a test or a picture. Thread: values; the functions are called in the
// window's.
#pragma once

#include <QProcessEnvironment>
#include <functional>

#include "catalog/download_settings.h"
#include "catalog/model_estimate.h"
#include "catalog/model_roots.h"

namespace vitrine {

struct ModelsPlaces {
  std::function<ModelRoots(const QStringList& ownFolders)> roots;
  QString downloads;  // a folder, which may be missing
  DownloadSettings hub;
  std::function<qint64()> availableBytes;  // of memory; 0: not known
};

class Settings;

// Of this user, as the settings of downloads say.
ModelsPlaces modelsPlaces(const QProcessEnvironment& environment, const Settings& settings);

}  // namespace vitrine
