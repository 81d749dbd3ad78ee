#include "widgets/support/wheel_guard.h"

#include <QEvent>
#include <QWidget>

namespace vitrine {

void WheelGuard::guard(QWidget* field) {
  if (field->focusPolicy() == Qt::WheelFocus) field->setFocusPolicy(Qt::StrongFocus);
  field->installEventFilter(new WheelGuard(field));
}

// An ignored wheel goes on to the page.
bool WheelGuard::eventFilter(QObject* field, QEvent* event) {
  if (event->type() != QEvent::Wheel || static_cast<QWidget*>(field)->hasFocus()) return false;
  event->ignore();
  return true;
}

}  // namespace vitrine
