#include "gui/panels/dock_tabs.h"

#include <QContextMenuEvent>
#include <QMainWindow>
#include <QMenu>
#include <QPainter>
#include <QTabBar>
#include <algorithm>

#include "gui/panels/panel_dock.h"
#include "gui/parts/card.h"
#include "widgets/support/tab_rows.h"

namespace vitrine {

namespace {

// The window keeps bars that it does not need now, out of sight.
bool isUsed(const QTabBar& bar) {
  return bar.count() > 1 && !bar.isHidden() && bar.parentWidget()->rect().intersects(bar.geometry());
}

}  // namespace

DockTabs::DockTabs(QMainWindow* window, std::vector<PanelDock*> docks)
    : QObject(window), m_window(window), m_docks(std::move(docks)), m_style(new CardStyle(this)) {
  window->installEventFilter(this);
  for (PanelDock* dock : m_docks) {
    connect(dock, &QDockWidget::visibilityChanged, this, &DockTabs::updateLater);
    connect(dock, &QDockWidget::dockLocationChanged, this, &DockTabs::updateLater);
    connect(dock, &PanelDock::summaryShown, this, [this] {
      for (QTabBar* bar : m_window->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) bar->update();
    });
  }
}

PanelDock* DockTabs::dockCalled(const QString& title) const {
  const auto found = std::ranges::find_if(
      m_docks, [&](const PanelDock* dock) { return dock->windowTitle() == title && !dock->isFloating(); });
  return found == m_docks.end() ? nullptr : *found;
}

int DockTabs::heightOver(const PanelDock* dock) const {
  for (const QTabBar* bar : m_window->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
    for (int i = 0; isUsed(*bar) && i < bar->count(); ++i)
      if (dockCalled(bar->tabText(i)) == dock) return bar->height();
  return 0;
}

void DockTabs::updateLater() {
  if (std::exchange(m_pending, true)) return;
  QMetaObject::invokeMethod(this, &DockTabs::update, Qt::QueuedConnection);
}

void DockTabs::update() {
  m_pending = false;
  std::vector<PanelDock*> tabbed;
  for (QTabBar* bar : m_window->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
    adopt(bar);
    // Of a layout that was replaced before it was shown Qt leaves a bar without tabs in sight.
    if (bar->count() == 0) bar->hide();
    bar->setFocusPolicy(isUsed(*bar) ? Qt::TabFocus : Qt::NoFocus);  // Tab must not go out of sight
    if (!isUsed(*bar)) continue;
    for (int i = 0; i < bar->count(); ++i) tabbed.push_back(dockCalled(bar->tabText(i)));
  }
  for (PanelDock* dock : m_docks) {
    dock->setTabbed(std::ranges::find(tabbed, dock) != tabbed.end());
    dock->followSight();
  }
}

void DockTabs::adopt(QTabBar* bar) {
  if (bar->style() == m_style) return;
  bar->setStyle(m_style);
  bar->setDrawBase(false);
  bar->setExpanding(false);
  bar->setUsesScrollButtons(true);
  bar->setAccessibleName(tr("Panels on top of each other"));
  bar->installEventFilter(this);
  new TabRows(bar);
}

bool DockTabs::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_window) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::ChildPolished) updateLater();
    return false;
  }
  auto* bar = qobject_cast<QTabBar*>(watched);
  if (!bar) return false;
  if (event->type() == QEvent::Paint) return paint(bar);
  return event->type() == QEvent::ContextMenu && showMenu(bar, event);
}

bool DockTabs::paint(QTabBar* bar) const {
  QPainter painter(bar);
  painter.setFont(bar->font());
  const Theme theme = Theme::of(bar);
  const QRect card = bar->rect().marginsRemoved(edgeGround(bar));
  paintCard(painter, card, theme, CardPart::kTabs);
  paintTabs(painter, *bar, card, theme);
  const PanelDock* front = dockCalled(bar->tabText(bar->currentIndex()));
  const QRect room = roomBesideTabs(*bar).intersected(card);
  if (front) paintSummary(painter, room.adjusted(8, 2, -12, 0), front->summary(), theme);
  return true;
}

bool DockTabs::showMenu(QTabBar* bar, QEvent* event) const {
  const auto* asked = static_cast<QContextMenuEvent*>(event);
  const int at =
      asked->reason() == QContextMenuEvent::Mouse ? tabUnder(*bar, asked->pos()) : bar->currentIndex();
  PanelDock* dock = at < 0 ? nullptr : dockCalled(bar->tabText(at));
  if (!dock) return false;
  QMenu menu;
  dock->fillMenu(menu);
  menu.exec(asked->globalPos());
  return true;
}

}  // namespace vitrine

#include "moc_dock_tabs.cpp"
