#include "catalog/hub_search_answer.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <limits>

#include "catalog/catalog_wording.h"
#include "catalog/hub_address.h"
#include "catalog/hub_json.h"

namespace vitrine {
namespace {

constexpr int kMostFound = 30;

}  // namespace

HubSearchAnswer readHubSearch(const QByteArray& json) {
  static const QRegularExpression familyName(QStringLiteral("^[A-Za-z0-9._-]{1,40}$"));
  const QJsonDocument document = QJsonDocument::fromJson(json);
  if (!document.isArray())
    return {{}, CatalogWording::tr("The hub's answer to the search is no list of models.")};
  HubSearchAnswer answer;
  for (const QJsonValue& entry : document.array()) {
    if (answer.offers.size() == kMostFound) break;
    HubOffer offer{entry["id"].toString(), entry["id"].toString()};
    if (!isRepositoryName(offer.repository)) continue;
    const QJsonValue gguf = entry["gguf"];
    offer.downloads = wholeNumber(entry["downloads"]);
    offer.parameters = qMax<qint64>(0, wholeNumber(gguf["total"]));
    const qint64 context = wholeNumber(gguf["context_length"]);
    if (context > 0 && context <= std::numeric_limits<int>::max())
      offer.contextLength = static_cast<int>(context);
    if (const QString family = gguf["architecture"].toString(); familyName.match(family).hasMatch())
      offer.family = family;
    answer.offers.append(offer);
  }
  return answer;
}

QUrl hubSearchUrl(const QUrl& hub, const QString& words) {
  return QUrl::fromEncoded(hub.toEncoded() + "/api/models?search=" + QUrl::toPercentEncoding(words) +
                           "&filter=gguf&sort=downloads&limit=" + QByteArray::number(kMostFound) +
                           "&expand%5B%5D=downloads&expand%5B%5D=gguf");
}

}  // namespace vitrine
