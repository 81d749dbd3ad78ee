// ScreenFit: keeps a window with its frame inside the available area of its screen: when it is first shown,
// when it returns from full screen or maximized, and when the screen changes. The user may still move it
// outside.
//
// A window manager puts its frame around the window some time after the show, so the fit is repeated until
// the frame's size is known. Until then the style's title bar height is assumed. Thread: the window's.
#pragma once

#include <QMargins>
#include <QObject>
#include <QRect>
#include <QTimer>

class QWidget;

namespace vitrine {

class ScreenFit : public QObject {
  Q_OBJECT

 public:
  // The window becomes the parent. Its own minimum size must fit the smallest screen.
  explicit ScreenFit(QWidget* window);

  bool isSettling() const { return m_again.isActive(); }  // a window that has just appeared may still change

  // The geometry of a window without its frame: no larger than the available geometry minus the frame, and
  // moved as little as possible to lie inside. All in device-independent pixels.
  static QRect fitted(QRect window, QMargins frame, QRect available);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QMargins frame() const;
  void fit();
  void settle();  // fits now, and again when the frame is there
  void follow();  // fits a little later
  void followScreen();

  QWidget* m_window;
  QTimer m_again;
  int m_triesLeft = 0;
};

// Also a window that is open already, behind others.
void showInFront(QWidget& window);

}  // namespace vitrine
