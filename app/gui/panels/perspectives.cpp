#include "gui/panels/perspectives.h"

#include <QActionGroup>
#include <QApplication>
#include <QEvent>
#include <QLayout>
#include <QMainWindow>
#include <QMenu>
#include <QPainter>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>
#include <iterator>
#include <utility>

#include "gui/panels/dock_tabs.h"
#include "gui/panels/panel_dock.h"
#include "gui/panels/stage.h"
#include "gui/parts/card.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"
#include "widgets/time/time_axis_view.h"

namespace vitrine {

VITRINE_NAMES(Perspective, "chat", "step", "present");

namespace {

constexpr double kPresentTextPt = 20;
// Places with panels that may lie behind others; of places that share a card the last one wins.
constexpr PanelPlace kPlacesBehind[] = {PanelPlace::kMemory, PanelPlace::kRightBelow, PanelPlace::kRight};
constexpr int kFewLanes = 3;                          // of as many requests as the smallest window shows
const QString kDivided = QStringLiteral("-divided");  // after a layout's key
const QByteArray kByHand = QByteArrayLiteral("by hand");

// The time axis over the whole width at the foot of the window, and the button of the drawer with plots,
// events and metrics.
class TimeAxisBar : public QToolBar {
 public:
  TimeAxisBar(QWidget* axis, QWidget* parent);
  QToolButton* drawerButton() const { return m_drawer; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QToolButton* m_drawer;
};

TimeAxisBar::TimeAxisBar(QWidget* axis, QWidget* parent) : QToolBar(Perspectives::tr("Time axis"), parent) {
  setObjectName(QStringLiteral("timelineBar"));
  setMovable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  setStyle(new CardStyle(this));
  axis->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_drawer = new QToolButton(this);
  m_drawer->setText(Perspectives::tr("Plots, events, metrics"));
  m_drawer->setCheckable(true);
  m_drawer->setAutoRaise(true);
  m_drawer->setToolTip(
      Perspectives::tr("Open or close the drawer with plots, events, metrics and reasons to wait"));
  auto* content = new QWidget(this);
  auto* row = new QHBoxLayout(content);
  row->setContentsMargins(0, kCardGap + 1, 10, 0);
  addParts(row, {{axis, 1}, {m_drawer, 0, Qt::AlignVCenter}});
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

}  // namespace

Perspectives::Perspectives(Panels& panels, Settings& settings, QMainWindow* window)
    : QObject(window),
      m_panels(panels),
      m_settings(settings),
      m_window(window),
      m_stage(new Stage(window)),
      m_timelineBar(new TimeAxisBar(panels.timeline, window)) {
  makeStage();
  window->setStyle(new CardStyle(this));
  window->setDockNestingEnabled(true);
  window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);

