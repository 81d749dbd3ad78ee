#include "widgets/explain/why_list.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <algorithm>

#include "widgets/explain/why_delegate.h"

namespace vitrine {

WhyList::WhyList(WhyModel* model, QWidget* parent)
    : SpokenList(parent), m_model(model), m_delegate(new WhyDelegate(this, model)) {
  setAccessibleName(tr("Decisions of the step, with their reasons"));
  setFrameShape(QFrame::NoFrame);
  setMinimumHeight(fontMetrics().lineSpacing());  // it scrolls, so a small window may shrink it
  setMouseTracking(true);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setColumnOf(model, WhyModel::kSentence);
  setItemDelegate(m_delegate);
  connect(model, &SessionModel::refreshed, this, &WhyList::onRefreshed);
  connect(model->session()->spotlight(), &Spotlight::changed, this, &WhyList::onSpotlight);
}

void WhyList::onRefreshed() {
  if (std::exchange(m_depthsOf, m_model->session()->step()) != m_depthsOf) {
    m_depths.clear();
    setCurrentIndex({});  // the same row of another step is another sentence
  }
  goTo({});
}

int WhyList::depthOf(int row) const {
  const auto found = m_depths.find(m_model->at(row).text);
  return found == m_depths.end() ? 0 : found->second;
}

void WhyList::setDepth(int row, int depth) {
  const WhyRow& opened = m_model->at(row);
  m_depths[opened.text] = std::clamp(depth, 0, WhyRowLayout::deepest(opened));
  doItemsLayout();
  scrollTo(indexOf(row));
}

void WhyList::open(int row) {
  const int deepest = WhyRowLayout::deepest(m_model->at(row));
  if (deepest > 0) setDepth(row, depthOf(row) < deepest ? depthOf(row) + 1 : 0);
}

bool WhyList::isLit(int row) const {
  const prose::Target& target = m_model->session()->spotlight()->target();
  return !target.isEmpty() && !hasSpotlight() && m_model->speaksOf(row, target);
}

QRect WhyList::headingRect(int row) const {
  const int first = m_model->firstOfSection(row), height = m_delegate->titleHeight(first);
  int end = row;
  while (end + 1 < m_model->rowCount() && m_model->at(end + 1).section == m_model->at(row).section) ++end;
  const int below = visualRect(indexOf(end)).bottom() + 1;
  const int top = std::min(std::max(visualRect(indexOf(first)).top(), 0), below - height);
  return {0, top, viewport()->width(), height};
}

QRect WhyList::sentenceRect(int row) const {
  return visualRect(indexOf(row)).adjusted(0, m_delegate->titleHeight(row), 0, 0);
}

bool WhyList::isInSight(int row) const {
  const QRect sentence = sentenceRect(row);
  return viewport()->rect().contains(sentence) && !headingRect(row).intersects(sentence);
}

void WhyList::scrollTo(const QModelIndex& index, ScrollHint hint) {
  SpokenList::scrollTo(index, hint);
  if (!index.isValid()) return;
  const int covered = headingRect(index.row()).bottom() + 1 - sentenceRect(index.row()).top();
  if (covered > 0) verticalScrollBar()->setValue(verticalScrollBar()->value() - covered);
}

// Qt moves the pixels, and the heading stays where it is.
void WhyList::scrollContentsBy(int dx, int dy) {
  SpokenList::scrollContentsBy(dx, dy);
  viewport()->update();
}

void WhyList::doItemsLayout() {
  m_delegate->forget();
  SpokenList::doItemsLayout();
}

void WhyList::choose(int row) {
  const QModelIndex index = indexOf(row);
  setCurrentIndex(index);
  if (hasFocus()) return;  // the list says by itself what is current
  setAccessibleDescription(index.data(Qt::AccessibleTextRole).toString());
  QAccessibleEvent event(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
}

// The sentence that is asked for from outside comes into sight, unless one of them is.
void WhyList::onSpotlight() {
  viewport()->update();
  if (m_pointing || hasSpotlight() || !isVisible()) return;
  int first = -1;
  for (int row = 0; row < m_model->rowCount(); ++row) {
    if (!isLit(row)) continue;
    if (isInSight(row)) return;
    if (first < 0) first = row;
  }
  if (first >= 0) scrollTo(indexOf(first));
}

prose::Target WhyList::targetOf(const Place& place) const {
  if (place.row < 0) return {};
  return place.link < 0 ? m_model->about(place.row)
                        : m_model->at(place.row).links[static_cast<std::size_t>(place.link)].target;
}

bool WhyList::hasSpotlight() const {
  return m_place.row >= 0 && m_model->session()->spotlight()->target() == m_target;
}

void WhyList::goTo(const Place& place) {
  if (place == m_place) return;
  const bool points = place.row >= 0 || hasSpotlight();  // else another view may point now
  m_place = place;
  m_target = targetOf(place);
  const QScopedValueRollback guard(m_pointing, true);
  if (points) m_model->session()->spotlight()->point(m_target);
  viewport()->update();
}

WhyList::Place WhyList::placeAt(const QPoint& point) const {
  const QModelIndex index = indexAt(point);
  if (!index.isValid() || headingRect(index.row()).contains(point)) return {};
  return {index.row(), m_delegate->linkAt(index.row(), visualRect(index), point)};
}

void WhyList::mouseMoveEvent(QMouseEvent* event) {
  SpokenList::mouseMoveEvent(event);
  goTo(placeAt(event->pos()));
  viewport()->setCursor(m_place.link >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void WhyList::mousePressEvent(QMouseEvent* event) {
  m_pressed = event->button() == Qt::LeftButton ? placeAt(event->pos()) : Place();
  SpokenList::mousePressEvent(event);
}

void WhyList::mouseReleaseEvent(QMouseEvent* event) {
  SpokenList::mouseReleaseEvent(event);
  const Place released = placeAt(event->pos());
  if (event->button() != Qt::LeftButton || released.row < 0 || released != std::exchange(m_pressed, Place()))
    return;
  if (released.link >= 0)
    emit followed(targetOf(released));
  else
    open(released.row);
}

void WhyList::leaveEvent(QEvent* event) {
  SpokenList::leaveEvent(event);
  goTo({});
}

void WhyList::focusOutEvent(QFocusEvent* event) {
  SpokenList::focusOutEvent(event);
  if (event->reason() != Qt::PopupFocusReason) goTo({});
}

void WhyList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  SpokenList::currentChanged(current, previous);
  if (current.isValid() && hasFocus() && current.row() < m_model->rowCount()) goTo({current.row(), -1});
}

// Tab goes through the links of the current sentence, and then on.
bool WhyList::focusNextPrevChild(bool next) {
  const int row = currentIndex().isValid() ? currentIndex().row() : -1;
  if (row < 0 || row >= m_model->rowCount()) return SpokenList::focusNextPrevChild(next);
  const auto& links = m_model->at(row).links;
  const int count = static_cast<int>(links.size()), link = linkOf(row) + (next ? 1 : -1);
  if (link >= count || link < (linkOf(row) < 0 ? 0 : -1)) return SpokenList::focusNextPrevChild(next);
  goTo({row, link});
  scrollTo(currentIndex());
  if (link >= 0) {
    const SentenceLink& now = links[static_cast<std::size_t>(link)];
    setAccessibleDescription(tr("Link %1 of %2: %3")
                                 .arg(link + 1)
                                 .arg(count)
                                 .arg(m_model->at(row).text.mid(now.begin, now.length)));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
  }
  return true;
}

void WhyList::keyPressEvent(QKeyEvent* event) {
  const int row = currentIndex().isValid() ? currentIndex().row() : -1;
  switch (event->key()) {
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      return event->ignore();  // they step the machine
    case Qt::Key_Right:
      if (row >= 0) setDepth(row, depthOf(row) + 1);
      return;
    case Qt::Key_Left:
      if (row >= 0) setDepth(row, depthOf(row) - 1);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (row < 0) return;
      return linkOf(row) >= 0 ? void(emit followed(m_target)) : open(row);
    default:
      SpokenList::keyPressEvent(event);
  }
}

void WhyList::paintEvent(QPaintEvent* event) {
  SpokenList::paintEvent(event);
  if (m_model->rowCount() == 0)
    return paintEmpty(this, tr("After a step this panel says what the engine decided, and why."));
  const QModelIndex top = indexAt({0, 0});
  if (!top.isValid() || visualRect(indexOf(m_model->firstOfSection(top.row()))).top() >= 0) return;
  QPainter painter(viewport());
  m_delegate->paintHeading(painter, headingRect(top.row()), top.row());
}

void WhyList::resizeEvent(QResizeEvent* event) {
  SpokenList::resizeEvent(event);
  scheduleDelayedItemsLayout();
}

}  // namespace vitrine

#include "moc_why_list.cpp"
