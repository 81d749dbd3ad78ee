#include "gui/panels/stage.h"

#include <QEvent>
#include <QPainter>
#include <QStackedWidget>

#include "gui/parts/card.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/tab_rows.h"

namespace vitrine {

namespace {

constexpr int kStageLeastLines = 3, kStageLeastLetters = 18;

// As small as the stage makes it: a view that asks for more is cut, and does not enlarge the window.
class Pages final : public QStackedWidget {
 public:
  using QStackedWidget::QStackedWidget;
  QSize minimumSizeHint() const override { return {0, 0}; }
};

}  // namespace

Stage::Stage(QWidget* parent)
    : QWidget(parent), m_style(new CardStyle(this)), m_tabs(new QTabBar(this)), m_pages(new Pages(this)) {
  setObjectName(QStringLiteral("stage"));
  m_tabs->setStyle(m_style);
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setAccessibleName(tr("Views of the run"));
  m_tabs->installEventFilter(this);
  new TabRows(m_tabs);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(0);
  addParts(column, {m_tabs, {m_pages, 1}});
  connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
  place();
}

int Stage::addPage(const QString& name, const QString& title, QWidget* view) {
  m_names.append(name);
  m_summaries.append(QString());
  m_pages->addWidget(view);
  const int page = m_tabs->addTab(title);
  m_tabs->setTabToolTip(page, keyOf(page).toString(QKeySequence::NativeText));
  return page;
}

QKeySequence Stage::keyOf(int page) { return Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + page); }

void Stage::setSummary(int page, const QString& summary) {
  m_summaries[page] = summary;
  m_tabs->update();
}

bool Stage::show(const QString& name) {
  const auto page = m_names.indexOf(name);
  if (page < 0) return false;
  m_tabs->setCurrentIndex(static_cast<int>(page));
  return true;
}

QWidget* Stage::page() const { return m_pages->currentWidget(); }

QString Stage::shown() const { return m_names.value(m_tabs->currentIndex()); }

void Stage::setPlain(bool plain) {
  m_plain = plain;
  m_tabs->setHidden(plain);
  place();
  update();
}

QSize Stage::minimumSizeHint() const {
  const int tabs = m_plain ? 0 : m_tabs->sizeHint().height();
  return {fontMetrics().averageCharWidth() * kStageLeastLetters,
          tabs + kStageLeastLines * fontMetrics().lineSpacing()};
}

int Stage::heightAround() const { return height() - m_pages->height(); }

// A dock beside or below it brings the gap; at the window's edge the stage leaves it free itself.
void Stage::place() {
  const QWidget* centre = parentWidget();
  QMargins ground = m_plain || !centre ? QMargins() : edgeGround(centre);
  if (!m_plain) ground += QMargins(kCardInset, 2, kCardInset, kCardInset + 2);
  if (layout()->contentsMargins() != ground) layout()->setContentsMargins(ground);
}

void Stage::paintEvent(QPaintEvent*) {
  if (m_plain) return;
  QPainter painter(this);
  const QMargins ground = parentWidget() ? edgeGround(parentWidget()) : QMargins();
  paintCard(painter, rect().marginsRemoved(ground), Theme::of(this));
}

bool Stage::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_tabs || event->type() != QEvent::Paint) return QWidget::eventFilter(watched, event);
  QPainter painter(m_tabs);
  painter.setFont(m_tabs->font());
  const Theme theme = Theme::of(this);
  paintTabs(painter, *m_tabs, m_tabs->rect(), theme);
  paintSummary(painter, roomBesideTabs(*m_tabs).adjusted(12, 0, -9, 0),
               m_summaries.value(m_tabs->currentIndex()), theme);
  return true;
}

void Stage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  place();
}

void Stage::moveEvent(QMoveEvent* event) {
  QWidget::moveEvent(event);
  place();
}

}  // namespace vitrine

#include "moc_stage.cpp"
