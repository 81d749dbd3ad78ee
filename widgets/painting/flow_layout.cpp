#include "widgets/painting/flow_layout.h"

#include <QWidget>
#include <algorithm>

namespace vitrine {
namespace {
constexpr int kFlowGap = 6;
}  // namespace

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) { setContentsMargins(0, 0, 0, 0); }

void FlowLayout::addItem(QLayoutItem* item) {
  m_items.emplace_back(item);
  invalidate();
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index < 0 || index >= count() ? nullptr : m_items[static_cast<std::size_t>(index)].get();
}

QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* const item = m_items[static_cast<std::size_t>(index)].release();
  m_items.erase(m_items.begin() + index);
  invalidate();
  return item;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

QSize FlowLayout::minimumSize() const {
  QSize least;
  for (const auto& item : m_items)
    if (!item->isEmpty()) least = least.expandedTo(item->minimumSize());
  return least;
}

int FlowLayout::arrange(const QRect& rect, bool moves) const {
  int x = rect.x(), y = rect.y(), line = 0;
  for (const auto& item : m_items) {
    if (item->isEmpty()) continue;  // it is hidden
    const QSize size = item->sizeHint().boundedTo({std::max(rect.width(), 0), QLAYOUTSIZE_MAX});
    if (x > rect.x() && x + size.width() > rect.x() + rect.width()) {
      x = rect.x();
      y += line + kFlowGap;
      line = 0;
    }
    if (moves) item->setGeometry({{x, y}, size});
    x += size.width() + kFlowGap;
    line = std::max(line, size.height());
  }
  return y + line - rect.y();
}

}  // namespace vitrine
