#include "gui/parts/scroll_page.h"

#include <QApplication>
#include <QScrollArea>
#include <QScrollBar>

namespace vitrine {

QWidget* scrollable(QWidget* page) {
  auto* area = new QScrollArea;
  area->setWidget(page);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);  // its fields have the focus, and scroll into sight
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->viewport()->setAutoFillBackground(false);
  page->setAutoFillBackground(false);
  // Qt scrolls when Tab moves inside, and not when it comes from outside.
  QObject::connect(qApp, &QApplication::focusChanged, area, [area, page](QWidget*, QWidget* now) {
    if (now && page->isAncestorOf(now)) area->ensureWidgetVisible(now);
  });
  // A sentence that appears above the field that has just changed moves it out of sight.
  const auto follow = [area, page] {
    QWidget* const field = QApplication::focusWidget();
    if (field && page->isAncestorOf(field)) area->ensureWidgetVisible(field);
  };
  QObject::connect(area->verticalScrollBar(), &QScrollBar::rangeChanged, area, follow, Qt::QueuedConnection);
  return area;
}

}  // namespace vitrine
