#include "widgets/requests/lane_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr int kLowCell = 14;  // pixels; signs have room in it

// A lack of memory, slots or budget is a warning; a rule of the queue is not.
bool isShortage(WaitReason reason) {
  return reason == WaitReason::kBlocks || reason == WaitReason::kSequences ||
         reason == WaitReason::kTokenBudget || reason == WaitReason::kPreemption;
}

// A sign for each reason, for cells without room for words.
QPainterPath waitSign(WaitReason reason, const QPointF& c) {
  QPainterPath path;
  switch (reason) {
    case WaitReason::kBlocks:
      path.addRect(QRectF(c.x() - 3, c.y() - 3, 6, 6));
      break;
    case WaitReason::kSequences:
      path.addEllipse(c, 3.5, 3.5);
      break;
    case WaitReason::kTokenBudget:
      path.addPolygon(
          QPolygonF({c + QPointF(-4, 3), c + QPointF(0, -4), c + QPointF(4, 3), c + QPointF(-4, 3)}));
      break;
    case WaitReason::kPreemption:
      path.addPolygon(QPolygonF({c + QPointF(-3, -3), c + QPointF(3, 3)}));
      path.addPolygon(QPolygonF({c + QPointF(3, -3), c + QPointF(-3, 3)}));
      break;
    case WaitReason::kBehind:
      path.addPolygon(QPolygonF({c + QPointF(-3, -4), c + QPointF(-3, 4)}));
      path.addPolygon(QPolygonF({c + QPointF(1, -4), c + QPointF(1, 4)}));
      break;
    case WaitReason::kBatch:
      path.addPolygon(
          QPolygonF({c + QPointF(2, -4), c + QPointF(-2, -4), c + QPointF(-2, 4), c + QPointF(2, 4)}));
      break;
    case WaitReason::kBeams:
      path.addPolygon(QPolygonF({c + QPointF(3, -4), c + QPointF(-3, 0), c + QPointF(3, 4)}));
      break;
    case WaitReason::kWindow:
      path.addEllipse(c, 4, 4);
      path.addPolygon(QPolygonF({c + QPointF(0, -3), c, c + QPointF(2, 0)}));
      break;
  }
  return path;
}

class CellPainter {
 public:
  CellPainter(QPainter& painter, const QRectF& cell, RequestId request, const LaneLook& look)
      : m_painter(painter),
        m_look(look),
        m_style(requestStyle(request)),
        m_colour(look.theme.request(m_style.colourIndex)) {
    const double line = look.metrics.height(), side = cell.width() < 12 ? 0 : 2;
    const bool texts = look.room != LaneRoom::kBare;
    const double band = look.room == LaneRoom::kLow ? kLowCell : line + 2;
    const double height = band + (texts ? line : 0);
    const QRectF inner(cell.left() + side, cell.center().y() - height / 2, cell.width() - 2 * side, height);
    m_band = QRectF(inner.topLeft(), QSizeF(inner.width(), band));
    if (texts) m_under = QRectF(cell.left() + 1, inner.bottom() - line, cell.width() - 2, line);
  }

  void waiting(const LaneWait* wait) {
    const bool shortage = wait && isShortage(wait->reason);
    const QColor colour = shortage ? m_look.theme.warning() : m_look.theme.dimText();
    const WaitWords words = wait ? waitWords(*wait) : WaitWords{};
    m_painter.setBrush(Qt::NoBrush);
    const double wide = std::max(textWidth(m_look.font, words.first), textWidth(m_look.font, words.second));
    if (!m_under.isEmpty() && !words.first.isEmpty() && wide + 2 <= m_band.width()) {
      const QRectF both = m_band.united(m_under);
      drawBox(m_painter, both.adjusted(0.5, 0.5, -0.5, -0.5), 4, QPen(colour, 1.2, Qt::DashLine));
      if (m_look.room == LaneRoom::kLow)
        return paintText(m_painter, both, Qt::AlignCenter, words.first, colour);
      paintText(m_painter, m_band, Qt::AlignCenter, words.first, colour);
      paintText(m_painter, m_under, Qt::AlignCenter, words.second, colour);
    } else {
      const QPointF c = m_band.center();
      m_painter.setPen(QPen(colour, 1.4, Qt::DotLine));
      const double gap = m_band.width() >= 14 ? 6 : 0;
      m_painter.drawLine(QPointF(m_band.left() + 1, c.y()), QPointF(c.x() - gap, c.y()));
      m_painter.drawLine(QPointF(c.x() + gap, c.y()), QPointF(m_band.right() - 1, c.y()));
      m_painter.setPen(QPen(colour, 1.5));
      if (wait && gap > 0) m_painter.drawPath(waitSign(wait->reason, c));
    }
  }

