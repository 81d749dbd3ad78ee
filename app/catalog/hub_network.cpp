#include "catalog/hub_network.h"

#include <QHostAddress>
#include <QNetworkInterface>
#include <QNetworkProxyFactory>
#include <algorithm>

#include "catalog/catalog_wording.h"

namespace vitrine {
namespace {

class SystemProxies final : public QNetworkProxyFactory {
 public:
  QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery& query) override {
    return systemProxyForQuery(query);
  }
};

bool hasInterface() {
  return std::ranges::any_of(QNetworkInterface::allInterfaces(), [](const QNetworkInterface& one) {
    const auto flags = one.flags();
    return flags.testFlag(QNetworkInterface::IsUp) && flags.testFlag(QNetworkInterface::IsRunning) &&
           !flags.testFlag(QNetworkInterface::IsLoopBack);
  });
}

bool isHere(const QString& host) { return host == "localhost" || QHostAddress(host).isLoopback(); }

// A name that cannot be looked up may take the system half a minute; a machine without a network says so.
bool isOnline(const DownloadSettings& settings) {
  if (settings.hasNetwork) return settings.hasNetwork();
  return isHere(settings.hub.host()) || hasInterface();
}

}  // namespace

std::unique_ptr<QNetworkAccessManager> makeHubNetwork(const DownloadSettings& settings) {
  auto network = std::make_unique<QNetworkAccessManager>();
  network->setAutoDeleteReplies(false);
  if (settings.proxy)
    network->setProxy(*settings.proxy);
  else
    network->setProxyFactory(new SystemProxies);  // which it owns
  return network;
}

DownloadProblem problemBeforeAsking(const DownloadSettings& settings) {
  if (!mayRequest(settings.hub, settings))
    return {DownloadFault::kHostile,
            CatalogWording::tr("%1 is no safe address of a hub.").arg(settings.hub.toDisplayString()),
            CatalogWording::tr("It must begin with https.")};
  if (!isOnline(settings))
    return {DownloadFault::kOffline, CatalogWording::tr("This computer has no network connection."),
            CatalogWording::tr("Models already on this computer need none.")};
  return {};
}

}  // namespace vitrine
