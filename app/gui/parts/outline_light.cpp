#include "gui/parts/outline_light.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr int kLightWidth = 4, kLightRadius = 10;

}  // namespace

OutlineLight::OutlineLight(QWidget* window) : QWidget(window) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void OutlineLight::shine(QWidget* part) {
  if (m_part == nullptr) qApp->installEventFilter(this);
  m_part = part;
  if (parentWidget() != part->window()) setParent(part->window());
  place();
}

void OutlineLight::fade() {
  qApp->removeEventFilter(this);
  m_part = nullptr;
  hide();
}

// The application's filter: a press on any widget in the part ends it, and any ancestor may move it.
bool OutlineLight::eventFilter(QObject* watched, QEvent* event) {
  if (!watched->isWidgetType() || watched == this) return false;
  const auto* const widget = static_cast<const QWidget*>(watched);
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      if (m_part && (widget == m_part || m_part->isAncestorOf(widget))) fade();
      break;
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
      if (!m_part)
        fade();
      else if (widget == m_part || widget->isAncestorOf(m_part))
        QMetaObject::invokeMethod(this, &OutlineLight::place, Qt::QueuedConnection);
      break;
    default:
      break;
  }
  return false;
}

void OutlineLight::place() {
  if (!m_part || !m_part->isVisible() || m_part->window() != parentWidget()) return hide();
  const QRect area(m_part->mapTo(parentWidget(), QPoint()), m_part->size());
  setGeometry(area.intersected(parentWidget()->rect()));
  show();
  raise();
}

void OutlineLight::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  constexpr double kHalf = kLightWidth / 2.0;
  drawBox(painter, QRectF(rect()).adjusted(kHalf, kHalf, -kHalf, -kHalf), kLightRadius,
          QPen(Theme::of(this).accent(), kLightWidth));
}

}  // namespace vitrine

#include "moc_outline_light.cpp"
