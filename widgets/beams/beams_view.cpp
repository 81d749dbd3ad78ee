#include "widgets/beams/beams_view.h"

#include <QFocusEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "widgets/painting/lit.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr int kTop = 8;

constexpr double kRadius = 6;
constexpr int kDigits = 2;

}  // namespace

BeamsView::BeamsView(BeamTreeModel* model, QWidget* parent)
    : CursorView(model, {.enter = true, .space = true, .leftOnly = true, .points = true}, parent),
      m_beams(model) {
  setAccessibleName(tr("Tree of the beam search"));
  auto* legend = new ElidingLabel(this);
  m_legend = legend;
  legend->setTextFormat(Qt::PlainText);
  legend->setText(
      tr("thick: best · dashed: pruned · bar: complete · blocks of the lit path are lit in KV memory"));
  legend->setToolTip(
      tr("The score is the sum of the logprobs, divided by the number of tokens to the power of the length "
         "penalty. “dead end”: kept once, and no beam or answer continues it now. “too low” and “worse”: "
         "complete, but no hypothesis. “beaten”: better hypotheses have pushed it out."));
  legend->setBackgroundRole(QPalette::Base);
  legend->setAutoFillBackground(true);
  legend->setForegroundRole(QPalette::PlaceholderText);
  legend->setContentsMargins(kSide, 0, kSide, 4);
  legend->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setViewportMargins(0, 0, 0, m_legend->sizeHint().height());
  for (QScrollBar* bar : {horizontalScrollBar(), verticalScrollBar()})
    connect(bar, &QScrollBar::actionTriggered, this, [this] { m_follow = isAtNewest(); });
  connect(model->session(), &Session::cursorChanged, this, [this](int, bool live) {
    if (std::exchange(m_wasLive, live) && live) return;  // a batch of events, no jump
    m_follow = true;
    if (isVisible()) follow();
  });
}

QString BeamsView::emptyText() const {
  if (m_beams->rowCount() > 0) return {};
  return tr(
      "No beam search here: open the scenario “A beam search” of the Scenario menu, or choose Beams in "
      "Sampling and send a message.");
}

BeamsView::Measure BeamsView::measureOf(Size size) const {
  const QFontMetrics metrics = fontMetrics();
  if (size == Size::kDots) return {size, 9, 9, 22, 13};
  const int words = metrics.horizontalAdvance(QStringLiteral("-00.00 ") + tr("dead end"));
  const int width = words + 14 + (size == Size::kLines ? 3 * metrics.averageCharWidth() : 0);
  const int height = metrics.height() * (size == Size::kCards ? 2 : 1) + 8;
  return {size, width, height, width + 40, height + (size == Size::kCards ? 10 : 6)};
}

int BeamsView::headerTop() const { return m_onScreen ? verticalScrollBar()->value() : 0; }

QRect BeamsView::itemRect(const ViewItem& item) const {
  return nodeRect(item.row).adjusted(-8, -8 - headerHeight(), 8, 8);
}

int BeamsView::treeHeight(const Measure& measure) const {
  return static_cast<int>(2 * m_layout.halfRows() * measure.down);
}

void BeamsView::measure() const {
  m_measure = measureOf(m_size.value_or(Size::kCards));
  const int room = viewport()->height() - headerHeight() - 2 * kTop;
  if (!m_size && treeHeight(m_measure) > room) m_measure = measureOf(Size::kLines);
}

QSize BeamsView::contentSize() const {
  measure();
  return {columnLeft(m_layout.columns()) - (m_measure.across - m_measure.width) + kSide,
          headerHeight() + 2 * kTop + treeHeight(m_measure)};
}

int BeamsView::columnAt(int x) const {
  const int across = m_measure.across, from = x - kSide;
  return from < 0 ? -1 : from / across;
}

