#include "catalog/hub_offer.h"

#include <algorithm>

#include "vitrine/model_families.h"

namespace vitrine {

OpensHere opensHere(const HubOffer& offer) {
  if (offer.family.isEmpty()) return OpensHere::kNotKnown;
  const auto names = familyNames();
  return std::ranges::find(names, offer.family.toStdString()) != names.end() ? OpensHere::kYes
                                                                             : OpensHere::kNo;
}

}  // namespace vitrine
