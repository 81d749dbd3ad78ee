// Stamps of small boxes: a box with round corners is rasterized once and then copied.
//
// A frame of lanes and blocks draws hundreds of boxes in a handful of looks, and Qt's rasterizer takes ten
// times as long for a smooth outline as a copy of its pixels takes. Thread: any; each thread keeps its own
// stamps.
#pragma once

class QBrush;
class QPainter;
class QPen;
class QRectF;

namespace vitrine {

// Draws what QPainter::drawRoundedRect() would draw. False, and nothing is drawn: the box is large, or the
// painter writes to no raster, is turned, stretched, sheer, or not smooth.
bool stampBox(QPainter& painter, const QRectF& area, double radius, const QPen& edge, const QBrush& ground);

}  // namespace vitrine
