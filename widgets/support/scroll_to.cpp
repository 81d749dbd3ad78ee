#include "widgets/support/scroll_to.h"

#include <QScrollArea>

namespace vitrine {

namespace {
constexpr int kMargin = 12;  // around the area, px
}  // namespace

void scrollTo(const QWidget& part, const QRect& area) {
  for (QWidget* one = part.parentWidget(); one; one = one->parentWidget()) {
    auto* const scrolling = qobject_cast<QScrollArea*>(one);
    if (!scrolling || !scrolling->widget() || !scrolling->widget()->isAncestorOf(&part)) continue;
    const QPoint at = part.mapTo(scrolling->widget(), area.center());
    return scrolling->ensureVisible(at.x(), at.y(), area.width() / 2 + kMargin, area.height() / 2 + kMargin);
  }
}

}  // namespace vitrine
