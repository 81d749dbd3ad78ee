// How every view shows a request: a letter, a hatch and one of eight colours, never a colour alone.
//
// Colours are the eight of Okabe and Ito, which every kind of colour vision can distinguish ("Color Universal
// Design", 2008). Thread: any. Read next: vitrine/prose/request_mark.h, theme.h.
#pragma once

#include <QString>

#include "vitrine/event.h"
#include "vitrine/prose/request_mark.h"

class QPainter;
class QRectF;

namespace vitrine {

using prose::kRequestColours;

enum class Hatch : std::uint8_t { kNone, kRising, kFalling, kLevel, kUpright };
inline constexpr int kHatches = prose::kRequestHatches;

struct RequestStyle {
  QString letter;  // "A" ... "Z", "AA", ...
  int colourIndex = 0;
  Hatch hatch = Hatch::kNone;
};

RequestStyle requestStyle(RequestId request);
QString requestLetter(RequestId request);
// "A", or "A2" for the second of several answers.
QString sequenceLetter(RequestId request, int index, int sequences);

// Fills `area` with `colour` and draws the hatch over it in a shade that keeps letters readable.
void fillHatched(QPainter& painter, const QRectF& area, const QColor& colour, Hatch hatch,
                 double spacing = 6.0);

}  // namespace vitrine