  makeDocks();
  connect(&panels, &Panels::panelRequested, this, &Perspectives::bringForward);
  connect(&panels, &Panels::panelDone, this, &Perspectives::putBack);
  // Later: the views say so while they are laid out.
  connect(panels.lanes, &LanesView::roomChanged, this, &Perspectives::divideMiddle, Qt::QueuedConnection);
  connect(panels.blocks, &BlockMapView::roomChanged, this, &Perspectives::divideMiddle, Qt::QueuedConnection);
  m_tabs = new DockTabs(window, m_docks);
  makeTimelineBar();
  window->installEventFilter(this);
}

void Perspectives::makeStage() {
  for (const Panel& panel : m_panels.list()) {
    if (panel.place != PanelPlace::kStage) continue;
    const int page = m_stage->addPage(panel.name, panel.title, panel.widget);
    if (panel.tellSummary)
      panel.tellSummary(m_stage, [this, page](const QString& text) { m_stage->setSummary(page, text); });
  }
}

void Perspectives::makeDocks() {
  for (const Panel& panel : m_panels.list()) {
    if (panel.place == PanelPlace::kStage) continue;
    auto* dock = new PanelDock(panel.name, panel.title, m_window);
    dock->setBody(panel.widget);
    if (panel.tellSummary) panel.tellSummary(dock, [dock](const QString& text) { dock->setSummary(text); });
    m_window->addDockWidget(Qt::RightDockWidgetArea, dock);
    dock->hide();
    if (panel.whenAsked) m_whenAsked.insert(dock);
    m_docks.push_back(dock);
    m_places[panel.place].push_back(dock);
  }
}

void Perspectives::makeTimelineBar() {
  m_machineryBars.push_back(m_timelineBar);
  m_window->addToolBar(Qt::BottomToolBarArea, m_timelineBar);
  m_drawerButton = static_cast<TimeAxisBar*>(m_timelineBar)->drawerButton();
  connect(m_drawerButton, &QToolButton::clicked, this, &Perspectives::setDrawerOpen);
  for (const PanelDock* dock : at(PanelPlace::kDrawer))
    connect(dock, &QDockWidget::visibilityChanged, this, &Perspectives::updateDrawerButton);
}

QString Perspectives::keyOf(Perspective perspective) {
  return QString::fromLatin1(vitrine::nameOf(perspective));
}

Perspective Perspectives::fromKey(const QString& key) {
  return fromName<Perspective>(key.toStdString()).value_or(Perspective::kStep);
}

Arrangement Perspectives::arrangement() const {
  return arrangementFor(m_window->size(), QFontInfo(m_window->font()).pixelSize());
}

QString Perspectives::layoutKey() const {
  return keyOf(m_current) + (m_current == Perspective::kChat ? QString() : vitrine::keyOf(m_columns));
}

// While something is read, the layout is one for reading.
void Perspectives::remember() {
  if (!m_shown || !m_asked.empty()) return;
  m_settings.setLayout(layoutKey(), m_window->saveState(Settings::kLayoutVersion));
  m_settings.setLayout(layoutKey() + kDivided, m_dividedByHand ? kByHand : QByteArray());
}

void Perspectives::show(Perspective perspective) {
  if (m_shown && perspective == m_current) return;
  remember();
  m_current = perspective;
  m_shown = true;
  // Docks are hidden first: a larger font in all of them at once would enlarge the window beyond the screen.
  for (PanelDock* dock : m_docks) dock->hide();
  m_stage->setPlain(perspective == Perspective::kChat);
  m_stage->show(perspective == Perspective::kChat ? QStringLiteral("chat") : QStringLiteral("schedule"));
  setWindowFont();
  m_columns = arrangement().columns;
  restore();
  m_settings.perspective.set(keyOf(perspective));
  emit changed(perspective);
}

void Perspectives::setWindowFont() {
  QFont font = QApplication::font();
  if (m_current == Perspective::kPresent) font.setPointSizeF(std::max(kPresentTextPt, font.pointSizeF()));
  m_window->setFont(font);
}

void Perspectives::restore() {
  const QByteArray state = m_settings.layout(layoutKey());
  m_dividedByHand = m_settings.layout(layoutKey() + kDivided) == kByHand;
  if (state.isEmpty() || !m_window->restoreState(state, Settings::kLayoutVersion)) {
    arrange();
  } else {
    followAsked();
    QTimer::singleShot(0, this, &Perspectives::divideMiddle);
  }
  showBars();
  m_tabs->update();
}

// A stored layout may be one of another time.
void Perspectives::followAsked() {
  if (m_current == Perspective::kChat) return;
  for (PanelDock* dock : m_whenAsked) {
    dock->setVisible(m_asked.contains(dock));
    if (m_asked.contains(dock)) makeRoomToRead(dock);
  }
}

// What is read has the left column for itself, with longer lines than cards need. The panels of that column
// are tabs of the right one meanwhile, as in a window with two columns.
void Perspectives::makeRoomToRead(PanelDock* dock) {
  if (dock->isFloating()) return;
  PanelDock *const left = front(PanelPlace::kLeft), *const right = front(PanelPlace::kRight);
  const bool isShown = !left->isHidden();
  if (!left->isFloating()) m_window->tabifyDockWidget(at(PanelPlace::kRight).back(), left);
  left->setVisible(isShown);
  m_window->addDockWidget(Qt::LeftDockWidgetArea, dock);
  if (!right->isHidden()) right->raise();
  const Arrangement plan = arrangement();
  m_window->resizeDocks({dock, right}, {plan.reading + kCardGap, plan.besideReading + kCardGap},
                        Qt::Horizontal);
  m_tabs->update();
}

void Perspectives::takeRoomBack() {
  const Arrangement plan = arrangement();
  PanelDock* const left = front(PanelPlace::kLeft);
  if (plan.columns != Columns::kThree || left->isFloating()) return;
  const bool isShown = !left->isHidden();
  m_window->addDockWidget(Qt::LeftDockWidgetArea, left);
  left->setVisible(isShown);
  m_window->resizeDocks({left}, {plan.left + kCardGap}, Qt::Horizontal);
  m_tabs->update();
}

void Perspectives::restoreDefault() {
  m_settings.forgetLayouts();
  m_stage->show(m_current == Perspective::kChat ? QStringLiteral("chat") : QStringLiteral("schedule"));
  arrange();
  showBars();
  m_tabs->update();
}

// The window has become wider or narrower than a layout is made for.
void Perspectives::followRoom() {
  const Columns columns = arrangement().columns;
  if (!m_shown || m_current == Perspective::kChat) return;
  if (columns == m_columns) {
    narrowRight();
    divideMiddle();
    return;
  }
  remember();
  m_columns = columns;
  restore();
}

// Columns keep their pixels in a window that becomes narrower. The stage keeps half of it.
void Perspectives::narrowRight() {
  PanelDock* const right = front(PanelPlace::kRight);
  if (right->isFloating() || !right->isVisible() || right->width() <= m_window->width() / 2) return;
  m_window->resizeDocks({right}, {arrangement().right + kCardGap}, Qt::Horizontal);
}

void Perspectives::showBars() {
  for (QToolBar* bar : m_window->findChildren<QToolBar*>(Qt::FindDirectChildrenOnly)) bar->show();
  for (QToolBar* bar : m_machineryBars) bar->setVisible(m_current != Perspective::kChat);
}

// Stage and KV memory share the middle column by what they show, until the user moves the line between them.
void Perspectives::divideMiddle() {
  PanelDock* const memory = front(PanelPlace::kMemory);
  const BlockMapView& pool = *m_panels.blocks;
  if (m_current == Perspective::kChat || m_dividedByHand || !pool.isVisible() || memory->isFloating() ||
      m_window->dockWidgetArea(memory) != Qt::BottomDockWidgetArea || pool.comfortableHeight() == 0)
    return;
  const LanesView& lanes = *m_panels.lanes;
  const int aroundLanes = m_stage->heightAround(), aroundPool = memory->height() - pool.height();
  const int both = m_stage->height() + memory->height();
  const int allLanes = aroundLanes + lanes.heightFor(std::max(kFewLanes, lanes.mostLanes()));
  const int height = memoryHeight({.height = both,
                                   .fewLanes = aroundLanes + lanes.heightFor(kFewLanes),
                                   .comfortable = aroundPool + pool.comfortableHeight(),
                                   .largest = aroundPool + pool.heightWithin(both - allLanes - aroundPool)});
  // Qt counts the tabs as part of the dock.
  if (height != memory->height())
    m_window->resizeDocks({memory}, {height + m_tabs->heightOver(memory)}, Qt::Vertical);
}

bool Perspectives::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_window) return false;
  if (event->type() == QEvent::Resize)
    QMetaObject::invokeMethod(this, &Perspectives::followRoom, Qt::QueuedConnection);
  // A separator is the window's own: nothing else changes the height while its mouse button is down.
  if (event->type() == QEvent::MouseButtonPress) m_pressedHeight = front(PanelPlace::kMemory)->height();
  if (event->type() == QEvent::MouseButtonRelease && m_pressedHeight != front(PanelPlace::kMemory)->height())
    m_dividedByHand = true;
  return false;
}

