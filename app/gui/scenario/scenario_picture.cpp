#include "gui/scenario/scenario_picture.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <vector>

#include "scenarios/scenario_edits.h"
#include "widgets/support/request_style.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kMostLanes = 8, kMostBlocks = 16;  // of a picture
constexpr double kLettersOfAToken = 4;

constexpr int kLongAnswer = 256;  // tokens, where a request has no limit

// In steps, if the request ran alone.
struct PictureLane {
  int request = 0;
  double arrival = 0, prefill = 1, end = 1;
  bool cancelled = false;
};

std::vector<PictureLane> lanesOf(const Scenario& scenario) {
  std::vector<PictureLane> lanes;
  const int budget = std::max(scenario.engine.options.tokenBudget, 1);
  for (std::size_t i = 0; i < scenario.requests.size(); ++i) {
    const Request& request = scenario.requests[i].arguments.request;
    const double tokens = request.tokenIds.empty()
                              ? static_cast<double>(request.prompt.size()) / kLettersOfAToken
                              : static_cast<double>(request.tokenIds.size());
    PictureLane lane{static_cast<int>(i), static_cast<double>(scenario.requests[i].arrivalStep)};
    lane.prefill = lane.arrival + std::max(std::ceil(tokens / budget), 1.0);
    lane.end = lane.prefill + (request.maxTokens > 0 ? request.maxTokens : kLongAnswer);
    if (const auto step = cancelStepOf(scenario, i); step && *step < lane.end) {
      lane.end = std::max<double>(*step, lane.arrival + 1);
      lane.prefill = std::min(lane.prefill, lane.end);
      lane.cancelled = true;
    }
    lanes.insert(lanes.end(), static_cast<std::size_t>(std::clamp(request.sequenceSlots(), 1, kMostLanes)),
                 lane);
    if (lanes.size() >= kMostLanes) break;
  }
  lanes.resize(std::min(lanes.size(), std::size_t{kMostLanes}));
  return lanes;
}

void paintLane(QPainter& painter, const QRectF& room, const PictureLane& lane, double steps,
               const Theme& theme) {
  const auto at = [&](double step) { return room.left() + room.width() * std::min(step / steps, 1.0); };
  const RequestStyle style = requestStyle(static_cast<RequestId>(lane.request + 1));
  const QColor colour = theme.request(style.colourIndex);
  const QRectF prompt(QPointF(at(lane.arrival), room.top()), QPointF(at(lane.prefill), room.bottom()));
  const QRectF answer(QPointF(at(lane.prefill), room.top()), QPointF(at(lane.end), room.bottom()));
  fillHatched(painter, answer, colour, style.hatch, 4);
  painter.fillRect(prompt.united(QRectF(prompt.topLeft(), QSizeF(2, room.height()))),
                   mix(colour, theme.text(), 0.6));
  if (!lane.cancelled) return;
  const double arm = std::max(room.height() / 2, 2.0);
  const QPointF end(std::min(at(lane.end) + arm, room.right() - arm), room.center().y());
  painter.setPen(QPen(theme.warning(), 1.6));
  painter.drawLine(end - QPointF(arm, arm), end + QPointF(arm, arm));
  painter.drawLine(end - QPointF(arm, -arm), end + QPointF(arm, -arm));
}

void paintPool(QPainter& painter, const QRectF& room, int blocks, const Theme& theme) {
  const double width = std::min(room.width() / blocks, room.height() * 1.6);
  painter.setPen(QPen(theme.dimText(), 1));
  painter.setBrush(Qt::NoBrush);
  for (int i = 0; i < blocks; ++i)
    painter.drawRect(QRectF(room.left() + i * width, room.top(), width - 2, room.height()));
}

}  // namespace

void paintScenario(QPainter& painter, const QRectF& area, const Scenario& scenario, const Theme& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.line(), 1));
  painter.setBrush(theme.panel());
  painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  QRectF room = area.adjusted(6, 6, -6, -6);
  if (const int blocks = scenario.engine.options.numBlocks; blocks > 0 && blocks <= kMostBlocks) {
    const double height = std::max(room.height() / 6, 5.0);
    paintPool(painter, QRectF(room.left(), room.bottom() - height, room.width(), height), blocks, theme);
    room.setBottom(room.bottom() - height - 4);
  }
  const std::vector<PictureLane> lanes = lanesOf(scenario);
  double steps = 1;
  for (const PictureLane& lane : lanes) steps = std::max(steps, lane.end);
  const double pitch = room.height() / static_cast<double>(std::max<std::size_t>(lanes.size(), 3));
  for (std::size_t i = 0; i < lanes.size(); ++i)
    paintLane(painter,
              QRectF(room.left(), room.top() + static_cast<double>(i) * pitch, room.width(), pitch * 0.72),
              lanes[i], steps, theme);
  painter.restore();
}

}  // namespace vitrine
