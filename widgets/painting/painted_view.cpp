#include "widgets/painting/painted_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

#include "widgets/painting/painted_reading.h"
#include "widgets/painting/save_picture.h"
#include "widgets/painting/table_twin.h"
#include "widgets/support/glossary_tips.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/table_export.h"

namespace vitrine {

PaintedView::PaintedView(SessionModel* model, QWidget* parent)
    : QAbstractScrollArea(parent), m_model(model), m_twin(new TableTwin(model, this)) {
  m_twin->makeModel = [this] { return makeTableModel(); };
  readViewsByItem();
  setFont(readable(font()));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setBackgroundRole(QPalette::Base);
  viewport()->setMouseTracking(true);
  model->followSightOf(this);
  connect(model, &SessionModel::refreshed, this, &PaintedView::onRefreshed);
  connect(model->session()->spotlight(), &Spotlight::changed, this, [this] {
    if (isVisible()) spotlightMoved();
  });
  connect(model->session()->pictureTurn(), &PictureTurn::come, this, [this] {
    if (std::exchange(m_waits, false)) viewport()->update();
  });
}

Picture PaintedView::picture() const {
  Picture picture;
  picture.title = accessibleName();
  picture.size = contentSize().expandedTo({1, 1});
  picture.background = theme().base();
  picture.paint = [this, size = picture.size](QPainter& painter) {
    painter.setFont(font());
    paintContent(painter, QRect(QPoint(), size), theme());
  };
  return picture;
}

QString PaintedView::csv() const {
  const auto own = makeTableModel();
  return toCsv(own ? *own : *m_model);
}

void PaintedView::copyCsv() const { QApplication::clipboard()->setText(csv()); }

void PaintedView::copyPicture() const { QApplication::clipboard()->setImage(toImage(picture())); }

void PaintedView::savePictureAs() {
  vitrine::savePictureAs(
      this, picture(),
      {tr("Save the picture"), accessibleName() + QStringLiteral(".svg"), tr("The picture was not saved")});
}

void PaintedView::showTable() { m_twin->setOpen(true); }

QPoint PaintedView::toContent(const QPoint& viewportPoint) const {
  return viewportPoint + QPoint(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

QPoint PaintedView::headingCorner(const QPainter& painter) const {
  return m_probing || painter.device() == viewport() ? toContent({0, 0}) : QPoint();
}

void PaintedView::layoutContent() {
  const QSize content = contentSize(), port = viewport()->size();
  const auto fit = [](QScrollBar* bar, int whole, int page) {
    bar->setRange(0, std::max(0, whole - page));
    bar->setPageStep(page);
    bar->setSingleStep(24);
  };
  fit(horizontalScrollBar(), content.width(), port.width());
  fit(verticalScrollBar(), content.height(), port.height());
}

void PaintedView::reveal(const QRect& content) {
  const auto bring = [](QScrollBar* bar, int low, int high, int page) {
    if (low < bar->value())
      bar->setValue(low);
    else if (high > bar->value() + page)
      bar->setValue(std::min(low, high - page));
  };
  bring(horizontalScrollBar(), content.left(), content.right() + 1, viewport()->width());
  bring(verticalScrollBar(), content.top(), content.bottom() + 1, viewport()->height());
}

void PaintedView::announce(const QString& text) {
  if (text == accessibleDescription()) return;
  setAccessibleDescription(text);
  tellFocusedItem(this);
}

void PaintedView::paintEvent(QPaintEvent* event) {
  ++m_paints;
  QPainter painter(viewport());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font());
  const Theme colours = theme();
  painter.fillRect(event->rect(), colours.base());
  if (const QString empty = emptyText(); !empty.isEmpty()) {
    painter.setPen(colours.dimText());
    const int margin = fontMetrics().height();
    painter.drawText(viewport()->rect().adjusted(margin, 0, -margin, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     empty);
  } else {
    const QPoint offset = toContent({0, 0});
    painter.translate(-offset);
    paintContent(painter, event->rect().translated(offset), colours);
    painter.translate(offset);
  }
  if (hasFocus() && m_framed) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawBox(painter, viewport()->rect().adjusted(1, 1, -1, -1), 0, QPen(colours.accent(), 2));
  }
}

void PaintedView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  arrange();
  layoutContent();
}

void PaintedView::showEvent(QShowEvent* event) {
  QAbstractScrollArea::showEvent(event);
  onRefreshed();
}

void PaintedView::onRefreshed() {
  if (!isVisible()) return;
  arrange();
  contentChanged();
  layoutContent();
  paintInTurn();
  tellSummary();
}

void PaintedView::paintInTurn() {
  m_waits = m_model && m_model->session()->pictureTurn()->isAwaited();
  if (!m_waits) viewport()->update();
}

void PaintedView::tellSummary() {
  if (const QString now = summary(); now != m_summary) emit summaryChanged(m_summary = now);
}

// The frame around the content is painted in the viewport, which Qt does not update by itself. It says where
// the keyboard is to a user of the keyboard; after a click the eye is there already.
void PaintedView::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  const Qt::FocusReason reason = event->reason();
  if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason)
    m_framed = true;
  else if (reason == Qt::MouseFocusReason)
    m_framed = false;
  viewport()->update();
}

