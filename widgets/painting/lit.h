// The look of what the spotlight is on, the same in every view. Thread: the window's. Read next:
// widgets/session/spotlight.h.
#pragma once

#include <QRectF>

#include "vitrine/ids.h"
#include "widgets/support/theme.h"

class QPainter;

namespace vitrine {

class Session;

void paintLitGround(QPainter& painter, const QRectF& area, double radius, const Theme& theme);  // behind text
void paintLitFrame(QPainter& painter, const QRectF& area, double radius, const Theme& theme);

// Whether the spotlight is on blocks, and the sequence holds some of them in the state shown.
bool holdsLitBlocks(Session& session, SequenceId sequence);

}  // namespace vitrine
