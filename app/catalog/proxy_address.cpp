#include "catalog/proxy_address.h"

#include <QUrl>

#include "catalog/catalog_wording.h"

namespace vitrine {

ParsedProxy parseProxy(const QString& text) {
  const QString typed = text.trimmed();
  if (typed.isEmpty()) return {};
  if (typed.compare(QLatin1String("none"), Qt::CaseInsensitive) == 0)
    return {QNetworkProxy(QNetworkProxy::NoProxy)};
  const QUrl url(typed.contains(QLatin1String("://")) ? typed : QStringLiteral("http://") + typed,
                 QUrl::StrictMode);
  const bool isHttp = url.scheme() == QLatin1String("http");
  const bool isSocks = url.scheme() == QLatin1String("socks5");
  const bool isWhole = url.isValid() && !url.host().isEmpty() && url.port() > 0;
  const bool hasMore = (url.path().size() > 1) || url.hasQuery() || url.hasFragment();
  if (!isWhole || hasMore || !(isHttp || isSocks))
    return {{},
            CatalogWording::tr(
                "%1 is no address of a proxy. Write http://host:port, socks5://host:port, or none.")
                .arg(typed)};
  return {QNetworkProxy(isSocks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy, url.host(),
                        static_cast<quint16>(url.port()), url.userName(QUrl::FullyDecoded),
                        url.password(QUrl::FullyDecoded))};
}

}  // namespace vitrine
