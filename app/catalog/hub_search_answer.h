// The models that a search of the hub finds, as its API lists them:
//
//   GET /api/models?search=WORDS&filter=gguf&sort=downloads&limit=30&expand[]=downloads&expand[]=gguf
//   [{"id": "owner/name", "downloads", "gguf": {"total", "architecture", "context_length"}}]
//
// What the hub says is not trusted: an entry whose name is none is left out, and so is a figure that makes no
// sense. Thread: any. Read next: hub_search.h.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QUrl>

#include "catalog/hub_offer.h"

namespace vitrine {

struct HubSearchAnswer {
  QList<HubOffer> offers;
  QString problem = {};  // why there are none, in a sentence
};

HubSearchAnswer readHubSearch(const QByteArray& json);
QUrl hubSearchUrl(const QUrl& hub, const QString& words);

}  // namespace vitrine
