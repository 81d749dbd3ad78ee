#include "perspectives.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QToolBar>
#include <algorithm>

#include "widgets/support/theme.h"
#include "widgets/views/block_map_view.h"
#include "widgets/views/chat_view.h"
#include "widgets/views/data_table_view.h"
#include "widgets/views/event_log_view.h"
#include "widgets/views/lanes_view.h"
#include "widgets/views/plot_view.h"
#include "widgets/views/requests_view.h"
#include "widgets/views/sampler_controls.h"
#include "widgets/views/sampler_view.h"
#include "widgets/views/timeline_view.h"
#include "widgets/views/why_view.h"

namespace vitrine {

namespace {

constexpr double kPresentTextPt = 20;
constexpr int kRoomyWidth = 1600;

// Takes the room that the bars above it leave. They shrink only where it would get less than its minimum.
class Centre final : public QSplitter {
 public:
  using QSplitter::QSplitter;
  QSize sizeHint() const override { return minimumSizeHint(); }
};

QWidget* scrollable(QWidget* view) {
  auto* area = new QScrollArea;
  area->setWidget(view);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return area;
}

}  // namespace

Perspectives::Perspectives(Panels& panels, Settings& settings, QMainWindow* window)
    : QObject(window),
      m_panels(panels),
      m_settings(settings),
      m_window(window),
      m_centre(new Centre(Qt::Vertical, window)),
      m_tabs(new QTabWidget(m_centre)),
      m_timelineBar(new QToolBar(tr("Timeline"), window)),
      m_plainFont(window->font()) {
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(panels.chat, tr("Chat"));
  m_tabs->addTab(panels.lanes, tr("Schedule"));
  m_centre->addWidget(m_tabs);
  m_centre->addWidget(panels.why);
  m_centre->setChildrenCollapsible(false);

  m_timelineBar->setObjectName(QStringLiteral("timelineBar"));
  m_timelineBar->setMovable(false);
  panels.timeline->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_timelineBar->addWidget(panels.timeline);
  window->addToolBar(Qt::BottomToolBarArea, m_timelineBar);

  m_requests = addDock(QStringLiteral("requests"), tr("Requests"), panels.requests, Qt::LeftDockWidgetArea);
  m_blocks = addDock(QStringLiteral("blocks"), tr("KV blocks"), panels.blocks, Qt::RightDockWidgetArea);
  m_sampler = addDock(QStringLiteral("sampler"), tr("Sampler"), panels.sampler, Qt::RightDockWidgetArea);
  m_controls = addDock(QStringLiteral("controls"), tr("Sampling"), scrollable(panels.controls),
                       Qt::RightDockWidgetArea);
  m_blockTable =
      addDock(QStringLiteral("blockTable"), tr("Block table"), panels.blockTable, Qt::RightDockWidgetArea);
  m_plot = addDock(QStringLiteral("plot"), tr("Plots"), panels.plot, Qt::BottomDockWidgetArea);
  m_events = addDock(QStringLiteral("events"), tr("Events"), panels.events, Qt::BottomDockWidgetArea);
  m_metrics = addDock(QStringLiteral("metrics"), tr("Metrics"), panels.metrics, Qt::BottomDockWidgetArea);
  window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
}

QDockWidget* Perspectives::addDock(const QString& name, const QString& title, QWidget* view,
                                   Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, m_window);
  dock->setObjectName(name);
  dock->setWidget(view);
  m_window->addDockWidget(area, dock);
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

void Perspectives::remember() {
  if (m_shown) m_settings.setLayout(keyOf(m_current), m_window->saveState(Settings::kLayoutVersion));
}

void Perspectives::show(Perspective perspective) {
  if (m_shown && perspective == m_current) return;
  remember();
  m_current = perspective;
  m_shown = true;
  // Docks are hidden first: a larger font in all of them at once would enlarge the window beyond the screen.
  for (QDockWidget* dock : m_docks) dock->hide();
  arrangeCentre(perspective);
  const QByteArray state = m_settings.layout(keyOf(perspective));
  if (state.isEmpty() || !m_window->restoreState(state, Settings::kLayoutVersion)) arrange(perspective);
  m_settings.setPerspective(keyOf(perspective));
  emit changed(perspective);
}

void Perspectives::restoreDefault() {
  m_settings.forgetLayouts();
  arrangeCentre(m_current);
  arrange(m_current);
}

bool Perspectives::bringForward(const QString& panel) {
  if (panel == QLatin1String("chat") || panel == QLatin1String("schedule")) {
    m_tabs->setCurrentWidget(panel == QLatin1String("chat") ? static_cast<QWidget*>(m_panels.chat)
                                                            : m_panels.lanes);
    return true;
  }
  if (panel == QLatin1String("why")) {
    m_panels.why->show();
    return true;
  }
  const QString name = panel == QLatin1String("block_table") ? QStringLiteral("blockTable") : panel;
  const auto dock = std::find_if(m_docks.begin(), m_docks.end(),
                                 [&](const QDockWidget* one) { return one->objectName() == name; });
  if (dock == m_docks.end()) return false;
  (*dock)->show();
  (*dock)->raise();
  return true;
}

void Perspectives::arrangeCentre(Perspective perspective) {
  const bool chatting = perspective == Perspective::kChat;
  QFont font = m_plainFont;
  if (perspective == Perspective::kPresent) font.setPointSizeF(std::max(kPresentTextPt, font.pointSizeF()));
  m_window->setFont(font);
  const int half = std::max(m_window->height(), 600) / 2;
  m_centre->setSizes({half, half});
  m_tabs->tabBar()->setVisible(!chatting);
  m_tabs->setCurrentWidget(chatting ? static_cast<QWidget*>(m_panels.chat) : m_panels.lanes);
  m_panels.why->setVisible(!chatting);
  m_timelineBar->setVisible(!chatting);
}

void Perspectives::arrange(Perspective perspective) {
  const int width = std::max(m_window->width(), 800), height = std::max(m_window->height(), 600);
  for (QDockWidget* dock : m_docks) {
    dock->setFloating(false);
    dock->hide();
  }
  m_timelineBar->setVisible(perspective != Perspective::kChat);
  if (perspective == Perspective::kChat) return;

  m_window->addDockWidget(Qt::LeftDockWidgetArea, m_requests);
  m_window->addDockWidget(Qt::RightDockWidgetArea, m_blocks);
  m_window->splitDockWidget(m_blocks, m_sampler, Qt::Vertical);
  m_window->tabifyDockWidget(m_sampler, m_controls);
  m_window->tabifyDockWidget(m_controls, m_blockTable);
  m_window->addDockWidget(Qt::BottomDockWidgetArea, m_plot);
  m_window->tabifyDockWidget(m_plot, m_events);
  m_window->tabifyDockWidget(m_events, m_metrics);
  m_blocks->show();
  // On a small projector the large font needs the room, and the lanes name the requests too.
  m_requests->setVisible(perspective != Perspective::kPresent || width >= kRoomyWidth);
  if (perspective == Perspective::kPresent) {
    m_window->resizeDocks({m_requests, m_blocks},
                          {width * 26 / 100, width * (width >= kRoomyWidth ? 34 : 42) / 100}, Qt::Horizontal);
    return;
  }
  for (QDockWidget* dock : m_docks) dock->show();
  m_sampler->raise();
  m_plot->raise();
  m_window->resizeDocks({m_requests, m_blocks}, {width * 19 / 100, width * 31 / 100}, Qt::Horizontal);
  m_window->resizeDocks({m_blocks, m_sampler}, {height * 36 / 100, height * 34 / 100}, Qt::Vertical);
  m_window->resizeDocks({m_plot}, {height * 19 / 100}, Qt::Vertical);
}

void Perspectives::addPerspectiveActions(QMenu* menu) {
  auto* group = new QActionGroup(menu);
  const auto add = [&](const QString& name, Perspective perspective, Qt::Key key) {
    QAction* action = menu->addAction(name, this, [this, perspective] { show(perspective); });
    action->setShortcut(Qt::CTRL | key);
    action->setCheckable(true);
    group->addAction(action);
    connect(this, &Perspectives::changed, action,
            [action, perspective](Perspective now) { action->setChecked(now == perspective); });
  };
  add(tr("Just &chat"), Perspective::kChat, Qt::Key_1);
  add(tr("&Step through the machine"), Perspective::kStep, Qt::Key_2);
  add(tr("&Present"), Perspective::kPresent, Qt::Key_4);
}

void Perspectives::addDockActions(QMenu* menu) const {
  for (QDockWidget* dock : m_docks) menu->addAction(dock->toggleViewAction());
}

}  // namespace vitrine
