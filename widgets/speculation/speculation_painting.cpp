// How SpeculationView paints: words at the top, the draft as chips of text, and the two charts.
#include <QPainter>
#include <algorithm>

#include "widgets/painting/lit.h"
#include "widgets/speculation/speculation_view.h"
#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kBreakEvenGap = 12;  // between the bars and the words

void paintTick(QPainter& painter, const QPointF& at, const QColor& colour) {
  painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(QPolygonF({at + QPointF(-4, 0), at + QPointF(-1, 3), at + QPointF(4, -4)}));
}

double shareOf(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

QString wholePercent(double share) { return SpeculationView::tr("%1 %").arg(formatDecimal(share * 100, 0)); }

}  // namespace

void SpeculationView::paintContent(QPainter& painter, const QRect&, const Theme& theme) const {
  paintHead(painter, theme);
  paintDraft(painter, theme);
  if (!m_bars.isEmpty()) paintChart(painter, theme);
  if (currentRow() < 0 || !hasFocus()) return;
  painter.setPen(QPen(theme.accent(), 1.8, Qt::DotLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(at(currentItem()).area.adjusted(-2, -1, 2, 1));
}

void SpeculationView::paintHead(QPainter& painter, const Theme& theme) const {
  const SpeculationVerdict verdict = m_model->verdict();
  const bool pays = verdict == SpeculationVerdict::kPays;
  const bool loses = verdict == SpeculationVerdict::kDoesNotPay || verdict == SpeculationVerdict::kCannotPay;
  const auto paragraph = [&](const QRectF& area, const QString& text, const QColor& colour) {
    painter.setPen(colour);
    paintText(painter, area.adjusted(0, 0, 0, 2), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text);
  };
  painter.setFont(boldFont());
  paragraph(m_verdict, m_model->verdictText(), pays ? theme.good() : loses ? theme.warning() : theme.text());
  painter.setFont(font());
  paragraph(m_cost, m_model->costText(), theme.text());
  paragraph(m_measured, m_model->measuredText(), theme.dimText());
  paragraph(m_drafts, m_model->draftsText(), theme.dimText());
}

void SpeculationView::paintDraft(QPainter& painter, const Theme& theme) const {
  if (m_model->draft().step == 0) return;
  painter.setFont(boldFont());
  painter.setPen(theme.dimText());
  paintText(painter, m_draftTitle, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
            m_model->draftTitle());
  painter.setFont(font());
  paintText(painter, m_before, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, shownBefore());
  for (const Item& item : m_items)
    if (item.part == Part::kToken) paintToken(painter, item, theme);
  painter.setPen(theme.dimText());
  paintText(painter, m_legend.adjusted(0, 0, 0, 2), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
            legend());
}

void SpeculationView::paintToken(QPainter& painter, const Item& item, const Theme& theme) const {
  const ShownDraft& draft = m_model->draft();
  const DraftToken& token = draft.tokens[static_cast<std::size_t>(item.index)];
  const bool accepted = token.fate == TokenFate::kAccepted, own = token.fate == TokenFate::kModel;
  const bool gone = token.isGone() && !draft.pending;
  painter.setBrush(accepted ? mix(theme.base(), theme.good(), 0.22)
                   : gone   ? mix(theme.base(), theme.warning(), 0.16)
                   : own    ? mix(theme.base(), theme.accent(), 0.14)
                            : QColor(Qt::transparent));
  painter.setPen(own             ? QPen(theme.accent(), 1.8)
                 : draft.pending ? QPen(theme.text(), 1.2, Qt::DashLine)
                                 : QPen(Qt::NoPen));
  painter.drawRoundedRect(item.area, 5, 5);
  painter.setPen(gone ? theme.warning() : theme.text());
  paintText(painter, item.area, Qt::AlignCenter, elidedText(font(), shownText(token), item.area.width() - 4));
  if (accepted) paintTick(painter, item.area.topRight() + QPointF(-4, 4), theme.good());
  if (gone) {
    painter.setPen(QPen(theme.warning(), 1.8));
    painter.drawLine(QPointF(item.area.left() + 4, item.area.center().y() + 1),
                     QPointF(item.area.right() - 4, item.area.center().y() + 1));
  }
  const prose::Target& lit = spotlight().target();
  if (lit.sequence == draft.sequence && lit.position == token.position)
    paintLitFrame(painter, item.area, 5, theme);
}

void SpeculationView::paintChart(QPainter& painter, const Theme& theme) const {
  const auto caption = [&](const QRectF& chart, double top, const QString& text) {
    painter.setPen(theme.dimText());
    paintText(painter, QRectF(chart.left(), top, chart.width(), fontMetrics().height()),
              Qt::AlignLeft | Qt::AlignVCenter, elidedText(font(), text, chart.width()));
  };
  QString title = tr("accepted, by position (tokens judged)");
  const QString needed = m_model->breakEvenText();
  if (!needed.isEmpty() && !hasRoomForBreakEven())
    title = tr("accepted, by position · dashed: %1").arg(needed);
  caption(m_chart, m_chart.top(), title);
  caption(m_steps, m_steps.top() - fontMetrics().height() - 4, m_model->lastStepsText());
  painter.setPen(QPen(theme.line(), 1));
  for (const QRectF& chart :
       {QRectF(m_chart.left(), m_bars.top(), m_chart.width(), m_bars.height()), m_steps}) {
    painter.drawLine(chart.bottomLeft(), chart.bottomRight());
    painter.drawLine(chart.topLeft(), chart.topRight());  // all of them
  }
  for (const Item& item : m_items) {
    if (item.part == Part::kPosition) paintBar(painter, item, theme);
    if (item.part == Part::kStep) paintStep(painter, item, theme);
  }
  paintBreakEven(painter, theme);
}

void SpeculationView::paintBar(QPainter& painter, const Item& item, const Theme& theme) const {
  const QFontMetricsF metrics(font());
  const auto& [judged, accepted] = m_model->figures().positions[static_cast<std::size_t>(item.index)];
  const double share = shareOf(accepted, judged);
  const QRectF column = item.area;
  const double wide = std::min(34.0, column.width() - 8);
  const QRectF bar(column.center().x() - wide / 2, yOf(share), wide, m_bars.bottom() - yOf(share));
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.base(), theme.accent(), 0.6));
  painter.drawRect(bar);
  painter.setPen(theme.text());
  paintText(
      painter,
      QRectF(column.left() - 6, bar.top() - metrics.height() - 1, column.width() + 12, metrics.height()),
      Qt::AlignCenter, judged > 0 ? wholePercent(share) : QStringLiteral("–"));
  const QString whole = tr("%1 (%2)").arg(QString::number(item.index + 1), formatCount(judged));
  painter.setPen(theme.dimText());
  paintText(painter, QRectF(column.left() - 6, m_bars.bottom() + 3, column.width() + 12, metrics.height()),
            Qt::AlignCenter,
            textWidth(font(), whole) <= column.width() + 6 ? whole : QString::number(item.index + 1));
}

