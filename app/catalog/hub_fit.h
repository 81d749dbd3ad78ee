// Whether files of the hub fit this machine, by the same estimate that models on this computer get. Thread:
// any. Read next: model_estimate.h; hub_choice.h.
#pragma once

#include "catalog/hub_choice.h"
#include "catalog/hub_offer.h"
#include "catalog/model_estimate.h"

namespace vitrine {

struct HubFit {
  MachineFigures machine = {};
  int contextTokens = 0;  // 0: each model's own
};

// Its cache counts where the offer tells it.
ModelEstimate estimateChoice(const HubOffer& offer, const HubChoice& choice, const HubFit& fit);

// Where the suggested files do not fit, the largest that do are suggested. A wish that names files keeps
// them.
void suggestFitting(QList<HubChoice>& choices, const HubAddress& wish, const HubOffer& offer,
                    const HubFit& fit);

// The suggested files of those that the offer names; none where it names none.
QList<HubChoice> offeredChoices(const HubOffer& offer, const HubFit& fit);

// nullptr: none is.
const HubChoice* suggestedChoice(const QList<HubChoice>& choices);

}  // namespace vitrine
