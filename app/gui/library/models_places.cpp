#include "gui/library/models_places.h"

#include "catalog/proxy_address.h"
#include "gui/settings/settings.h"

namespace vitrine {

// The user's settings go before the environment. The models of another folder for downloads are found as
// those of the user's own folders.
ModelsPlaces modelsPlaces(const QProcessEnvironment& environment, const Settings& settings) {
  QProcessEnvironment asSet = environment;
  if (!settings.hub().isEmpty()) asSet.insert(QStringLiteral("HF_ENDPOINT"), settings.hub());
  DownloadSettings hub = downloadSettings(asSet);
  if (auto parsed = parseProxy(settings.proxy()); parsed.proxy) hub.proxy = std::move(parsed.proxy);
  const QString folder = settings.downloadFolder();
  const auto roots = [environment, folder](QStringList own) {
    if (!folder.isEmpty() && !own.contains(folder)) own << folder;
    return defaultModelRoots(environment, own);
  };
  return {roots, folder.isEmpty() ? ownModelsFolder(environment) : folder, hub,
          [] { return availableMemory(); }};
}

}  // namespace vitrine
