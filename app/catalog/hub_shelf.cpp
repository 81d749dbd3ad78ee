#include "catalog/hub_shelf.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "catalog/hub_address.h"
#include "catalog/hub_json.h"

namespace vitrine {

QList<HubOffer> readShelf(const QByteArray& json) {
  QList<HubOffer> offers;
  for (const QJsonValue& entry : QJsonDocument::fromJson(json).object()["models"].toArray()) {
    HubOffer offer{entry["name"].toString(), entry["repository"].toString(), entry["family"].toString(),
                   wholeNumber(entry["parameters"])};
    offer.contextLength = entry["context"].toInt();
    offer.headDim = entry["headDim"].toInt();
    constexpr qint64 kKeyAndValue = 2, kBytes = sizeof(float);
    offer.cacheBytesPerToken =
        kKeyAndValue * kBytes * entry["layers"].toInt() * entry["kvHeads"].toInt() * offer.headDim;
    bool isWhole = !offer.name.isEmpty() && isRepositoryName(offer.repository) && offer.parameters > 0 &&
                   offer.contextLength > 0 && offer.cacheBytesPerToken > 0;
    for (const QJsonValue& file : entry["files"].toArray()) {
      offer.files.append({file["path"].toString(), wholeNumber(file["bytes"])});
      isWhole = isWhole && isSafeHubPath(offer.files.back().path) && offer.files.back().bytes > 0;
    }
    if (isWhole && !offer.files.isEmpty()) offers.append(offer);
  }
  return offers;
}

QList<HubOffer> hubShelf() {
  QFile file(QStringLiteral(":/shelf/models.json"));
  return file.open(QIODevice::ReadOnly) ? readShelf(file.readAll()) : QList<HubOffer>();
}

}  // namespace vitrine
