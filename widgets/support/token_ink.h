// What is drawn of a token where many of them stand in a line, so that none is without ink. Everywhere else
// visibleToken() draws the blanks between words, too. Thread: any.
#pragma once

#include <QString>

#include "vitrine/events/sampling.h"

namespace vitrine {

// As visibleToken(), but the blanks beside ink stay blanks: " the\n" as " the↵", " " as "␣".
QString flowingToken(const QString& text);

// Whether a sampled token has no text of its own, but a name: "</s>".
bool hasName(const TokenSampled& sampled);

// The text of a sampled token; the name of one without a text of its own: "</s>". Empty for a part of a
// character.
const std::string& inkOf(const TokenSampled& sampled);

}  // namespace vitrine