// Scenarios may name the block table and the sampler's fields otherwise.
PanelDock* Perspectives::dockOf(const QString& panel) const {
  const QString name = panel == QLatin1String("block_table") ? QStringLiteral("blockTable")
                       : panel == QLatin1String("controls")  ? QStringLiteral("sampler")
                                                             : panel;
  const auto dock =
      std::ranges::find_if(m_docks, [&](const PanelDock* one) { return one->objectName() == name; });
  return dock == m_docks.end() ? nullptr : *dock;
}

bool Perspectives::bringForward(const QString& panel) {
  if (m_stage->show(panel)) return true;
  PanelDock* const dock = dockOf(panel);
  if (dock == nullptr) return false;
  const bool opensDrawer = !isDrawerOpen() && std::ranges::count(at(PanelPlace::kDrawer), dock) > 0;
  if (!dock->isInSight()) {
    Covered& covered = m_covered[dock] = {dock->isHidden()};
    std::ranges::copy_if(m_docks, std::back_inserter(covered.docks),
                         [](const PanelDock* one) { return one->isInSight(); });
  }
  dock->show();
  dock->raise();
  if (m_whenAsked.contains(dock) && m_asked.insert(dock).second) makeRoomToRead(dock);
  if (opensDrawer) makeRoomForDrawer(dock);
  m_broughtDrawer = m_broughtDrawer || opensDrawer;
  return true;
}

