#include "gui/panels/perspectives.h"

#include <QActionGroup>
#include <QApplication>
#include <QEvent>
#include <QLayout>
#include <QMainWindow>
#include <QMenu>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

#include "gui/chat/chat_page.h"
#include "gui/panels/dock_tabs.h"
#include "gui/panels/panel_dock.h"
#include "gui/panels/stage.h"
#include "gui/panels/time_axis_bar.h"
#include "gui/parts/card.h"
#include "gui/parts/scroll_page.h"
#include "widgets/batch/batch_view.h"
#include "widgets/beams/beams_view.h"
#include "widgets/chat/chat_view.h"
#include "widgets/explain/blocked_view.h"
#include "widgets/explain/event_log_view.h"
#include "widgets/explain/step_comparison_view.h"
#include "widgets/explain/why_view.h"
#include "widgets/layers/layers_panel.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/memory/prefix_tree_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/plots/plot_view.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/requests/requests_view.h"
#include "widgets/requests/text_view.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/sampler/sampler_panel.h"
#include "widgets/sampler/sampler_view.h"
#include "widgets/speculation/speculation_view.h"
#include "widgets/support/theme.h"
#include "widgets/time/time_axis_view.h"

namespace vitrine {

namespace {

constexpr double kPresentTextPt = 20;

}  // namespace

Perspectives::Perspectives(Panels& panels, Settings& settings, QMainWindow* window)
    : QObject(window),
      m_panels(panels),
      m_settings(settings),
      m_window(window),
      m_stage(new Stage(window)),
      m_timelineBar(new TimeAxisBar(panels.timeline, window)) {
  makeStage();
  auto* style = new CardStyle;
  style->setParent(this);
  window->setStyle(style);
  window->setDockNestingEnabled(true);
  window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);

  m_requests = addDock("requests", tr("Requests"), panels.requests);
  m_why = addDock("why", tr("Why this step?"), panels.why);
  m_blocks = addDock("blocks", tr("KV memory"), panels.blocks);
  m_sampler = addDock("sampler", tr("Sampler"), panels.sampler, panels.samplerPanel);
  m_controls = addDock("controls", tr("Sampling"), panels.controls, scrollable(panels.controls));
  m_blockTable = addDock("blockTable", tr("Block table"), panels.blockTable);
  m_prefixTree = addDock("prefixTree", tr("Prefix tree"), panels.prefixTree);
  m_plot = addDock("plot", tr("Plots"), panels.plot);
  m_events = addDock("events", tr("Events"), panels.events);
  m_metrics = addDock("metrics", tr("Metrics"), panels.metrics);
  m_blockedBy = addDock("blockedBy", tr("Blocked by"), panels.blockedBy);
  m_comparison = addDock("comparison", tr("Two steps"), panels.comparison);
  connect(&panels, &Panels::panelRequested, this, &Perspectives::bringForward);
  m_tabs = new DockTabs(window, m_docks);
  makeTimelineBar();
  window->installEventFilter(this);
}

// A further view of the run is one more line here.
void Perspectives::makeStage() {
  m_stage->addView(QStringLiteral("schedule"), tr("Lanes"), m_panels.lanes);
  m_stage->addView(QStringLiteral("text"), tr("Text"), m_panels.text);
  m_stage->addView(QStringLiteral("batch"), tr("Batch"), m_panels.batch);
  m_stage->addView(QStringLiteral("layers"), tr("Layers"), m_panels.layers);
  m_stage->addView(QStringLiteral("beams"), tr("Beams"), m_panels.beams);
  m_stage->addView(QStringLiteral("speculation"), tr("Speculation"), m_panels.speculation);
  m_stage->addPage(QStringLiteral("chat"), tr("Chat"), m_panels.chatPage);
}

void Perspectives::makeTimelineBar() {
  m_machineryBars.push_back(m_timelineBar);
  m_window->addToolBar(Qt::BottomToolBarArea, m_timelineBar);
  m_drawerButton = static_cast<TimeAxisBar*>(m_timelineBar)->drawerButton();
  connect(m_drawerButton, &QToolButton::clicked, this, &Perspectives::setDrawerOpen);
  for (const PanelDock* dock : drawer())
    connect(dock, &QDockWidget::visibilityChanged, this, &Perspectives::updateDrawerButton);
}

template <class View>
PanelDock* Perspectives::addDock(const char* name, const QString& title, View* view, QWidget* shown) {
  auto* dock = new PanelDock(QLatin1String(name), title, m_window);
  dock->setView(view, shown);
  m_window->addDockWidget(Qt::RightDockWidgetArea, dock);
  dock->hide();
  m_docks.push_back(dock);
  return dock;
}

QString Perspectives::keyOf(Perspective perspective) {
  switch (perspective) {
    case Perspective::kChat:
      return QStringLiteral("chat");
    case Perspective::kStep:
      return QStringLiteral("step");
    case Perspective::kPresent:
      return QStringLiteral("present");
  }
  return {};
}

