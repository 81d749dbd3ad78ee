// How BeamsView paints: lines first, boxes above them, lit ones last.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "widgets/beams/beams_view.h"
#include "widgets/painting/lit.h"
#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kRadius = 6;
constexpr int kDigits = 2;

}  // namespace

// The style of the line says the fate as its word does.
BeamsView::Look BeamsView::lookOf(int node, const Theme& theme) const {
  const BeamNode& one = m_beams->tree().at(node);
  const QColor quiet = mix(theme.line(), theme.text(), 0.25);
  if (one.best)
    return {theme.accentText(), mix(theme.base(), theme.accent(), 0.2), theme.text(), Qt::SolidLine, 3};
  switch (one.fate) {
    case BeamFate::kKept:
      if (!one.recorded) return {quiet, theme.base(), theme.dimText(), Qt::DotLine};
      if (one.alive)
        return {theme.accent(), mix(theme.base(), theme.accent(), 0.1), theme.text(), Qt::SolidLine, 1.8};
      return {quiet, theme.base(), theme.dimText()};
    case BeamFate::kFinished:
      if (one.place > 0)
        return {theme.good(), mix(theme.base(), theme.good(), 0.14), theme.text(), Qt::SolidLine, 1.8};
      return {quiet, theme.base(), theme.dimText()};
    case BeamFate::kWorse:
      return {quiet, theme.base(), theme.dimText(), Qt::DashDotLine};
    case BeamFate::kTooLow:
      return {quiet, theme.base(), theme.dimText(), Qt::DotLine};
    case BeamFate::kPruned:
      return {quiet, theme.base(), theme.dimText(), Qt::DashLine};
  }
  return {};
}

void BeamsView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const int first = std::clamp(columnAt(exposed.left()), 0, std::max(0, m_layout.columns() - 1));
  const int last = std::clamp(columnAt(exposed.right()) + 1, -1, m_layout.columns() - 1);
  const int reach = m_measure.height;
  const auto inSight = [&](const QRect& area) {
    return area.bottom() + reach >= exposed.top() && area.top() - reach <= exposed.bottom();
  };
  for (const bool lit : {false, true})  // and so above the others
    for (int col = first; col <= last; ++col)
      for (const int node : m_layout.column(col)) {
        const int parent = m_beams->tree().at(node).parent;
        if (parent >= 0 && isLit(node) == lit && inSight(nodeRect(node).united(nodeRect(parent))))
          paintLine(painter, node, theme);
      }
  for (int col = first; col <= last; ++col)
    for (const int node : m_layout.column(col))
      if (inSight(nodeRect(node))) paintBox(painter, node, theme);
  paintHeader(painter, {first, last}, theme);
}

void BeamsView::paintEvent(QPaintEvent* event) {
  m_onScreen = true;
  PaintedView::paintEvent(event);
  m_onScreen = false;
}

// Above the tree, which scrolls under it.
void BeamsView::paintHeader(QPainter& painter, std::pair<int, int> columns, const Theme& theme) const {
  constexpr int kEvery = 5;  // among dots there is no room for more
  const auto [first, last] = columns;
  const bool dots = boxSize() == Size::kDots;
  const int top = headerTop(), width = m_measure.width, wider = dots ? 30 : 0;
  painter.fillRect(QRect(columnLeft(first) - kSide, top, columnLeft(last + 1) - columnLeft(first) + 2 * kSide,
                         headerHeight()),
                   theme.base());
  painter.setPen(theme.dimText());
  for (int col = first; col <= last; ++col) {
    const int length = m_beams->tree().columns()[static_cast<std::size_t>(col)].length;
    if (dots && (col == 0 || length % kEvery != 0)) continue;
    const QString words = dots       ? QString::number(length)
                          : col == 0 ? tr("prompt")
                                     : tr("token %1").arg(length);
    paintText(painter, QRectF(columnLeft(col) - wider, top + 2, width + 2 * wider, headerHeight() - 4),
              Qt::AlignCenter, words);
  }
}

void BeamsView::paintLine(QPainter& painter, int node, const Theme& theme) const {
  const QRectF from = nodeRect(m_beams->tree().at(node).parent), to = nodeRect(node);
  const Look look = lookOf(node, theme);
  const QPointF begin(from.right() + 1, from.center().y()), end(to.left(), to.center().y());
  if (boxSize() == Size::kDots && !m_beams->tree().at(node).alive && !isLit(node)) {  // there are many
    painter.setPen(QPen(look.edge, 1));
    return painter.drawLine(begin, end);
  }
  const QPointF bend((end.x() - begin.x()) * 0.55, 0);
  QPainterPath path(begin);
  path.cubicTo(begin + bend, end - bend, end);
  if (isLit(node)) painter.strokePath(path, QPen(mix(theme.base(), theme.accent(), 0.45), look.weight + 5));
  painter.strokePath(path, QPen(look.edge, look.weight, look.style, Qt::FlatCap));
}