  void prefill(int tokens) {
    fillHatched(m_painter, m_band, m_colour, m_style.hatch);
    number(QString::number(tokens), m_band);
  }

  void decode() { fillHatched(m_painter, bar(m_band), m_colour, m_style.hatch, 5); }

  // The accepted drafts, the rejected ones, and the model's own token last, as they follow one another.
  void drafts(const LaneCell& work) {
    const int rejected = work.drafted - work.accepted, parts = work.drafted + 1;
    const double width = m_band.width() / parts;
    double x = m_band.left();
    const auto next = [&](int count) {
      const QRectF part(x, m_band.top(), width * count, m_band.height());
      x += part.width();
      return part;
    };
    const bool apart = width >= 9;  // otherwise equal ones are one part with their number
    for (int left = work.accepted; left > 0; left -= apart ? 1 : left)
      accepted(next(apart ? 1 : left), left, apart);
    for (int left = rejected; left > 0; left -= apart ? 1 : left)
      refused(next(apart ? 1 : left), left, apart);
    const QRectF own = bar(next(1)).adjusted(apart ? 1 : 0, 0, 0, 0);
    fillHatched(m_painter, own, m_colour, m_style.hatch, 5);
    drawBox(m_painter, own.adjusted(0, -1, -0.5, 1), 0, QPen(m_look.theme.text(), 1.2));
  }

  void preempted(const LaneCell& work) {
    const QColor colour = m_look.theme.warning();
    const QPointF c = m_band.center();
    const double half = std::min(6.0, m_band.width() / 2);
    m_painter.setPen(QPen(colour, 2.2, Qt::SolidLine, Qt::RoundCap));
    if (work.swapped) {  // out of the pool: an arrow down
      m_painter.drawLine(c - QPointF(0, 6), c + QPointF(0, 6));
      m_painter.drawLine(c + QPointF(-half * 0.8, 1), c + QPointF(0, 6));
      m_painter.drawLine(c + QPointF(half * 0.8, 1), c + QPointF(0, 6));
    } else {
      m_painter.drawLine(c - QPointF(half, half), c + QPointF(half, half));
      m_painter.drawLine(c + QPointF(half, -half), c + QPointF(-half, half));
    }
    under(work.swapped ? Wording::tr("swapped") : Wording::tr("−%1").arg(work.tokens), colour);
  }

  void marks(const LaneCell& work) {
    if (work.cached) {  // tokens from the prefix cache
      drawBox(m_painter, m_band, 2, QPen(m_look.theme.text(), 1.6));
    }
    if (work.finished)
      m_painter.fillRect(QRectF(m_band.right() - 1, m_band.top(), 3, m_band.height()), m_look.theme.text());
  }

  void under(const QString& text, const QColor& colour) {
    if (m_under.isEmpty() || text.isEmpty()) return;
    paintText(m_painter, m_under, Qt::AlignCenter, elidedText(m_look.font, text, m_under.width()), colour);
  }