Perspective Perspectives::fromKey(const QString& key) {
  for (const Perspective perspective : {Perspective::kChat, Perspective::kPresent})
    if (key == keyOf(perspective)) return perspective;
  return Perspective::kStep;
}

Arrangement Perspectives::arrangement() const {
  return arrangementFor(m_window->size(), QFontInfo(m_window->font()).pixelSize());
}

QString Perspectives::layoutKey() const {
  return keyOf(m_current) + (m_current == Perspective::kChat ? QString() : vitrine::keyOf(m_columns));
}

void Perspectives::remember() {
  if (m_shown) m_settings.setLayout(layoutKey(), m_window->saveState(Settings::kLayoutVersion));
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
  m_settings.setPerspective(keyOf(perspective));
  emit changed(perspective);
}

void Perspectives::setWindowFont() {
  QFont font = QApplication::font();
  if (m_current == Perspective::kPresent) font.setPointSizeF(std::max(kPresentTextPt, font.pointSizeF()));
  m_window->setFont(font);
}

void Perspectives::restore() {
  const QByteArray state = m_settings.layout(layoutKey());
  if (state.isEmpty() || !m_window->restoreState(state, Settings::kLayoutVersion)) arrange();
  showBars();
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
  if (columns == m_columns) return narrowRight();
  remember();
  m_columns = columns;
  restore();
}

// Columns keep their pixels in a window that becomes narrower. The stage keeps half of it.
void Perspectives::narrowRight() {
  if (m_why->isFloating() || !m_why->isVisible() || m_why->width() <= m_window->width() / 2) return;
  m_window->resizeDocks({m_why}, {arrangement().right + kCardGap}, Qt::Horizontal);
}

void Perspectives::showBars() {
  for (QToolBar* bar : m_window->findChildren<QToolBar*>(Qt::FindDirectChildrenOnly)) bar->show();
  for (QToolBar* bar : m_machineryBars) bar->setVisible(m_current != Perspective::kChat);
}

bool Perspectives::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_window && event->type() == QEvent::Resize)
    QMetaObject::invokeMethod(this, &Perspectives::followRoom, Qt::QueuedConnection);
  return false;
}

bool Perspectives::bringForward(const QString& panel) {
  if (m_stage->show(panel)) return true;
  const QString name = panel == QLatin1String("block_table") ? QStringLiteral("blockTable") : panel;
  const auto dock =
      std::ranges::find_if(m_docks, [&](const PanelDock* one) { return one->objectName() == name; });
  if (dock == m_docks.end()) return false;
  const bool opensDrawer = !isDrawerOpen() && std::ranges::count(drawer(), *dock) > 0;
  (*dock)->show();
  (*dock)->raise();
  if (opensDrawer) makeRoomForDrawer(*dock);
  return true;
}

bool Perspectives::isDrawerOpen() const {
  return std::ranges::any_of(drawer(), [](const PanelDock* dock) { return !dock->isHidden(); });
}

// Below the others a dock that is shown gets the least height.
void Perspectives::makeRoomForDrawer(PanelDock* front) {
  if (const Arrangement plan = arrangement(); plan.drawerBelow && !front->isFloating())
    m_window->resizeDocks({front}, {plan.drawer}, Qt::Vertical);
}

void Perspectives::setDrawerOpen(bool open) {
  const bool opens = open && !isDrawerOpen();
  for (PanelDock* dock : drawer()) dock->setVisible(open);
  (open ? m_plot : m_blocks)->raise();
  if (opens) makeRoomForDrawer(m_plot);
}

void Perspectives::updateDrawerButton() { m_drawerButton->setChecked(isDrawerOpen()); }

void Perspectives::addPerspectiveActions(QMenu* menu) {
  auto* group = new QActionGroup(menu);
  const auto add = [&](Perspective perspective, Qt::Key key) {
    QAction* action = menu->addAction(nameOf(perspective), this, [this, perspective] { show(perspective); });
    action->setShortcut(Qt::CTRL | key);
    action->setCheckable(true);
    group->addAction(action);
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
  if (plan.columns == Columns::kThree)
    m_window->addDockWidget(Qt::LeftDockWidgetArea, m_requests);
  else
    m_window->tabifyDockWidget(m_why, m_requests);
  if (plan.columns == Columns::kStacked)
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
  if (plan.columns == Columns::kThree)
    m_window->resizeDocks({m_requests, m_why}, {plan.left + kCardGap, right.width()}, Qt::Horizontal);
  else
    m_window->resizeDocks({m_why}, {right.width()}, Qt::Horizontal);
  m_window->resizeDocks({m_blocks}, {plan.memory}, Qt::Vertical);
  if (plan.tableBeside) m_window->resizeDocks({m_blockTable}, {plan.table}, Qt::Horizontal);
  if (plan.columns != Columns::kStacked)
    m_window->resizeDocks({m_why, m_sampler}, {plan.why, plan.sampler}, Qt::Vertical);
}

}  // namespace vitrine

#include "moc_perspectives.cpp"