QWidget* Perspectives::cardOf(const QString& panel) const {
  if (m_stage->has(panel)) return m_stage;
  return dockOf(panel);
}

void Perspectives::putAway(const QString& panel) {
  PanelDock* const dock = dockOf(panel);
  if (dock == nullptr) return;
  dock->hide();
  if (m_asked.erase(dock) > 0) takeRoomBack();
}

void Perspectives::openFor(const QStringList& panels) {
  if (m_current == Perspective::kChat) return;
  if (std::exchange(m_broughtDrawer, false)) setDrawerOpen(false);
  for (const PanelPlace place : kPlacesBehind)
    if (!front(place)->isHidden()) front(place)->raise();
  if (std::ranges::none_of(panels, [this](const QString& panel) { return m_stage->show(panel); }))
    m_stage->show(QStringLiteral("schedule"));
}

void Perspectives::putBack(const QString& panel) {
  PanelDock* const dock = dockOf(panel);
  if (!m_covered.contains(dock)) return;
  const Covered covered = std::move(m_covered.extract(dock).mapped());
  if (!dock->isInSight()) return;  // a person has moved on
  if (covered.wasClosed) dock->hide();
  for (PanelDock* before : covered.docks)
    if (!before->isHidden()) before->raise();
}

bool Perspectives::isDrawerOpen() const {
  return std::ranges::any_of(at(PanelPlace::kDrawer),
                             [](const PanelDock* dock) { return !dock->isHidden(); });
}

// Below the others a dock that is shown gets the least height.
void Perspectives::makeRoomForDrawer(PanelDock* shown) {
  if (const Arrangement plan = arrangement(); plan.drawerBelow && !shown->isFloating())
    m_window->resizeDocks({shown}, {plan.drawer}, Qt::Vertical);
}

void Perspectives::setDrawerOpen(bool open) {
  const bool opens = open && !isDrawerOpen();
  m_broughtDrawer = false;
  for (PanelDock* dock : at(PanelPlace::kDrawer)) dock->setVisible(open);
  front(open ? PanelPlace::kDrawer : PanelPlace::kMemory)->raise();
  if (opens) makeRoomForDrawer(front(PanelPlace::kDrawer));
}

void Perspectives::updateDrawerButton() { m_drawerButton->setChecked(isDrawerOpen()); }

void Perspectives::addPerspectiveActions(QMenu* menu) {
  auto* group = new QActionGroup(menu);
  const auto add = [&](Perspective perspective, Qt::Key key) {
    QAction* action = menu->addAction(nameOf(perspective), this, [this, perspective] { show(perspective); });
    action->setShortcut(Qt::CTRL | key);
    action->setCheckable(true);
    group->addAction(action);
    m_actions[perspective] = action;
    connect(this, &Perspectives::changed, action,
            [action, perspective](Perspective now) { action->setChecked(now == perspective); });
  };
  add(Perspective::kChat, Qt::Key_1);
  add(Perspective::kStep, Qt::Key_2);
  add(Perspective::kPresent, Qt::Key_4);
}

QString Perspectives::nameOf(Perspective perspective) {
  switch (perspective) {
    case Perspective::kChat:
      return tr("Just &chat");
    case Perspective::kStep:
      return tr("&Step through the machine");
    case Perspective::kPresent:
      return tr("&Present");
  }
  return {};
}

void Perspectives::addDockActions(QMenu* menu) const {
  for (QDockWidget* dock : m_docks) menu->addAction(dock->toggleViewAction());
}

