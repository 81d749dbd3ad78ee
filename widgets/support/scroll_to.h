// Thread: the window's.
#pragma once

class QRect;
class QWidget;

namespace vitrine {

// Brings an area of a part into sight, where the part lies in a scroll area: what keys move in a part that
// is as high as its text.
void scrollTo(const QWidget& part, const QRect& area);

}  // namespace vitrine
