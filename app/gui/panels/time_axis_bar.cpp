#include "gui/panels/time_axis_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

#include "gui/parts/card.h"

namespace vitrine {

TimeAxisBar::TimeAxisBar(QWidget* axis, QWidget* parent) : QToolBar(tr("Time axis"), parent) {
  setObjectName(QStringLiteral("timelineBar"));
  setMovable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  auto* style = new CardStyle;
  style->setParent(this);
  setStyle(style);
  axis->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_drawer = new QToolButton(this);
  m_drawer->setText(tr("Plots"));
  m_drawer->setCheckable(true);
  m_drawer->setAutoRaise(true);
  m_drawer->setToolTip(tr("Open or close the drawer with plots, events, metrics and reasons to wait"));
  auto* content = new QWidget(this);
  auto* row = new QHBoxLayout(content);
  row->setContentsMargins(0, kCardGap + 1, 10, 0);
  row->addWidget(axis, 1);
  row->addWidget(m_drawer, 0, Qt::AlignVCenter);
  content->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  addWidget(content);
}

// The bar lies on the base colour, with the ground of the cards above it.
void TimeAxisBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::of(this);
  painter.fillRect(rect().adjusted(0, kCardGap, 0, 0), theme.base());
  painter.fillRect(QRect(0, kCardGap, width(), 1), theme.line());
}

// A bar that has grown with its font does not update the window's layout by itself.
void TimeAxisBar::changeEvent(QEvent* event) {
  QToolBar::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
}

}  // namespace vitrine

#include "moc_time_axis_bar.cpp"
