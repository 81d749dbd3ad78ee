#include "gui/parts/blank_cover.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>

namespace vitrine {

namespace {

bool isModifier(int key) {
  return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_AltGr ||
         key == Qt::Key_Meta;
}

}  // namespace

BlankCover::BlankCover(QWidget* window) : QWidget(window) {
  setAccessibleName(tr("The window is blank: any key brings it back"));
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::BlankCursor);
  hide();
  window->installEventFilter(this);
}

void BlankCover::cover() {
  if (isVisible()) return;
  m_before = QApplication::focusWidget();
  setGeometry(parentWidget()->rect());
  show();
  raise();
  setFocus(Qt::OtherFocusReason);
}

void BlankCover::uncover() {
  if (isHidden()) return;
  QWidget* const before = m_before && parentWidget()->isAncestorOf(m_before) ? m_before.data() : nullptr;
  if (before != nullptr) before->setFocus(Qt::OtherFocusReason);
  hide();
}

// Keys come here before they are shortcuts.
bool BlankCover::event(QEvent* event) {
  switch (event->type()) {
    case QEvent::ShortcutOverride:
      event->accept();
      return true;
    case QEvent::KeyPress:
      if (!isModifier(static_cast<QKeyEvent*>(event)->key())) uncover();
      return true;
    case QEvent::MouseButtonPress:
    case QEvent::TouchBegin:
      uncover();
      return true;
    default:
      return QWidget::event(event);
  }
}

bool BlankCover::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  return false;
}

void BlankCover::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), Qt::black); }

}  // namespace vitrine

#include "moc_blank_cover.cpp"
