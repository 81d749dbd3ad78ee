#include "gui/panels/card_walk.h"

#include <QApplication>
#include <QMainWindow>
#include <QTabBar>
#include <algorithm>
#include <map>
#include <numeric>

#include "gui/panels/panel_dock.h"
#include "gui/panels/stage.h"

namespace vitrine {

namespace {

using Order = std::vector<std::size_t>;

// Groups with a line between them that crosses no area: from left to right, or from the top to the foot.
std::vector<Order> parted(const std::vector<QRect>& areas, Order some, Qt::Orientation direction) {
  const bool across = direction == Qt::Horizontal;
  const auto begin = [&](std::size_t i) { return across ? areas[i].left() : areas[i].top(); };
  const auto end = [&](std::size_t i) { return across ? areas[i].right() : areas[i].bottom(); };
  std::ranges::stable_sort(some, {}, begin);
  std::vector<Order> groups;
  int reached = 0;
  for (const std::size_t one : some) {
    if (groups.empty() || begin(one) > reached) groups.emplace_back();
    reached = groups.back().empty() ? end(one) : std::max(reached, end(one));
    groups.back().push_back(one);
  }
  return groups;
}

void read(const std::vector<QRect>& areas, const Order& some, Order& order) {
  for (const Qt::Orientation direction : {Qt::Horizontal, Qt::Vertical}) {
    const std::vector<Order> groups = parted(areas, some, direction);
    if (groups.size() < 2) continue;
    for (const Order& group : groups) read(areas, group, order);
    return;
  }
  Order rest = some;  // one, or some that overlap
  std::ranges::stable_sort(rest, {},
                           [&](std::size_t i) { return std::pair(areas[i].top(), areas[i].left()); });
  order.insert(order.end(), rest.begin(), rest.end());
}

QRect areaOf(const QWidget& part) { return {part.mapToGlobal(QPoint()), part.size()}; }

bool takesKeys(const QWidget& part) {
  return (part.focusPolicy() & Qt::TabFocus) && !part.focusProxy() && part.isVisible() && part.isEnabled();
}

// Where it had the keyboard last, or its first part.
QWidget* entranceOf(QWidget& content) {
  if (QWidget* last = content.focusWidget(); last && content.isAncestorOf(last) && takesKeys(*last))
    return last;
  for (QWidget* one = &content;;) {
    if ((one == &content || content.isAncestorOf(one)) && takesKeys(*one)) return one;
    one = one->nextInFocusChain();
    if (one == &content) return nullptr;
  }
}

}  // namespace

std::vector<std::size_t> readingOrder(const std::vector<QRect>& areas) {
  Order all(areas.size()), order;
  std::iota(all.begin(), all.end(), 0);
  if (!all.empty()) read(areas, all, order);
  return order;
}

CardWalk::CardWalk(Stage& stage, QMainWindow& window) : QObject(&window), m_stage(stage), m_window(window) {}

std::vector<CardWalk::Place> CardWalk::placesInSight() const {
  std::vector<Place> places;
  if (m_stage.isVisible()) places.push_back({&m_stage, m_stage.page()});
  for (PanelDock* dock : m_window.findChildren<PanelDock*>())
    if (dock->isInSight()) places.push_back({dock, dock->widget()});
  for (QWidget* bar : m_bars)
    if (bar->isVisible()) places.push_back({bar, bar});
  return places;
}

void CardWalk::go(int by) {
  std::vector<Place> places = placesInSight();
  std::erase_if(places, [](const Place& place) { return entranceOf(*place.content) == nullptr; });
  if (places.empty()) return;
  std::vector<QRect> areas;
  for (const Place& place : places) areas.push_back(areaOf(*place.frame));
  const Order order = readingOrder(areas);
  const QWidget* const now = QApplication::focusWidget();
  const auto* tabs = qobject_cast<const QTabBar*>(now);  // of docks on top of each other
  const QString front = tabs && tabs->parent() == &m_window ? tabs->tabText(tabs->currentIndex()) : QString();
  const auto here = std::ranges::find_if(order, [&](std::size_t i) {
    const QWidget* const frame = places[i].frame;
    return now &&
           (frame == now || frame->isAncestorOf(now) || (!front.isEmpty() && frame->windowTitle() == front));
  });
  const auto count = static_cast<std::ptrdiff_t>(order.size());
  // From outside of the cards to the first one, or to the last.
  const std::ptrdiff_t from = here != order.end() ? here - order.begin() : by > 0 ? -1 : count;
  const Place& to = places[order[static_cast<std::size_t>((from + by + count) % count)]];
  if (to.frame->window() != &m_window) to.frame->activateWindow();
  entranceOf(*to.content)->setFocus(by > 0 ? Qt::TabFocusReason : Qt::BacktabFocusReason);
}

QWidget* CardWalk::partAfter(bool forward) const {
  const QWidget* const now = QApplication::focusWidget();
  const std::vector<Place> places = placesInSight();
  std::vector<QWidget*> frames;  // of cards, and parts that stand in none
  std::map<const QWidget*, std::vector<QWidget*>> parts;
  for (QWidget* one = m_window.nextInFocusChain(); one != &m_window; one = one->nextInFocusChain()) {
    if (one->window() != &m_window || !(takesKeys(*one) || one == now)) continue;
    const auto card = std::ranges::find_if(
        places, [&](const Place& place) { return place.frame == one || place.frame->isAncestorOf(one); });
    QWidget* const frame = card == places.end() ? one : card->frame;
    if (!parts.contains(frame)) frames.push_back(frame);
    parts[frame].push_back(one);
  }
  std::vector<QRect> areas;
  for (const QWidget* frame : frames) areas.push_back(areaOf(*frame));
  std::vector<QWidget*> all;
  for (const std::size_t i : readingOrder(areas)) {
    const std::vector<QWidget*>& some = parts[frames[i]];
    all.insert(all.end(), some.begin(), some.end());
  }
  if (all.empty()) return nullptr;
  const auto here = std::ranges::find(all, now);
  if (here == all.end()) return forward ? all.front() : all.back();
  if (forward) return std::next(here) == all.end() ? all.front() : *std::next(here);
  return here == all.begin() ? all.back() : *std::prev(here);
}

}  // namespace vitrine

#include "moc_card_walk.cpp"
