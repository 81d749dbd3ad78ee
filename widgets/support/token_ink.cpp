#include "widgets/support/token_ink.h"

#include "widgets/support/formats.h"

namespace vitrine {

QString flowingToken(const QString& text) {
  const QChar blank(0x2423);
  const QString shown = visibleToken(text);
  const bool isBlank = shown.count(blank) == shown.size();
  return isBlank ? shown : QString(shown).replace(blank, u' ');
}

bool hasName(const TokenSampled& sampled) { return sampled.text.empty() && !sampled.piece.empty(); }

const std::string& inkOf(const TokenSampled& sampled) {
  return hasName(sampled) ? sampled.piece : sampled.text;
}

}  // namespace vitrine
