// ScreenFit: keeps a window, its frame included, inside what its screen leaves free: at its first show, when
// it comes back from full screen or maximized, and when the screen changes. A user may still push it aside.
//
// A window manager puts its frame around the window some time after the show, so the fit is repeated until
// the frame's size is known; until then the style's title bar stands for it. Thread: the window's.
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
  // The window's owner and parent of this; its own least size must fit the smallest screen.
  explicit ScreenFit(QWidget* window);

  // Of a window without its frame: no larger than what the frame leaves of the available geometry, and moved
  // as little as it takes to lie inside. All in device-independent pixels.
  static QRect fitted(QRect window, QMargins frame, QRect available);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QMargins frame() const;
  void fit();
  void settle();  // fits now, and again when the frame is there
  void followScreen();

  QWidget* m_window;
  QTimer m_again;
  int m_triesLeft = 0;
};

}  // namespace vitrine
