#include "widgets/support/tab_rows.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QStyle>
#include <QTabBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr int kSparedRoom = 16;  // beside the words of a tab, where there is little

// With its words in bold, as the present tab has them.
int wholeWidth(const QTabBar& bar, const QString& text) {
  return static_cast<int>(std::ceil(textWidth(boldened(bar.font()), QString(text).remove(u'&')))) +
         bar.style()->pixelMetric(QStyle::PM_TabBarTabHSpace, nullptr, &bar);
}

// As many as fit into the first row, each with so much less room beside its words. The second may be too
// wide.
std::vector<QRect> twoRows(const QTabBar& bar, int spared) {
  std::vector<QRect> areas;
  const int height = bar.height() / 2;
  int x = 0, y = 0;
  for (int i = 0; i < bar.count(); ++i) {
    const int width = bar.isTabVisible(i) ? wholeWidth(bar, bar.tabText(i)) - spared : 0;
    if (x + width > bar.width() && y == 0) {
      x = 0;
      y = height;
    }
    areas.emplace_back(x, y, width, height);
    x += width;
  }
  return areas;
}

}  // namespace

int tabRows(const QTabBar& bar) {
  if (!bar.findChild<TabRows*>(QString(), Qt::FindDirectChildrenOnly)) return 1;
  int all = 0;
  for (int i = 0; i < bar.count(); ++i)
    if (bar.isTabVisible(i)) all += wholeWidth(bar, bar.tabText(i));
  return all > bar.width() ? 2 : 1;
}

QSize tabSize(const QTabBar& bar, const QString& text, int height) {
  const int rows = tabRows(bar);
  return {wholeWidth(bar, text) / rows, height * rows};
}

std::vector<QRect> tabAreas(const QTabBar& bar) {
  std::vector<QRect> areas;
  if (tabRows(bar) == 2) {
    areas = twoRows(bar, 0);
    if (areas.back().right() >= bar.width()) areas = twoRows(bar, kSparedRoom);
    for (QRect& area : areas) area.setRight(std::min(area.right(), bar.width() - 1));
    return areas;
  }
  for (int i = 0; i < bar.count(); ++i) areas.push_back(bar.isTabVisible(i) ? bar.tabRect(i) : QRect());
  return areas;
}

int tabUnder(const QTabBar& bar, const QPoint& place) {
  const std::vector<QRect> areas = tabAreas(bar);
  const auto found = std::ranges::find_if(areas, [&](const QRect& area) { return area.contains(place); });
  return found == areas.end() ? -1 : static_cast<int>(found - areas.begin());
}

QRect roomBesideTabs(const QTabBar& bar) {
  QRect last;
  for (const QRect& area : tabAreas(bar))
    if (!area.isEmpty()) last = area;
  return {last.right() + 1, last.top(), bar.width() - last.right() - 1, last.height()};
}

TabRows::TabRows(QTabBar* bar) : QObject(bar), m_bar(bar) {
  bar->installEventFilter(this);
  bar->setElideMode(bar->elideMode());  // lays the tabs out again, now that they may have two rows
}

bool TabRows::eventFilter(QObject*, QEvent* event) {
  // Its width decides how high it must be, and layouts ask for the height first.
  if (event->type() == QEvent::Paint && m_bar->sizeHint().height() != m_bar->height())
    QMetaObject::invokeMethod(
        m_bar, [bar = m_bar] { bar->updateGeometry(); }, Qt::QueuedConnection);
  if (m_passes || event->type() == QEvent::Paint || tabRows(*m_bar) == 1) return false;
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseMove:
      return move(*static_cast<QMouseEvent*>(event)), true;
    case QEvent::ToolTip: {
      const auto* help = static_cast<QHelpEvent*>(event);
      const int tab = tabUnder(*m_bar, help->pos());
      QToolTip::showText(help->globalPos(), tab < 0 ? QString() : m_bar->tabToolTip(tab), m_bar);
      return true;
    }
    default:
      return false;
  }
}

// A dock that is dragged by its tab follows the mouse from where it was pressed on.
void TabRows::move(QMouseEvent& event) {
  const QPoint place = event.position().toPoint();
  if (event.type() == QEvent::MouseButtonPress || event.type() == QEvent::MouseButtonDblClick) {
    const int tab = tabUnder(*m_bar, place);
    const QPoint there = tab < 0 ? QPoint(-1, -1) : m_bar->tabRect(tab).center();
    m_moved = there - place;
  }
  QMouseEvent moved(event.type(), event.position() + m_moved, event.globalPosition(), event.button(),
                    event.buttons(), event.modifiers(), event.pointingDevice());
  m_passes = true;
  QCoreApplication::sendEvent(m_bar, &moved);
  m_passes = false;
  event.setAccepted(moved.isAccepted());
}

}  // namespace vitrine

#include "moc_tab_rows.cpp"
