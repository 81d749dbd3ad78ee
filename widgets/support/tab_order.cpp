#include "widgets/support/tab_order.h"

#include <QLayout>
#include <QList>
#include <QScrollArea>

namespace vitrine {
namespace {

void collect(QWidget& part, QList<QWidget*>& stops);

void collect(const QLayout& layout, QList<QWidget*>& stops) {
  for (int i = 0; i < layout.count(); ++i) {
    QLayoutItem* const item = layout.itemAt(i);
    if (QWidget* const widget = item->widget())
      collect(*widget, stops);
    else if (const QLayout* const inner = item->layout())
      collect(*inner, stops);
  }
}

void collect(QWidget& part, QList<QWidget*>& stops) {
  if (part.focusPolicy() & Qt::TabFocus) stops << &part;
  if (const auto* area = qobject_cast<QScrollArea*>(&part)) {
    if (area->widget()) collect(*area->widget(), stops);
    for (auto* over :
         area->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))  // a button above what scrolls
      if (over->focusPolicy() & Qt::TabFocus) stops << over;
  } else if (const QLayout* const layout = part.layout()) {
    collect(*layout, stops);
  }
}

}  // namespace

void orderTabs(QWidget& part) {
  QList<QWidget*> stops;
  if (part.layout()) collect(*part.layout(), stops);
  for (qsizetype i = 0; i + 1 < stops.size(); ++i)
    if (stops[i]->nextInFocusChain() != stops[i + 1]) QWidget::setTabOrder(stops[i], stops[i + 1]);
}

}  // namespace vitrine
