#include "widgets/painting/cursor_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <limits>

namespace vitrine {

namespace {

constexpr int kFirst = std::numeric_limits<int>::min(), kLast = std::numeric_limits<int>::max();

}  // namespace

CursorView::CursorView(SessionModel* model, const CursorHabits& habits, QWidget* parent)
    : PaintedView(model, parent), m_habits(habits), m_current{habits.always ? 0 : -1, 0} {}

void CursorView::placeCursor(const ViewItem& item) {
  const int last = itemCount() - 1;
  m_current = {std::max(m_habits.always ? 0 : -1, std::min(item.row, last)), item.column};
  if (m_current.row < 0 || last < 0) return;
  const auto [left, right] = columnsOf(m_current.row);
  m_current.column = std::max(left, std::min(item.column, right));
}

void CursorView::setCurrentItem(const ViewItem& item) {
  if (itemCount() == 0) return;
  placeCursor({std::max(0, item.row), item.column});
  reveal(itemRect(m_current));
  announce(describeItem(m_current));
  if (m_habits.points) pointAt(targetOf(m_current));
  currentChanged();
  tellSummary();
  viewport()->update();
}

std::optional<ViewItem> CursorView::itemBeside(int key) const {
  const auto [row, column] = m_current;
  const bool isVertical = key == Qt::Key_Up || key == Qt::Key_Down,
             isLevel = key == Qt::Key_Left || key == Qt::Key_Right,
             isEnd = key == Qt::Key_Home || key == Qt::Key_End;
  if (isEnd ? !m_habits.ends : !isVertical && !isLevel) return {};
  const int by = key == Qt::Key_Up || key == Qt::Key_Left ? -1 : 1,
            end = key == Qt::Key_Home ? kFirst : kLast;
  if (m_habits.way == CursorHabits::Way::kGrid) {
    if (isEnd) return ViewItem{row, end};
    return isVertical ? ViewItem{row + by, column} : ViewItem{row, column + by};
  }
  const bool isDown = m_habits.way == CursorHabits::Way::kDown;
  if (isEnd) return ViewItem{end, kFirst};
  if (isVertical == isDown)
    return ViewItem{(row < 0 && by < 0 && m_habits.fromEnd ? itemCount() : row) + by, kFirst};
  const int line = isDown ? 0 : itemsInLine(), to = row + by * line;
  if (line == 0) return {};
  return ViewItem{row < 0 || to < 0 || to >= itemCount() ? row : to};
}

QString CursorView::tipAt(const QPoint& content) const {
  const ViewItem item = itemAt(content);
  return item.exists() ? describeItem(item) : QString();
}

prose::Target CursorView::targetAt(const QPoint& content) const {
  const ViewItem item = itemAt(content);
  return item.exists() ? targetOf(item) : prose::Target();
}

void CursorView::contentChanged() {
  placeCursor(m_current);
  if (m_hovered.row >= itemCount()) m_hovered = {};
}

void CursorView::keyPressEvent(QKeyEvent* event) {
  if (itemCount() == 0) return PaintedView::keyPressEvent(event);
  const int key = event->key();
  const bool enters = (m_habits.enter && (key == Qt::Key_Return || key == Qt::Key_Enter)) ||
                      (m_habits.space && key == Qt::Key_Space);
  if (enters) {
    if (!m_current.exists()) return;
    setCurrentItem(m_current);
    activate(m_current);
  } else if (const std::optional<ViewItem> to = itemBeside(key)) {
    setCurrentItem(*to);
  } else {
    PaintedView::keyPressEvent(event);
  }
}

void CursorView::mousePressEvent(QMouseEvent* event) {
  const bool left = event->button() == Qt::LeftButton;
  const ViewItem item = left || !m_habits.leftOnly ? itemAt(toContent(event->pos())) : ViewItem();
  if (!item.exists()) return;
  setCurrentItem(item);
  if (left) activate(m_current);
}

void CursorView::leaveEvent(QEvent* event) {
  PaintedView::leaveEvent(event);
  hover({});
}

bool CursorView::viewportEvent(QEvent* event) {
  const bool done = PaintedView::viewportEvent(event);
  if (event->type() == QEvent::MouseMove) hover(itemAt(toContent(static_cast<QMouseEvent*>(event)->pos())));
  return done;
}

void CursorView::hover(const ViewItem& item) {
  if (std::exchange(m_hovered, item) != item) hoverChanged();
}

}  // namespace vitrine
