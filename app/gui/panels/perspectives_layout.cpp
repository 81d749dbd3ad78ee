// Where each dock stands by default, in a wide window, a narrow one and a small one.
#include <QLayout>
#include <QMainWindow>
#include <QTimer>
#include <algorithm>

#include "gui/panels/panel_dock.h"
#include "gui/panels/perspectives.h"
#include "gui/parts/card.h"

namespace vitrine {

void Perspectives::arrange() {
  for (PanelDock* dock : m_docks) {
    dock->setFloating(false);
    dock->hide();
  }
  if (m_current == Perspective::kChat) return;
  const Arrangement plan = arrangement();
  arrangeColumns(plan);
  const bool presenting = m_current == Perspective::kPresent;
  for (PanelDock* dock : {m_requests, m_why, m_blocks, m_sampler}) dock->show();
  for (PanelDock* dock : {m_controls, m_blockTable, m_prefixTree}) dock->setVisible(!presenting);
  m_blockTable->raise();
  m_sampler->raise();
  m_why->raise();
  arrangeSizes(plan);
  // Once more when the docks have been laid out: before, their sizes are those of an empty window.
  QTimer::singleShot(0, this, [this, plan] {
    if (plan == arrangement() && m_current != Perspective::kChat) arrangeSizes(plan);
  });
}

void Perspectives::arrangeColumns(const Arrangement& plan) {
  for (PanelDock* dock : m_docks) m_window->removeDockWidget(dock);
  m_window->addDockWidget(Qt::RightDockWidgetArea, m_why);
  if (plan.room == Room::kWide)
    m_window->addDockWidget(Qt::LeftDockWidgetArea, m_requests);
  else
    m_window->tabifyDockWidget(m_why, m_requests);
  if (plan.room == Room::kSmall)
    m_window->tabifyDockWidget(m_requests, m_sampler);
  else
    m_window->addDockWidget(Qt::RightDockWidgetArea, m_sampler, Qt::Vertical);
  m_window->tabifyDockWidget(m_sampler, m_controls);
  m_window->addDockWidget(Qt::BottomDockWidgetArea, m_blocks);
  if (plan.tableBeside)
    m_window->splitDockWidget(m_blocks, m_blockTable, Qt::Horizontal);
  else
    m_window->tabifyDockWidget(m_controls, m_blockTable);
  m_window->tabifyDockWidget(m_blockTable, m_prefixTree);
  if (plan.drawerBelow)
    m_window->addDockWidget(Qt::BottomDockWidgetArea, m_plot, Qt::Vertical);
  else
    m_window->tabifyDockWidget(m_blocks, m_plot);
  m_window->tabifyDockWidget(m_plot, m_events);
  m_window->tabifyDockWidget(m_events, m_metrics);
  m_window->tabifyDockWidget(m_metrics, m_blockedBy);
  m_window->tabifyDockWidget(m_blockedBy, m_comparison);
}

void Perspectives::arrangeSizes(const Arrangement& wanted) {
  Arrangement plan = wanted;
  plan.memory = std::max(plan.memory, m_blocks->minimumSizeHint().height());
  plan.sampler = std::max(plan.sampler, m_sampler->minimumSizeHint().height());
  const QSize right(std::max(plan.right + kCardGap, m_why->minimumSizeHint().width()), plan.sampler);
  m_requests->setPreferred({plan.left + kCardGap, plan.sampler});
  m_why->setPreferred({right.width(), plan.why});
  for (PanelDock* dock : {m_sampler, m_controls, m_blockTable, m_prefixTree}) dock->setPreferred(right);
  if (plan.tableBeside)
    for (PanelDock* dock : {m_blockTable, m_prefixTree}) dock->setPreferred({plan.table, plan.memory});
  m_blocks->setPreferred({plan.right, plan.memory});
  for (PanelDock* dock : drawer())
    dock->setPreferred({plan.right, plan.drawerBelow ? plan.drawer : plan.memory});
  m_window->layout()->activate();
  if (plan.room == Room::kWide)
    m_window->resizeDocks({m_requests, m_why}, {plan.left + kCardGap, right.width()}, Qt::Horizontal);
  else
    m_window->resizeDocks({m_why}, {right.width()}, Qt::Horizontal);
  m_window->resizeDocks({m_blocks}, {plan.memory}, Qt::Vertical);
  if (plan.tableBeside) m_window->resizeDocks({m_blockTable}, {plan.table}, Qt::Horizontal);
  if (plan.room != Room::kSmall)
    m_window->resizeDocks({m_why, m_sampler}, {plan.why, plan.sampler}, Qt::Vertical);
}

}  // namespace vitrine