// On two lines, if need be.
bool SpeculationView::hasRoomForBreakEven() const {
  double widest = 0;
  for (const QString& word : m_model->breakEvenText().split(u' '))
    widest = std::max(widest, textWidth(font(), word));
  return widest <= m_chart.right() - m_bars.right() - kBreakEvenGap;
}

// The line goes over the bars, and its words stand behind the last one.
void SpeculationView::paintBreakEven(QPainter& painter, const Theme& theme) const {
  const QString words = m_model->breakEvenText();
  const double y = breakEvenY(), right = std::min(m_bars.right() + 6, m_chart.right());
  if (y >= 0) {
    painter.setPen(QPen(theme.base(), 3));
    painter.drawLine(QPointF(m_bars.left(), y), QPointF(right, y));
    painter.setPen(QPen(theme.warning(), 2, Qt::DashLine));
    painter.drawLine(QPointF(m_bars.left(), y), QPointF(right, y));
  }
  if (words.isEmpty() || !hasRoomForBreakEven()) return;
  const double left = m_bars.right() + kBreakEvenGap;
  const QRectF room(left, m_bars.top(), m_chart.right() - left, m_bars.height());
  QRectF place = QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, words);
  place.moveTop(std::clamp((y >= 0 ? y : room.top()) - place.height() / 2, room.top(),
                           std::max(room.top(), room.bottom() - place.height())));
  painter.setPen(theme.warning());
  paintText(painter, place.adjusted(0, 0, 2, 2), Qt::AlignLeft | Qt::TextWordWrap, words);
}

// The height is the share of accepted tokens; a step without any has a mark on the ground.
void SpeculationView::paintStep(QPainter& painter, const Item& item, const Theme& theme) const {
  const SpeculationHistory::Step& step = m_model->lastSteps()[static_cast<std::size_t>(item.index)];
  const double height = std::max(2.0, shareOf(step.accepted, step.judged) * item.area.height());
  const QRectF bar(item.area.left() + 1, item.area.bottom() - height, item.area.width() - 2, height);
  const bool now = step.step == m_model->session()->step();
  const bool lit = spotlight().target().sequence == 0 && spotlight().target().step == step.step;
  painter.fillRect(bar, now || lit ? theme.accent() : mix(theme.base(), theme.accent(), 0.5));
}

}  // namespace vitrine
