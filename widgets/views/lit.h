// The look of what the spotlight is on, the same in every view. Thread: the window's. Read next:
// widgets/models/spotlight.h.
#pragma once

#include <QRectF>

#include "widgets/support/theme.h"

class QPainter;

namespace vitrine {

void paintLitGround(QPainter& painter, const QRectF& area, double radius, const Theme& theme);  // behind text
void paintLitFrame(QPainter& painter, const QRectF& area, double radius, const Theme& theme);

}  // namespace vitrine