// A tree that is lower than the viewport is in its middle.
QRect BeamsView::nodeRect(int node) const {
  if (node < 0 || node >= m_beams->rowCount()) return {};
  const Measure& measure = m_measure;
  const int above = headerHeight() + kTop, height = treeHeight(measure);
  const int room = viewport()->height() - above - kTop;
  const double middle = above + std::max(height, room) / 2.0;
  const int y = static_cast<int>(middle + m_layout.rowOf(node) * measure.down - measure.height / 2.0);
  return {columnLeft(m_beams->tree().columnIndexOf(node)), y, measure.width, measure.height};
}

int BeamsView::nodeAt(const QPoint& content) const {
  const int col = columnAt(content.x());
  if (col < 0 || col >= m_layout.columns() || m_beams->rowCount() == 0) return -1;
  if (content.y() - verticalScrollBar()->value() < headerHeight()) return -1;  // under the header
  for (const int node : m_layout.column(col))
    if (nodeRect(node).adjusted(-2, -2, 2, 2).contains(content)) return node;
  return -1;
}

QString BeamsView::tipAt(const QPoint& content) const {
  return content.y() - verticalScrollBar()->value() < headerHeight()
             ? m_beams->describeStep(columnAt(content.x()))
             : CursorView::tipAt(content);
}

void BeamsView::contentChanged() {
  if (m_laidOut != m_beams->generation()) {
    m_layout.clear();
    placeCursor({});
    m_follow = true;
  }
  m_laidOut = m_beams->generation();
  if (m_beams->rowCount() > 0)
    m_layout.follow(m_beams->tree());
  else
    m_layout.clear();
  CursorView::contentChanged();
  forgetHovered();
  m_legend->setVisible(m_beams->rowCount() > 0);
  updateLit();
  layoutContent();
  follow();
}

// Where the scroll bars go: the newest column is in sight, and the end of the best path is not above or
// below.
bool BeamsView::isAtNewest() const {
  const QScrollBar *const across = horizontalScrollBar(), *const down = verticalScrollBar();
  const QRect best = nodeRect(m_beams->tree().best());
  const int top = down->sliderPosition();
  return across->sliderPosition() >= across->maximum() - m_measure.width && best.bottom() > top &&
         best.top() < top + viewport()->height();
}

// The end of the best path, and the newest column where there is room for both: a search that has ended may
// have its best answer far before that.
void BeamsView::follow() {
  if (!m_follow || m_beams->rowCount() == 0) return;
  const BeamTree& tree = m_beams->tree();
  bringIntoSight(std::max(0, tree.at(tree.best()).parent));  // where it comes from, if there is room for both
  bringIntoSight(tree.best());
  const int left = itemRect({tree.best()}).left(), right = contentSize().width();
  if (right - left <= viewport()->width() || tree.columnIndexOf(tree.best()) + 1 == m_layout.columns())
    horizontalScrollBar()->setValue(horizontalScrollBar()->maximum());
}

// What the mouse is at, else what another view points at, else what the keyboard is at.
void BeamsView::updateLit() {
  int node = hoveredItem().row;
  if (const prose::Target& target = spotlight().target(); node < 0 && !target.isEmpty())
    node = target == m_beams->targetOf(currentRow()) ? currentRow() : m_beams->nodeOf(target.sequence);
  if (node < 0 && hasFocus()) node = currentRow();
  m_lit = node < 0 || node >= m_beams->rowCount() ? std::vector<int>() : m_beams->tree().pathTo(node);
}

bool BeamsView::isLit(int node) const {
  return std::ranges::binary_search(m_lit, node);  // a parent is before its children
}

void BeamsView::spotlightMoved() {
  updateLit();
  viewport()->update();
}

void BeamsView::setCurrentNode(int node) {
  if (node >= 0 && node < itemCount()) setCurrentItem({node});
}

void BeamsView::currentChanged() {
  m_follow = m_follow && m_beams->tree().columnIndexOf(currentRow()) + 1 == m_layout.columns();
  updateLit();
}

void BeamsView::activate(const ViewItem& item) {
  if (const SequenceId sequence = m_beams->sequenceOf(item.row)) emit sequenceSelected(sequence);
}

