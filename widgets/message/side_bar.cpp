#include "widgets/message/side_bar.h"

#include <QApplication>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTextBrowser>
#include <QWheelEvent>
#include <cmath>
#include <utility>

#include "widgets/support/scroll_to.h"

namespace vitrine {
namespace {
constexpr int kRevealPx = 24;  // seen beyond what is revealed
}  // namespace

SideBar::SideBar(QTextBrowser& view, Reach reach) : m_view(view), m_reach(reach) {}

SideBar::~SideBar() { delete m_bar; }

int SideBar::offset() const { return m_bar == nullptr ? 0 : m_bar->value(); }

bool SideBar::hasFocus() const { return m_bar != nullptr && m_bar->hasFocus(); }

void SideBar::setName(const QString& name) {
  m_name = name;
  if (m_bar != nullptr && m_bar->accessibleName() != name) m_bar->setAccessibleName(name);
}

void SideBar::make() {
  m_bar = new QScrollBar(Qt::Horizontal, m_view.viewport());
  m_bar->setCursor(Qt::ArrowCursor);
  m_bar->setFocusPolicy(m_reach == Reach::kByKeys ? Qt::TabFocus : Qt::NoFocus);
  m_bar->setAccessibleName(m_name);
  m_bar->installEventFilter(this);
  connect(m_bar, &QScrollBar::valueChanged, this, &SideBar::moved);
}

void SideBar::fit(const QRect& place, double whole, const QColor& ground) {
  const int hidden = static_cast<int>(std::ceil(whole)) - place.width();
  if (hidden <= 0) {
    delete std::exchange(m_bar, nullptr);
    return;
  }
  if (m_bar == nullptr) make();
  QPalette palette = m_view.palette();
  for (const QPalette::ColorRole role : {QPalette::Base, QPalette::Window}) palette.setColor(role, ground);
  if (m_bar->palette() != palette) m_bar->setPalette(palette);
  m_bar->setSingleStep(m_view.fontMetrics().averageCharWidth() * 4);
  m_bar->setPageStep(place.width());
  m_bar->setRange(0, hidden);
  m_bar->setGeometry(place);
  m_bar->show();
}

bool SideBar::turn(const QWheelEvent& event) {
  const bool isTurned = event.modifiers() & Qt::ShiftModifier;
  const auto sideways = [isTurned](const QPoint& by) {
    if (std::abs(by.x()) > std::abs(by.y())) return by.x();
    return isTurned ? by.y() : 0;
  };
  const int angle = sideways(event.angleDelta()), pixels = sideways(event.pixelDelta());
  if (m_bar == nullptr || (angle == 0 && pixels == 0)) return false;
  const int lines = m_bar->singleStep() * QApplication::wheelScrollLines();
  m_bar->setValue(m_bar->value() - (pixels != 0 ? pixels : angle * lines / 120));
  return true;
}

bool SideBar::press(const QKeyEvent& event) {
  if (m_bar == nullptr) return false;
  const std::pair<int, QAbstractSlider::SliderAction> actions[] = {
      {Qt::Key_Left, QAbstractSlider::SliderSingleStepSub},
      {Qt::Key_Right, QAbstractSlider::SliderSingleStepAdd},
      {Qt::Key_Home, QAbstractSlider::SliderToMinimum},
      {Qt::Key_End, QAbstractSlider::SliderToMaximum}};
  for (const auto& [key, action] : actions) {
    if (event.key() != key) continue;
    m_bar->triggerAction(action);
    return true;
  }
  return false;
}

void SideBar::reveal(double x, const QRect& in) {
  if (m_bar == nullptr) return;
  const double left = in.left(), right = in.left() + in.width();
  if (x < left) m_bar->setValue(m_bar->value() - static_cast<int>(std::ceil(left - x)) - kRevealPx);
  if (x > right) m_bar->setValue(m_bar->value() + static_cast<int>(std::ceil(x - right)) + kRevealPx);
}

// The wheel belongs to the view, which knows what is sideways, and the page keys to the conversation. Up and
// down are no keys of a bar that lies.
bool SideBar::eventFilter(QObject* object, QEvent* event) {
  switch (event->type()) {
    case QEvent::Wheel:
      event->ignore();
      return true;
    case QEvent::KeyPress: {
      const auto& key = static_cast<const QKeyEvent&>(*event);
      const bool isPage = key.key() == Qt::Key_PageUp || key.key() == Qt::Key_PageDown;
      if (isPage) event->ignore();
      if (isPage || key.key() == Qt::Key_Up || key.key() == Qt::Key_Down || press(key)) return true;
      break;
    }
    case QEvent::FocusIn: {
      const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
      if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason) scrollTo(*m_bar, m_bar->rect());
      emit focusChanged();
      break;
    }
    case QEvent::FocusOut:
      emit focusChanged();
      break;
    default:
      break;
  }
  return QObject::eventFilter(object, event);
}

}  // namespace vitrine

#include "moc_side_bar.cpp"
