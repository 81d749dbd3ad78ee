#include "widgets/explain/headline_view.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/glossary_tips.h"

namespace vitrine {

HeadlineView::HeadlineView(HeadlineModel* model, QWidget* parent) : QWidget(parent), m_model(model) {
  setFont(readable(font()));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(tr("&Copy the sentence"), this);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, &HeadlineView::copyText);
  addAction(copy);
  model->followSightOf(this);
  connect(model, &SessionModel::refreshed, this, &HeadlineView::onRefreshed);
  say();
}

HeadlineRow HeadlineView::shown() const {
  if (hasHeadline()) return m_model->at(0);
  HeadlineRow opening;
  opening.text =
      !m_opening.isEmpty() ? m_opening : tr("Step computes one iteration; this line says what it decided.");
  return opening;
}

QString HeadlineView::text() const { return shown().text; }

bool HeadlineView::isWhole() const { return placed().isWhole(); }

void HeadlineView::setOpening(const QString& words) {
  if (words == m_opening) return;
  m_opening = words;
  onRefreshed();
}

const HeadlineLayout& HeadlineView::placed() const {
  using Voice = HeadlineLayout::Voice;
  if (!m_placed)
    m_placed.emplace(shown(), hasHeadline() ? Voice::kHeadline : Voice::kQuiet, font(), QSizeF(size()));
  return *m_placed;
}

void HeadlineView::setLines(int lines) {
  if (std::exchange(m_lines, lines) != lines) updateGeometry();
}

// The same for all sentences, so that the bar does not move.
QSize HeadlineView::sizeHint() const {
  const int large = QFontMetrics(HeadlineLayout::largeFont(font())).height();
  constexpr int kLetters = 40;
  return {kLetters * fontMetrics().averageCharWidth(), std::max(m_lines * fontMetrics().height(), large) + 2};
}
QSize HeadlineView::minimumSizeHint() const { return {120, sizeHint().height()}; }

void HeadlineView::copyText() const { QApplication::clipboard()->setText(text()); }

void HeadlineView::onRefreshed() {
  goTo(-1);
  m_placed.reset();
  m_pressed = -1;
  update();
  say();
}

// A screen reader that rests here hears the new sentence.
void HeadlineView::say() {
  if (const QString now = text(); std::exchange(m_said, now) == now) return;
  setAccessibleName(tr("The step: %1").arg(m_said));
  QAccessibleEvent event(this, QAccessible::NameChanged);
  QAccessible::updateAccessibility(&event);
}

void HeadlineView::goTo(int link) {
  if (link == m_link) return;
  Spotlight* const spotlight = m_model->session()->spotlight();
  const bool isMine = m_link >= 0 && spotlight->target() == m_target;  // else another view points now
  m_link = link;
  m_target = link < 0 ? prose::Target() : shown().links[static_cast<std::size_t>(link)].target;
  if (link >= 0 || isMine) spotlight->point(m_target);
  update();
}

bool HeadlineView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString words = text();
  showTermTip(help->globalPos(), isWhole() ? QString() : words,
              termTip(words, placed().letterAt(help->pos())), this);
  return true;
}

void HeadlineView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  m_placed.reset();
  updateGeometry();
}

void HeadlineView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_placed.reset();
}

void HeadlineView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  placed().paint(painter, {}, Theme::of(this), m_link);
}

void HeadlineView::keyPressEvent(QKeyEvent* event) {
  const int count = hasHeadline() ? static_cast<int>(m_model->at(0).links.size()) : 0;
  switch (event->key()) {
    case Qt::Key_Left:
      if (count > 0) goTo(std::max(m_link - 1, 0));
      return;
    case Qt::Key_Right:
      if (count > 0) goTo(std::min(m_link + 1, count - 1));
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_link >= 0) return void(emit followed(prose::Target(m_target)));
      if (!hasHeadline()) return void(emit openingChosen());
      [[fallthrough]];
    default:
      QWidget::keyPressEvent(event);
  }
}

void HeadlineView::mouseMoveEvent(QMouseEvent* event) {
  QWidget::mouseMoveEvent(event);
  goTo(placed().linkAt(event->pos()));
  const bool calls = m_link >= 0 || (!hasHeadline() && !m_opening.isEmpty());
  setCursor(calls ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void HeadlineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) m_pressed = placed().linkAt(event->pos());
}

void HeadlineView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (!hasHeadline()) return void(emit openingChosen());
  const int link = placed().linkAt(event->pos());
  if (link >= 0 && link == std::exchange(m_pressed, -1))
    emit followed(m_model->at(0).links[static_cast<std::size_t>(link)].target);
}

void HeadlineView::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  goTo(-1);
}

void HeadlineView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  if (event->reason() != Qt::PopupFocusReason) goTo(-1);
}

}  // namespace vitrine

#include "moc_headline_view.cpp"