void PaintedView::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  const Qt::FocusReason reason = event->reason();
  if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) m_framed = false;
  viewport()->update();
}

void PaintedView::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange && font() != readable(font())) setFont(readable(font()));
  // A hidden view does no work; the next show lays everything out again.
  if (isVisible() && (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)) {
    arrange();
    layoutContent();
    viewport()->update();
  }
}

void PaintedView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  addActions(menu);
  if (const QString words = fitWords(); !words.isEmpty()) {
    menu.addAction(tr("Zoom &in"), QKeySequence(Qt::Key_Plus), this, &PaintedView::zoomIn);
    menu.addAction(tr("Zoom &out"), QKeySequence(Qt::Key_Minus), this, &PaintedView::zoomOut);
    menu.addAction(words, QKeySequence(Qt::Key_0), this, &PaintedView::fit);
  }
  if (!menu.isEmpty()) menu.addSeparator();
  menu.addAction(m_twin->action());
  menu.addAction(tr("&Copy as CSV"), QKeySequence::Copy, this, &PaintedView::copyCsv);
  menu.addAction(tr("Copy &picture"), this, &PaintedView::copyPicture);
  menu.addAction(tr("&Save picture as SVG or PNG…"), this, &PaintedView::savePictureAs);
  menu.exec(event->globalPos());
}

void PaintedView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copyCsv();
  const int key = event->key();
  if (!fitWords().isEmpty() && emptyText().isEmpty()) {
    if (key == Qt::Key_Plus || key == Qt::Key_Equal) return zoomIn();
    if (key == Qt::Key_Minus) return zoomOut();
    if (key == Qt::Key_0) return fit();
  }
  // Arrow keys that a subclass does not handle do nothing. Other keys go to the parent, since PageUp and
  // PageDown step the machine.
  event->ignore();
}

void PaintedView::wheelEvent(QWheelEvent* event) {
  if (fitWords().isEmpty() || !(event->modifiers() & Qt::ControlModifier))
    return QAbstractScrollArea::wheelEvent(event);
  zoomByWheel(event->angleDelta().y(), event->position());
  event->accept();
}

// The painting itself knows which word lies there, whatever the view.
TermTip PaintedView::termTipAt(const QPoint& content) const {
  if (!emptyText().isEmpty()) return {};
  QImage image(1, 1, QImage::Format_ARGB32_Premultiplied);
  QPainter painter(&image);
  painter.setFont(font());
  const QScopedValueRollback probing(m_probing, true);
  const TextProbe probe(content);
  paintContent(painter, QRect(content, QSize(1, 1)), theme());
  return termTip(probe.text(), probe.letter());
}

void PaintedView::pointAt(const prose::Target& target) {
  if (m_model) m_model->session()->spotlight()->point(target);
}

bool PaintedView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::MouseMove)
    pointAt(targetAt(toContent(static_cast<QMouseEvent*>(event)->pos())));
  else if (event->type() == QEvent::Leave)
    pointAt({});
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPoint content = toContent(help->pos());
    showTermTip(help->globalPos(), tipAt(content), termTipAt(content), viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace vitrine

#include "moc_painted_view.cpp"