std::optional<ViewItem> BeamsView::itemBeside(int key) const {
  const BeamTree& tree = m_beams->tree();
  const int from = currentRow();
  const bool across = key == Qt::Key_Left || key == Qt::Key_Right,
             down = key == Qt::Key_Up || key == Qt::Key_Down;
  if (key == Qt::Key_Home) return ViewItem{0};
  if (key == Qt::Key_End || (from < 0 && (across || down))) return ViewItem{tree.best()};
  if (across)
    return ViewItem{key == Qt::Key_Left ? tree.at(from).parent : std::max(from, tree.bestChildOf(from))};
  if (!down) return {};
  const std::vector<int>& column = m_layout.column(tree.columnIndexOf(from));
  const int to = m_layout.indexOf(tree, from) + (key == Qt::Key_Up ? -1 : 1);
  return ViewItem{column[static_cast<std::size_t>(std::clamp(to, 0, static_cast<int>(column.size()) - 1))]};
}

void BeamsView::focusInEvent(QFocusEvent* event) {
  PaintedView::focusInEvent(event);
  updateLit();
}

void BeamsView::focusOutEvent(QFocusEvent* event) {
  PaintedView::focusOutEvent(event);
  if (event->reason() != Qt::PopupFocusReason) m_beams->session()->spotlight()->clear();
  updateLit();
}

void BeamsView::setSize(std::optional<Size> size) {
  m_size = size;
  layoutContent();
  bringIntoSight(currentRow() >= 0 ? currentRow() : m_beams->tree().best());
  follow();
  viewport()->update();
}

void BeamsView::zoomByWheel(int turned, const QPointF&) {
  if (turned != 0) turned > 0 ? zoomIn() : zoomOut();
}

void BeamsView::resizeEvent(QResizeEvent* event) {
  PaintedView::resizeEvent(event);
  const QRect port = viewport()->geometry();
  m_legend->setGeometry(port.left(), port.bottom() + 1, port.width(), m_legend->sizeHint().height());
  follow();
}

void BeamsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) setViewportMargins(0, 0, 0, m_legend->sizeHint().height());
  PaintedView::changeEvent(event);
}

// How BeamsView paints: lines first, boxes above them, lit ones last.

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

// Among dots a beam is full, a dead end is a ring, and what was not kept is small.
void BeamsView::paintBox(QPainter& painter, int node, const Theme& theme) const {
  const BeamNode& one = m_beams->tree().at(node);
  const bool dots = boxSize() == Size::kDots, small = dots && !one.alive && one.fate != BeamFate::kKept;
  const double less = small ? 2.5 : 0.5;
  const QRectF box = QRectF(nodeRect(node)).adjusted(less, less, -less, -less);
  const Look look = lookOf(node, theme);
  const double radius = dots ? box.height() / 2 : kRadius;
  if (isLit(node)) paintLitGround(painter, box.adjusted(-3, -3, 3, 3), radius + 3, theme);
  drawBox(painter, box, radius,
          QPen(look.edge, look.weight == 3 ? 2.4 : 1.4, dots ? Qt::SolidLine : look.style),
          dots && (one.alive || small) ? look.edge : look.ground);
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
  const QFont bold = boldened(painter.font(), node == m_beams->tree().best() && node > 0);
  const double width = textWidth(painter.font(), second), line = fontMetrics().height();
  const QRectF above(box.left(), box.top() + 1, cards ? box.width() : box.width() - width - 6, line);
  const QRectF below = cards ? QRectF(box.left(), box.bottom() - line - 1, box.width(), line) : box;
  paintText(painter, cards ? above : QRectF(above.left(), box.top(), above.width(), box.height()),
            cards ? Qt::AlignCenter : kAtLeft,
            elidedText(painter.font(), m_beams->textOf(node), above.width()), look.ink);
  painter.setPen(quiet);
  const QFont plain = painter.font();
  painter.setFont(bold);
  paintText(painter, below, cards ? Qt::AlignCenter : kAtRight, elidedText(bold, second, below.width()));
  painter.setFont(plain);
}

}  // namespace vitrine

#include "moc_beams_view.cpp"
