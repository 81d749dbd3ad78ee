// WheelGuard: a wheel that passes over a field scrolls the page, and does not change the field.
//
// Qt's spin boxes and combo boxes take the wheel wherever the pointer is, so that scrolling a page of options
// would change those that slide under the pointer. Guarded, a field takes the wheel only with the focus,
// which it gets by a click or Tab. Thread: the window's.
#pragma once

#include <QObject>

class QWidget;

namespace vitrine {

class WheelGuard final : public QObject {
 public:
  static void guard(QWidget* field);

 protected:
  bool eventFilter(QObject* field, QEvent* event) override;

 private:
  using QObject::QObject;
};

}  // namespace vitrine