void Perspectives::arrange() {
  m_dividedByHand = false;
  for (PanelDock* dock : m_docks) {
    dock->setFloating(false);
    dock->hide();
  }
  if (m_current == Perspective::kChat) return;
  const Arrangement plan = arrangement();
  arrangeColumns(plan);
  // An audience needs large letters: there is room for the first panel of a place.
  const bool presenting = m_current == Perspective::kPresent;
  using enum PanelPlace;
  // Qt divides the room as docks come: the columns before what lies between them.
  constexpr PanelPlace kShown[] = {kLeft, kRight, kMemory, kRightBelow};
  for (const PanelPlace place : kShown)
    for (PanelDock* dock : at(place))
      dock->setVisible((!presenting || dock == front(place)) && !m_whenAsked.contains(dock));
  for (const PanelPlace place : kPlacesBehind) front(place)->raise();
  followAsked();
  arrangeSizes(plan);
  // Once more when the docks have been laid out: before, their sizes are those of an empty window.
  QTimer::singleShot(0, this, [this, plan] {
    if (plan != arrangement() || m_current == Perspective::kChat) return;
    arrangeSizes(plan);
    QTimer::singleShot(0, this, &Perspectives::divideMiddle);  // by the width that the pool has then
  });
}

void Perspectives::arrangeColumns(const Arrangement& plan) {
  using enum PanelPlace;
  for (PanelDock* dock : m_docks) m_window->removeDockWidget(dock);
  m_window->addDockWidget(Qt::RightDockWidgetArea, front(kRight));
  stack(kRight);
  if (plan.columns == Columns::kThree)
    m_window->addDockWidget(Qt::LeftDockWidgetArea, front(kLeft));
  else
    m_window->tabifyDockWidget(at(kRight).back(), front(kLeft));
  if (plan.columns == Columns::kStacked)
    m_window->tabifyDockWidget(front(kLeft), front(kRightBelow));
  else
    m_window->addDockWidget(Qt::RightDockWidgetArea, front(kRightBelow), Qt::Vertical);
  stack(kRightBelow);
  m_window->addDockWidget(Qt::BottomDockWidgetArea, front(kMemory));
  stack(kMemory);
  if (plan.drawerBelow)
    m_window->addDockWidget(Qt::BottomDockWidgetArea, front(kDrawer), Qt::Vertical);
  else
    m_window->tabifyDockWidget(at(kMemory).back(), front(kDrawer));
  stack(kDrawer);
}

// The docks of a place become tabs of one card, in which the first one lies already.
void Perspectives::stack(PanelPlace place) {
  const std::vector<PanelDock*>& docks = at(place);
  for (std::size_t i = 1; i < docks.size(); ++i) m_window->tabifyDockWidget(docks[i - 1], docks[i]);
}

void Perspectives::arrangeSizes(const Arrangement& wanted) {
  using enum PanelPlace;
  Arrangement plan = wanted;
  plan.memory = std::max(plan.memory, front(kMemory)->minimumSizeHint().height());
  plan.sampler = std::max(plan.sampler, front(kRightBelow)->minimumSizeHint().height());
  const bool isRead = !m_asked.empty();
  if (isRead) plan.right = plan.besideReading;
  const QSize right(std::max(plan.right + kCardGap, front(kRight)->minimumSizeHint().width()), plan.sampler);
  const auto prefer = [this](PanelPlace place, QSize size) {
    for (PanelDock* dock : at(place)) dock->setPreferred(size);
  };
  prefer(kLeft, {plan.left + kCardGap, plan.sampler});
  prefer(kRight, {right.width(), plan.why});
  prefer(kRightBelow, right);
  prefer(kMemory, {plan.right, plan.memory});
  prefer(kDrawer, {plan.right, plan.drawerBelow ? plan.drawer : plan.memory});
  m_window->layout()->activate();
  if (isRead)
    m_window->resizeDocks({*m_asked.begin(), front(kRight)}, {plan.reading + kCardGap, right.width()},
                          Qt::Horizontal);
  else if (plan.columns == Columns::kThree)
    m_window->resizeDocks({front(kLeft), front(kRight)}, {plan.left + kCardGap, right.width()},
                          Qt::Horizontal);
  else
    m_window->resizeDocks({front(kRight)}, {right.width()}, Qt::Horizontal);
  m_window->resizeDocks({front(kMemory)}, {plan.memory}, Qt::Vertical);
  if (plan.columns != Columns::kStacked)
    m_window->resizeDocks({front(kRight), front(kRightBelow)}, {plan.why, plan.sampler}, Qt::Vertical);
}

}  // namespace vitrine

#include "moc_perspectives.cpp"
