// The shelf: a dozen good small models of families that this program opens, with the sizes of files that are
// known (resources/shelf/models.json). Thread: any. Read next: hub_fit.h.
#pragma once

#include <QByteArray>
#include <QList>

#include "catalog/hub_offer.h"

namespace vitrine {

// Of this program, the smallest first.
QList<HubOffer> hubShelf();

// {"models": [{"name", "repository", "family", "parameters", "context", "layers", "kvHeads", "headDim",
//              "files": [{"path", "bytes"}]}]}
// An entry that lacks something is left out.
QList<HubOffer> readShelf(const QByteArray& json);

}  // namespace vitrine