// Among dots a beam is full, an ended one is a ring, and what was not kept is small.
void BeamsView::paintBox(QPainter& painter, int node, const Theme& theme) const {
  const BeamNode& one = m_beams->tree().at(node);
  const bool dots = boxSize() == Size::kDots, small = dots && !one.alive && one.fate != BeamFate::kKept;
  const double less = small ? 2.5 : 0.5;
  const QRectF box = QRectF(nodeRect(node)).adjusted(less, less, -less, -less);
  const Look look = lookOf(node, theme);
  const double radius = dots ? box.height() / 2 : kRadius;
  if (isLit(node)) paintLitGround(painter, box.adjusted(-3, -3, 3, 3), radius + 3, theme);
  painter.setPen(QPen(look.edge, look.weight == 3 ? 2.4 : 1.4, dots ? Qt::SolidLine : look.style));
  painter.setBrush(dots && (one.alive || small) ? look.edge : look.ground);
  painter.drawRoundedRect(box, radius, radius);
  paintMarks(painter, node, box, look, theme);
  if (!dots) paintWords(painter, node, box.adjusted(7, 2, -7, -2), look);
}

// A bar at the end of a complete answer; frames of the node that is pointed at, of the selected sequence's,
// and of the keyboard's.
void BeamsView::paintMarks(QPainter& painter, int node, const QRectF& box, const Look& look,
                           const Theme& theme) const {
  const BeamNode& one = m_beams->tree().at(node);
  if (one.fate != BeamFate::kKept && one.fate != BeamFate::kPruned)
    painter.fillRect(QRectF(box.right() + 2.5, box.top() + 1, 3, box.height() - 2), look.edge);
  if (!m_lit.empty() && m_lit.back() == node)
    paintLitFrame(painter, box.adjusted(-1, -1, 1, 1), kRadius, theme);
  painter.setBrush(Qt::NoBrush);
  if (const SequenceId selected = m_beams->session()->selectedSequence();
      selected != 0 && node == m_beams->nodeOf(selected)) {
    painter.setPen(QPen(theme.accent(), 2));
    painter.drawRoundedRect(box.adjusted(-3.5, -3.5, 3.5, 3.5), kRadius + 3, kRadius + 3);
  }
  if (node != currentRow() || !hasFocus()) return;
  painter.setPen(QPen(theme.text(), 1.6, Qt::DotLine));
  painter.drawRect(box.adjusted(-3, -3, 3, 3));
}

void BeamsView::paintWords(QPainter& painter, int node, const QRectF& box, const Look& look) const {
  const BeamNode& one = m_beams->tree().at(node);
  const QString fate = m_beams->fateWord(node);
  const QString score = node == 0 || !one.recorded ? QString() : formatDecimal(one.score, kDigits);
  const Theme colours = theme();
  const QColor quiet = one.best && node == m_beams->tree().best() ? colours.accentText() : colours.dimText();
  const bool cards = boxSize() == Size::kCards;
  // In one line there is room for the score or for the word.
  const QStringList words = cards ? QStringList{score, fate} : QStringList{fate.isEmpty() ? score : fate};
  const QString second = words.join(u' ').trimmed();
  const QFont bold = [&] {
    QFont made = painter.font();
    made.setBold(node == m_beams->tree().best() && node > 0);
    return made;
  }();
  const double width = textWidth(painter.font(), second), line = fontMetrics().height();
  const QRectF above(box.left(), box.top() + 1, cards ? box.width() : box.width() - width - 6, line);
  const QRectF below = cards ? QRectF(box.left(), box.bottom() - line - 1, box.width(), line) : box;
  painter.setPen(look.ink);
  paintText(painter, cards ? above : QRectF(above.left(), box.top(), above.width(), box.height()),
            cards ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter,
            elidedText(painter.font(), m_beams->textOf(node), above.width()));
  painter.setPen(quiet);
  const QFont plain = painter.font();
  painter.setFont(bold);
  paintText(painter, below, cards ? Qt::AlignCenter : Qt::AlignRight | Qt::AlignVCenter,
            elidedText(bold, second, below.width()));
  painter.setFont(plain);
}

}  // namespace vitrine
