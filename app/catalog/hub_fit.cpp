#include "catalog/hub_fit.h"

#include <QRegularExpression>
#include <algorithm>

namespace vitrine {
namespace {

// Of most weights, by the label: "Q4_K" of "Q4_K_M".
QString typeOf(const HubChoice& choice) {
  static const QRegularExpression type(
      QStringLiteral("^(?:UD-)?(I?Q\\d_(?:K|NL|XS|\\d)|BF16|F16|F32|MXFP4)(?:_|$)"));
  return type.match(choice.label).captured(1);
}

}  // namespace

ModelEstimate estimateChoice(const HubOffer& offer, const HubChoice& choice, const HubFit& fit) {
  FoundModel model{offer.name};
  model.isFolder = choice.isFolder;
  model.opens = true;
  model.parameters = offer.parameters;
  model.contextLength = offer.contextLength > 0 ? offer.contextLength : fit.contextTokens;
  model.quantization = typeOf(choice);
  model.bytes = model.weightBytes = model.bytesReadPerToken = choice.bytes();
  model.cacheBytesPerToken = offer.cacheBytesPerToken;
  model.headDim = offer.headDim;
  return estimateModel(model, fit.contextTokens, fit.machine);
}

const HubChoice* suggestedChoice(const QList<HubChoice>& choices) {
  const auto found = std::ranges::find(choices, true, &HubChoice::isSuggested);
  return found == choices.end() ? nullptr : &*found;
}

void suggestFitting(QList<HubChoice>& choices, const HubAddress& wish, const HubOffer& offer,
                    const HubFit& fit) {
  const auto fits = [&](const HubChoice& choice) {
    return choice.isReadable && estimateChoice(offer, choice, fit).fit != ModelFit::kNo;
  };
  const auto suggested = std::ranges::find(choices, true, &HubChoice::isSuggested);
  if (suggested == choices.end() || fits(*suggested)) return;
  if (!wish.file.isEmpty() || (!wish.quantization.isEmpty() && suggested->label == wish.quantization)) return;
  HubChoice* best = nullptr;
  for (HubChoice& choice : choices)
    if (fits(choice) && (best == nullptr || choice.bytes() > best->bytes())) best = &choice;
  if (best == nullptr) return;
  suggested->isSuggested = false;
  best->isSuggested = true;
}

QList<HubChoice> offeredChoices(const HubOffer& offer, const HubFit& fit) {
  const HubAddress wish{offer.repository};
  QList<HubChoice> choices = hubChoices({offer.repository, wish.revision, offer.files}, wish);
  suggestFitting(choices, wish, offer, fit);
  return choices;
}

}  // namespace vitrine
