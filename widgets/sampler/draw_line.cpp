#include "widgets/sampler/draw_line.h"

#include "widgets/sampler/draw_bar.h"
#include "widgets/support/formats.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr int kLineDigits = 2;

QStringList choiceLines(const DrawBar& drawn) {
  const QString& token = drawn.chosenText;
  if (drawn.rule == DrawBar::Rule::kGreedy)
    return {Wording::tr("Greedy: “%1” is the most likely token").arg(token),
            Wording::tr("greedy: “%1”").arg(token)};
  if (drawn.rule == DrawBar::Rule::kUntold)
    return {Wording::tr("“%1”; how it was chosen is not told").arg(token), Wording::tr("“%1”").arg(token)};
  const QString number = formatDecimal(drawn.number, kLineDigits);
  if (drawn.rule == DrawBar::Rule::kOther)
    return {Wording::tr("“%1” was chosen by another rule").arg(token),
            Wording::tr("another rule: “%1”").arg(token)};
  return {Wording::tr("%1 was drawn: it falls into “%2”").arg(number, token),
          Wording::tr("%1 falls into “%2”").arg(number, token), Wording::tr("%1: “%2”").arg(number, token)};
}

QStringList previewLines(const DrawBar& drawn, const DrawBar& previewed) {
  const QString& token = previewed.chosenText;
  if (previewed.chosen == drawn.chosen)
    return {Wording::tr("The preview chooses “%1” as well").arg(token),
            Wording::tr("preview: “%1” as well").arg(token)};
  return {Wording::tr("The preview chooses “%1” instead of “%2”").arg(token, drawn.chosenText),
          Wording::tr("preview: “%1”").arg(token)};
}

}  // namespace

QStringList drawLines(const DrawBar& drawn, const DrawBar* previewed, double entropyBits) {
  QStringList choices = choiceLines(drawn);
  if (previewed != nullptr) choices = previewLines(drawn, *previewed);
  if (entropyBits < 0) return choices;
  const QString bits = formatDecimal(entropyBits, 1);
  QStringList lines;
  for (const QString& choice : choices) lines << Wording::tr("%1 · entropy %2 bits").arg(choice, bits);
  lines << Wording::tr("%1 · %2 bits").arg(choices.back(), bits);
  return lines;
}

}  // namespace vitrine
