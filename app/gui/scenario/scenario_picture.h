// A scenario in miniature, drawn from its timetable: a lane a request from its arrival on, prefill dark and
// the answer bright, siblings and beams as thin lanes of their own, a cross where it is cancelled; under them
// the blocks of a small pool.
//
// It shows what the file asks for, not what the scheduler makes of it: that is for the machine to show.
// Thread: the window's.
#pragma once

#include "scenarios/scenario.h"

class QPainter;
class QRectF;

namespace vitrine {

class Theme;

void paintScenario(QPainter& painter, const QRectF& area, const Scenario& scenario, const Theme& theme);

}  // namespace vitrine
