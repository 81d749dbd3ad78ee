// How SpeculationView paints: words at the top, the draft as chips of text, and the two charts.
#include <QPainter>
#include <QPainterPath>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/views/lit.h"
#include "widgets/views/speculation_view.h"

namespace vitrine {
namespace {

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
  if (m_current < 0 || !hasFocus()) return;
  painter.setPen(QPen(theme.accent(), 1.8, Qt::DotLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(m_items[static_cast<std::size_t>(m_current)].area.adjusted(-2, -1, 2, 1));
}

void SpeculationView::paintHead(QPainter& painter, const Theme& theme) const {
  const SpeculationVerdict verdict = m_model->verdict();
  const bool pays = verdict == SpeculationVerdict::kPays;
  const bool loses = verdict == SpeculationVerdict::kDoesNotPay || verdict == SpeculationVerdict::kCannotPay;
  const auto paragraph = [&](const QRectF& area, const QString& text, const QColor& colour) {
    painter.setPen(colour);
    painter.drawText(area.adjusted(0, 0, 0, 2), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text);
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
  painter.drawText(m_legend.adjusted(0, 0, 0, 2), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, legend());
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
  const QFontMetricsF metrics(font());
  const auto caption = [&](const QRectF& chart, const QString& text) {
    painter.setPen(theme.dimText());
    paintText(painter,
              QRectF(chart.left(), m_bars.top() - 2 * metrics.height() - 2, chart.width(), metrics.height()),
              Qt::AlignLeft | Qt::AlignVCenter, elidedText(font(), text, chart.width()));
  };
  caption(m_chart, tr("accepted of the judged tokens, by position in the draft"));
  painter.setPen(QPen(theme.line(), 1, Qt::DotLine));
  painter.drawLine(QPointF(m_bars.left(), yOf(1)), QPointF(m_chart.right(), yOf(1)));
  painter.drawLine(m_steps.topLeft(), m_steps.topRight());
  for (const Item& item : m_items) {
    if (item.part == Part::kPosition) paintBar(painter, item, theme);
    if (item.part == Part::kStep) paintStep(painter, item, theme);
  }
  painter.setPen(QPen(theme.line(), 1));
  painter.drawLine(m_bars.bottomLeft(), m_bars.bottomRight());
  painter.drawLine(m_steps.bottomLeft(), m_steps.bottomRight());
  paintBreakEven(painter, theme);
  painter.setPen(theme.dimText());
  const double top = m_steps.top() < m_chart.bottom() ? m_bars.top() - 2 * metrics.height() - 2
                                                      : m_steps.top() - metrics.height() - 2;
  paintText(painter, QRectF(m_steps.left(), top, m_steps.width(), metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, elidedText(font(), m_model->lastStepsText(), m_steps.width()));
}

void SpeculationView::paintBar(QPainter& painter, const Item& item, const Theme& theme) const {
  const QFontMetricsF metrics(font());
  const auto& [judged, accepted] = m_model->figures().positions[static_cast<std::size_t>(item.index)];
  const double share = shareOf(accepted, judged);
  const QRectF column = item.area;
  const double wide = std::min(40.0, column.width() - 8);
  const QRectF bar(column.center().x() - wide / 2, yOf(share), wide, m_bars.bottom() - yOf(share));
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.base(), theme.accent(), 0.6));
  painter.drawRect(bar);
  painter.setPen(theme.text());
  paintText(
      painter,
      QRectF(column.left() - 6, bar.top() - metrics.height() - 1, column.width() + 12, metrics.height()),
      Qt::AlignCenter, judged > 0 ? wholePercent(share) : QStringLiteral("–"));
  painter.setPen(theme.dimText());
  paintText(painter, QRectF(column.left() - 6, m_bars.bottom() + 3, column.width() + 12, metrics.height()),
            Qt::AlignCenter, QString::number(item.index + 1));
}

// The line goes over the bars, and its words stand behind the last one.
void SpeculationView::paintBreakEven(QPainter& painter, const Theme& theme) const {
  const QString words = m_model->breakEvenText();
  if (words.isEmpty()) return;
  const QFontMetricsF metrics(font());
  const double y = breakEvenY();
  const double right = std::min(m_bars.right() + 8, m_chart.right());
  if (y >= 0) {
    painter.setPen(QPen(theme.base(), 3));
    painter.drawLine(QPointF(m_bars.left(), y), QPointF(right, y));
    painter.setPen(QPen(theme.warning(), 2, Qt::DashLine));
    painter.drawLine(QPointF(m_bars.left(), y), QPointF(right, y));
  }
  const double room = m_chart.right() - right - 6;
  const QRectF place(right + 6, (y >= 0 ? y : m_bars.top()) - metrics.height() / 2, room, metrics.height());
  painter.setPen(theme.warning());
  if (textWidth(font(), words) <= room)
    paintText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, words);
  else
    paintText(
        painter,
        QRectF(m_chart.left(), m_bars.bottom() + 3 + metrics.height(), m_chart.width(), metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter, elidedText(font(), words, m_chart.width()));
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
