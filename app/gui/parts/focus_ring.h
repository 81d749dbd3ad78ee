// FocusRing: a frame around the part of the window that has the keyboard, the same for all of them, since
// some styles and lists show none. Only when a key brought it there: after a click the eye is there already.
//
// It lies above everything, takes no input, and follows the part when it is moved, resized or scrolled.
// Thread: the window's.
#pragma once

#include <QPointer>
#include <QSet>
#include <QWidget>

namespace vitrine {

class FocusRing : public QWidget {
  Q_OBJECT

 public:
  explicit FocusRing(QWidget* window);
  const QWidget* around() const { return m_around; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void onFocus(QWidget* now);
  void place();

  QPointer<QWidget> m_around;
  bool m_byKey = false;
  QSet<const QObject*> m_followed;  // it and its ancestors
};

}  // namespace vitrine
