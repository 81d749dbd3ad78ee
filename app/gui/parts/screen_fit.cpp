#include "gui/parts/screen_fit.h"

#include <QDialog>
#include <QEvent>
#include <QScreen>
#include <QStyle>
#include <QWidget>
#include <QWindow>
#include <algorithm>

namespace vitrine {

namespace {

// At most one second; a window manager restores its own size well before.
constexpr int kMostTries = 20, kFewestTries = 4, kTryEveryMs = 50;

}  // namespace

ScreenFit::ScreenFit(QWidget* window) : QObject(window), m_window(window) {
  m_again.setInterval(kTryEveryMs);
  connect(&m_again, &QTimer::timeout, this, [this] {
    fit();
    const bool known = !m_window->windowHandle()->frameMargins().isNull();
    if (--m_triesLeft <= (known ? kMostTries - kFewestTries : 0)) m_again.stop();
  });
  window->installEventFilter(this);
}

QRect ScreenFit::fitted(QRect window, QMargins frame, QRect available) {
  const QRect room = available.marginsRemoved(frame);
  window.setSize(window.size().boundedTo(room.size()));
  window.moveLeft(std::clamp(window.left(), room.left(), room.right() - window.width() + 1));
  window.moveTop(std::clamp(window.top(), room.top(), room.bottom() - window.height() + 1));
  return window;
}

bool ScreenFit::eventFilter(QObject* watched, QEvent* event) {
  const bool appears = event->type() == QEvent::Show, returns = event->type() == QEvent::WindowStateChange;
  if (watched == m_window && (appears || returns) && m_window->windowHandle()) {
    // A dialog takes its place over its parent while it handles this event, unless it was moved before.
    if (qobject_cast<QDialog*>(m_window))
      QMetaObject::invokeMethod(this, &ScreenFit::settle, Qt::QueuedConnection);
    else if (appears)
      settle();
    else
      follow();
  }
  return QObject::eventFilter(watched, event);
}

QMargins ScreenFit::frame() const {
  const QMargins known = m_window->windowHandle()->frameMargins();
  if (!known.isNull()) return known;
  const int side = m_window->style()->pixelMetric(QStyle::PM_MdiSubWindowFrameWidth, nullptr, m_window);
  const int title = m_window->style()->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, m_window);
  return {side, title, side, side};
}

void ScreenFit::fit() {
  constexpr auto kElsewhere = Qt::WindowMaximized | Qt::WindowFullScreen | Qt::WindowMinimized;
  if (m_window->windowState() & kElsewhere) return;
  const QRect wanted = fitted(m_window->geometry(), frame(), m_window->screen()->availableGeometry());
  if (wanted != m_window->geometry()) m_window->setGeometry(wanted);
}

void ScreenFit::settle() {
  fit();
  follow();
}

// A window that comes back from the full screen has its own size some time after the event that says so.
void ScreenFit::follow() {
  followScreen();
  m_triesLeft = kMostTries;
  m_again.start();
}

// A desktop's panel may appear later than the window, and a projector may be unplugged.
void ScreenFit::followScreen() {
  connect(m_window->windowHandle(), &QWindow::screenChanged, this, &ScreenFit::settle, Qt::UniqueConnection);
  connect(m_window->screen(), &QScreen::availableGeometryChanged, this, &ScreenFit::fit,
          Qt::UniqueConnection);
}

void showInFront(QWidget& window) {
  window.show();
  window.raise();
  window.activateWindow();
}

}  // namespace vitrine

#include "moc_screen_fit.cpp"
