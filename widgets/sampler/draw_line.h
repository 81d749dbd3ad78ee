// drawLines: how a token was chosen, in one line under the candidates: the number that was drawn and the
// token that it falls into, what a preview would have chosen, and the entropy. Thread: values. Read next:
// draw_bar.h.
#pragma once

#include <QStringList>

namespace vitrine {

struct DrawBar;

// The same in fewer words each, the longest first. previewed: null without a preview. entropyBits: below 0
// when it was not measured.
QStringList drawLines(const DrawBar& drawn, const DrawBar* previewed, double entropyBits);

}  // namespace vitrine
