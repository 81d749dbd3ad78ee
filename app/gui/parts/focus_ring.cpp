#include "gui/parts/focus_ring.h"

#include <QApplication>
#include <QFocusEvent>
#include <QPainter>

#include "widgets/support/theme.h"

namespace vitrine {

FocusRing::FocusRing(QWidget* window) : QWidget(window) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
  hide();
  qApp->installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { onFocus(now); });
}

void FocusRing::onFocus(QWidget* now) {
  m_followed.clear();
  const bool mine = now && m_byKey && now != parentWidget() && parentWidget()->isAncestorOf(now) &&
                    now->window() == parentWidget();
  m_around = mine ? now : nullptr;
  for (QWidget* one = m_around; one && one != parentWidget(); one = one->parentWidget())
    m_followed.insert(one);
  place();
}

// The application's filter for the reason, which focusChanged() does not tell and which comes before it.
bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn && watched->isWidgetType()) {
    const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
    if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason)
      m_byKey = true;
    else if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
      m_byKey = false;
    return false;
  }
  if (!m_around || !m_followed.contains(watched)) return false;
  switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
      place();
      break;
    default:
      break;
  }
  return false;
}

void FocusRing::place() {
  if (!m_around || !m_around->isVisible()) return hide();
  QRect area = m_around->rect();
  QPoint corner;
  for (const QWidget* one = m_around; one != parentWidget(); one = one->parentWidget()) {
    area = area.intersected(one->rect().translated(-corner));  // what scrolls is cut by its viewport
    corner += one->pos();
  }
  if (area.isEmpty()) return hide();
  setGeometry(area.translated(corner).adjusted(-1, -1, 1, 1).intersected(parentWidget()->rect()));
  show();
  raise();
}

void FocusRing::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(Theme::of(this).accent(), 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
}

}  // namespace vitrine

#include "moc_focus_ring.cpp"
