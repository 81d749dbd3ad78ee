#include "gui/panels/panel_dock.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>

#include "gui/panels/panel_header.h"
#include "gui/parts/card.h"

namespace vitrine {

namespace {

constexpr int kLeastLines = 2, kLeastLetters = 16;

}  // namespace

PanelDock::PanelDock(const QString& name, const QString& title, QWidget* parent)
    : QDockWidget(title, parent), m_header(new PanelHeader(title, this)), m_body(new QWidget(this)) {
  setObjectName(name);
  setTitleBarWidget(m_header);
  auto* column = new QVBoxLayout(m_body);
  column->setContentsMargins(kCardInset, 0, kCardInset, kCardInset + 2);
  m_body->setMinimumSize(1, 1);  // a view that wants more is cut or scrolls
  setWidget(m_body);
  layout()->setSizeConstraint(QLayout::SetNoConstraint);  // Qt's own would ask for all that the view wants
  connect(m_header, &PanelHeader::menuRequested, this, [this](const QPoint& where) {
    QMenu menu;
    fillMenu(menu);
    menu.exec(where);
  });
  connect(this, &QDockWidget::visibilityChanged, this, &PanelDock::followSight);
  connect(this, &QDockWidget::topLevelChanged, this, [this] {
    setTabbed(false);
    keepOffTheEdge();
  });
}

void PanelDock::setBody(QWidget* view) { m_body->layout()->addWidget(view); }

void PanelDock::setSummary(const QString& summary) {
  if (summary == m_summary) return;
  m_summary = summary;
  m_header->setSummary(summary);
  emit summaryShown(summary);
}

void PanelDock::setTabbed(bool tabbed) {
  if (tabbed == m_tabbed) return;
  m_tabbed = tabbed;
  m_header->setFolded(tabbed);
  layout()->invalidate();
  updateGeometry();
  update();
}

// A dock behind another tab lies outside of the window, at negative coordinates.
bool PanelDock::isInSight() const {
  return isVisible() && (isFloating() || (geometry().right() >= 0 && geometry().bottom() >= 0));
}

// The view and not its frame: a dock with nothing in it could not be wider than its title.
void PanelDock::followSight() {
  if (QLayoutItem* view = m_body->layout()->itemAt(0)) view->widget()->setHidden(isVisible() && !isInSight());
}

void PanelDock::fillMenu(QMenu& menu) {
  QAction* dock = menu.addAction(isFloating() ? tr("&Dock “%1” again").arg(windowTitle())
                                              : tr("&Float “%1” in its own window").arg(windowTitle()),
                                 this, [this] { setFloating(!isFloating()); });
  dock->setEnabled(features().testFlag(DockWidgetFloatable));
  menu.addAction(tr("&Close “%1”").arg(windowTitle()), this, &QWidget::close);
}

void PanelDock::setPreferred(QSize size) {
  m_preferred = size;
  updateGeometry();
}

QSize PanelDock::sizeHint() const {
  const QSize own = m_preferred.isValid() ? m_preferred : QDockWidget::sizeHint();
  return own.expandedTo(minimumSizeHint());
}

QSize PanelDock::minimumSizeHint() const {
  const QMargins around = contentsMargins();
  const int header = m_header->sizeHint().height();
  return {fontMetrics().averageCharWidth() * kLeastLetters + around.left() + around.right(),
          header + kLeastLines * fontMetrics().lineSpacing() + kCardInset};
}

void PanelDock::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintCard(painter, rect().marginsRemoved(contentsMargins()), Theme::of(this),
            m_tabbed ? CardPart::kUnderTabs : CardPart::kWhole);
}

void PanelDock::keepOffTheEdge() {
  const QMargins ground = edgeGround(this);
  if (ground == contentsMargins()) return;
  setContentsMargins(ground);
  m_header->setLeftGround(ground.left());
  updateGeometry();
}

void PanelDock::resizeEvent(QResizeEvent* event) {
  QDockWidget::resizeEvent(event);
  keepOffTheEdge();
}

void PanelDock::moveEvent(QMoveEvent* event) {
  QDockWidget::moveEvent(event);
  keepOffTheEdge();
  followSight();
}

// On the header; a view has a menu of its own.
void PanelDock::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu;
  fillMenu(menu);
  menu.exec(event->globalPos());
}

}  // namespace vitrine

#include "moc_panel_dock.cpp"
