// Paints the end of a text in a few lines, so that the newest word is always visible: the prompt dimmed, the
// answer, and the tokens of the step shown in a box. Thread: the window's.
#pragma once

#include <QRectF>

#include "widgets/session/newest_words.h"
#include "widgets/support/theme.h"

class QPainter;

namespace vitrine {

// In the painter's font. A text that is too long begins with "…"; a prompt without an answer ends with it.
void paintNewestWords(QPainter& painter, const QRectF& area, const NewestWords& words, int lines,
                      const QColor& answer, const Theme& theme);

// The part of `words` that fits into `lines` lines of this width, as it is painted.
NewestWords fittingWords(const NewestWords& words, int lines, double width, const QFont& font);

}  // namespace vitrine
