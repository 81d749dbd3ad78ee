#include "gui/compare/compare_axis.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "vitrine/prose/compare_words.h"
#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/window_language.h"

namespace vitrine {

namespace {

constexpr double kWidestStep = 18, kAxisMargin = 12;
constexpr double kBarShare = 0.7;  // of a step's width
constexpr int kLabelEvery = 60;    // pixels between the numbers of steps, at least

}  // namespace

CompareAxis::CompareAxis(CompareAxisModel* model, QWidget* parent)
    : PaintedView(model, parent), m_axis(model) {
  setAccessibleName(tr("Steps of both machines"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

QSize CompareAxis::sizeHint() const { return {400, 9 * fontMetrics().lineSpacing() / 2}; }

QRectF CompareAxis::area() const {
  const double left = kAxisMargin + 2 * fontMetrics().averageCharWidth();
  const double foot = fontMetrics().lineSpacing() + 2;
  return {left, 4, std::max(20.0, viewport()->width() - left - kAxisMargin),
          std::max(20.0, viewport()->height() - foot - 4)};
}

double CompareAxis::pitch() const {
  return std::min(kWidestStep, area().width() / std::max(1, m_axis->steps()));
}

int CompareAxis::stepAt(double x) const {
  return std::clamp(static_cast<int>(std::floor((x - area().left()) / pitch())) + 1, 0,
                    std::max(0, m_axis->steps()));
}

void CompareAxis::contentChanged() {
  announce(tr("Step %1 of %2").arg(m_axis->cursor()).arg(m_axis->steps()));
}

QString CompareAxis::emptyText() const {
  return m_axis->steps() > 0 ? QString() : tr("Each step of either machine adds a bar here.");
}

QString CompareAxis::tipAt(const QPoint& content) const {
  const int step = stepAt(content.x());
  if (step < 1 || step > m_axis->steps()) return {};
  QStringList lines{tr("Step %1").arg(step)};
  for (int side = 0; side < ComparedPair::kSides; ++side) {
    const AxisSteps what = m_axis->stepOf(side, step);
    lines << tr("%1: %2 prefill and %3 decode tokens, %4 blocks in use")
                 .arg(QString::number(side + 1), formatCount(what.prefillTokens),
                      formatCount(what.decodeTokens), formatCount(what.usedBlocks));
  }
  return plainTip(lines.join(u'\n'));
}

// Prefill stands on decode; a preemption has a mark below its bar. The height is that of the square root,
// so that one token of a decode is seen beside a prompt of hundreds. Steps of one pixel are drawn as one.
void CompareAxis::paintRow(QPainter& painter, int side, const QRectF& row, const Theme& theme) const {
  painter.setPen(theme.dimText());
  paintText(painter, QRectF(kAxisMargin / 2, row.top(), area().left() - kAxisMargin / 2, row.height()),
            kAtLeft, QString::number(side + 1));
  const int steps = m_axis->steps();
  int most = 1;
  for (int one = 0; one < ComparedPair::kSides; ++one) {
    const AxisSteps all = m_axis->stepsOf(one, 1, steps);
    most = std::max(most, all.prefillTokens + all.decodeTokens);
  }
  const auto height = [&](int tokens) {
    return std::sqrt(static_cast<double>(tokens) / most) * (row.height() - 6);
  };
  const int together = std::max(1, static_cast<int>(std::ceil(1 / pitch())));
  const double bar = std::max(1.0, together * pitch() * kBarShare);
  for (int step = 1; step <= steps; step += together) {
    const AxisSteps what = m_axis->stepsOf(side, step, std::min(step + together - 1, steps));
    const double x = xOf(step) + (together * pitch() - bar) / 2;
    const double whole = height(what.prefillTokens + what.decodeTokens), decode = height(what.decodeTokens);
    painter.fillRect(QRectF(x, row.bottom() - whole, bar, whole), mix(theme.accent(), theme.base(), 0.45));
    painter.fillRect(QRectF(x, row.bottom() - decode, bar, decode), theme.accent());
    if (what.has(StepMark::kPreempted))
      painter.fillRect(QRectF(x, row.bottom() + 1, bar, 3), theme.warning());
  }
  painter.setPen(theme.line());
  painter.drawLine(QPointF(area().left(), row.bottom() + 0.5), QPointF(area().right(), row.bottom() + 0.5));
}

void CompareAxis::paintContent(QPainter& painter, const QRect&, const Theme& theme) const {
  const QRectF all = area();
  const double half = all.height() / ComparedPair::kSides;
  for (int side = 0; side < ComparedPair::kSides; ++side)
    paintRow(painter, side, {all.left(), all.top() + side * half, all.width(), half - 5}, theme);
  const double foot = all.bottom() + 1;
  if (const int cursor = m_axis->cursor(); cursor > 0) {
    painter.setPen(QPen(theme.accentText(), 2));
    const double x = xOf(cursor) + pitch() / 2;
    painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom()));
  }
  painter.setPen(theme.dimText());
  const int every = std::max(1, static_cast<int>(std::ceil(kLabelEvery / pitch())));
  const double line = fontMetrics().lineSpacing();
  const auto difference = m_axis->firstDifference();
  const double mark = difference ? xOf(*difference) : -1;
  for (int step = every; step <= m_axis->steps(); step += every)
    if (!difference || std::abs(xOf(step) - mark) > kLabelEvery / 2.0)
      paintText(painter, QRectF(xOf(step) + pitch() / 2 - kLabelEvery / 2.0, foot, kLabelEvery, line),
                Qt::AlignCenter, formatCount(step));
  if (!difference) return;
  const QString words = windowText(prose::firstDifferenceText(difference, windowLanguage()));
  const double width = textWidth(font(), words) + 2 * line;
  const double left = std::min(mark, all.right() - width);
  painter.fillRect(QRectF(left - 4, foot, width + 8, line), theme.base());
  painter.setPen(theme.warning());
  paintText(painter, QRectF(left, foot, width, line), kAtLeft, QStringLiteral("▲ ") + words);
}

void CompareAxis::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && m_axis->steps() > 0)
    emit stepRequested(stepAt(event->position().x()));
}

void CompareAxis::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return emit stepRequested(m_axis->cursor() - 1);
    case Qt::Key_Right:
      return emit stepRequested(m_axis->cursor() + 1);
    case Qt::Key_Home:
      return emit stepRequested(0);
    case Qt::Key_End:
      return emit stepRequested(m_axis->steps());
    default:
      PaintedView::keyPressEvent(event);
  }
}

}  // namespace vitrine

#include "moc_compare_axis.cpp"