 private:
  static QRectF bar(const QRectF& band) {
    return {band.left(), band.center().y() - kLaneBar / 2, band.width(), kLaneBar};
  }
  // A low cell has none for letters.
  bool hasRoom(const QString& text, const QRectF& area) const {
    return m_look.room != LaneRoom::kLow && textWidth(m_look.font, text) <= area.width();
  }
  void number(const QString& text, const QRectF& area) {
    if (!hasRoom(text, area)) return;
    paintText(m_painter, area, Qt::AlignCenter, text, Theme::inkOn(m_colour));
  }
  void accepted(const QRectF& part, int count, bool apart) {
    const QRectF box = part.adjusted(apart ? 1 : 0, 1, apart ? -1 : 0, -1);
    drawBox(m_painter, box, 2, QPen(m_look.theme.good(), 1.2),
            mix(m_look.theme.base(), m_look.theme.good(), 0.22));
    if (!apart) return said(QString::number(count), box, m_look.theme.good());
    const QPointF c = box.center();
    m_painter.setPen(QPen(m_look.theme.good(), 1.6));
    m_painter.drawPolyline(
        QPolygonF({c + QPointF(-2.5, 0.5), c + QPointF(-0.5, 2.5), c + QPointF(2.5, -2.5)}));
  }
  void refused(const QRectF& part, int count, bool apart) {
    const QRectF box = part.adjusted(apart ? 1 : 0, 1, apart ? -1 : 0, -1);
    drawBox(m_painter, box, 2, QPen(m_look.theme.warning(), 1.2, Qt::DashLine));
    if (!apart) return said(QStringLiteral("×%1").arg(count), box, m_look.theme.warning());
    const QPointF c = box.center();
    m_painter.setPen(QPen(m_look.theme.warning(), 1.6));
    m_painter.drawLine(QPointF(box.left() + 1.5, c.y()), QPointF(box.right() - 1.5, c.y()));
  }
  void said(const QString& text, const QRectF& area, const QColor& colour) {
    if (!hasRoom(text, area)) return;
    paintText(m_painter, area, Qt::AlignCenter, text, colour);
  }

  QPainter& m_painter;
  const LaneLook& m_look;
  RequestStyle m_style;
  QColor m_colour;
  QRectF m_band, m_under;
};

}  // namespace

int laneHeightOf(LaneRoom room, int line) {
  constexpr int kBetween = 4;
  const int cell = room == LaneRoom::kLow ? kLowCell : line + 2;
  return cell + (room == LaneRoom::kBare ? 0 : line) + kBetween;
}

WaitWords waitWords(const LaneWait& wait) {
  const QString needs = Wording::tr("needs %1").arg(wait.needed);
  switch (wait.reason) {
    case WaitReason::kBlocks:
    case WaitReason::kPreemption:
      return {needs, Wording::tr("free %1").arg(wait.available)};
    case WaitReason::kSequences:
      return {Wording::tr("slots"), Wording::tr("free %1").arg(wait.available)};
    case WaitReason::kTokenBudget:
      return {needs, Wording::tr("left %1").arg(wait.available)};
    case WaitReason::kBehind:
      return {Wording::tr("waits"), Wording::tr("behind")};
    case WaitReason::kBatch:
      return {Wording::tr("batch"), Wording::tr("%1 run").arg(wait.needed)};
    case WaitReason::kBeams:
      return {Wording::tr("prefix"), Wording::tr("%1 of %2").arg(wait.available).arg(wait.needed)};
    case WaitReason::kWindow:
      return {Wording::tr("window"), Wording::tr("%1 ms").arg(wait.needed)};
  }
  return {};
}

void paintLaneCell(QPainter& painter, const QRectF& cell, const LaneCell& work, RequestId request,
                   const LaneCellWords& words, const LaneLook& look) {
  CellPainter cellPainter(painter, cell, request, look);
  switch (work.kind) {
    case LaneKind::kNone:
    case LaneKind::kFinished:
      break;
    case LaneKind::kWaiting:
      cellPainter.waiting(words.wait);
      break;
    case LaneKind::kPrefill:
      cellPainter.prefill(work.tokens);
      break;
    case LaneKind::kDecode:
      if (work.drafted > 0 && cell.width() >= 12)
        cellPainter.drafts(work);
      else
        cellPainter.decode();
      break;
    case LaneKind::kPreempted:
      cellPainter.preempted(work);
      break;
  }
  cellPainter.marks(work);
  cellPainter.under(words.text, look.theme.dimText());
}

}  // namespace vitrine
