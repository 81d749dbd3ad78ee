// HubOffer: a model of the hub before its files are listed: what a search of the hub or the shelf says of it.
// Nothing is made up: what is not known is empty. Thread: values. Read next: hub_shelf.h; hub_search.h.
#pragma once

#include <QList>
#include <QString>

#include "catalog/hub_listing.h"

namespace vitrine {

struct HubOffer {
  QString name;               // for people
  QString repository;         // "owner/name"
  QString family = {};        // as familyNames() has it; empty: not known
  qint64 parameters = 0;      // 0: not known
  qint64 downloads = -1;      // of the last month; -1: not known
  int contextLength = 0;      // tokens, at most; 0: not known
  QList<HubFile> files = {};  // those whose sizes are known
  // Of the KV cache, float32, all layers, as FoundModel has it; 0: not known.
  qint64 cacheBytesPerToken = 0;
  int headDim = 0;
};

enum class OpensHere { kYes, kNo, kNotKnown };

// Whether this program reads the family; what is in the file only the file says.
OpensHere opensHere(const HubOffer& offer);

}  // namespace vitrine
