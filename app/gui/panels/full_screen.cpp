#include "gui/panels/full_screen.h"

#include <QAction>
#include <QEvent>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenuBar>
#include <QStatusBar>

namespace vitrine {

FullScreen::FullScreen(Perspectives& perspectives, Settings& settings, QMainWindow* window)
    : QObject(window),
      toggle(new QAction(tr("&Full screen"), this)),
      leave(new QAction(tr("Leave Present"), this)),
      m_perspectives(perspectives),
      m_settings(settings),
      m_window(window) {
  toggle->setShortcut(Qt::Key_F11);
  toggle->setToolTip(tr("Present is opened so the next time, too, or not"));
  leave->setToolTip(tr("Back to where this window was before (Esc)"));
  leave->setVisible(false);
  connect(toggle, &QAction::triggered, this, &FullScreen::change);
  connect(leave, &QAction::triggered, this, &FullScreen::leavePresent);
  connect(&perspectives, &Perspectives::changed, this, &FullScreen::onPerspective);
  window->installEventFilter(this);
}

// Esc comes here when nothing that has the keyboard wants it: neither a field nor an answer under way.
bool FullScreen::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_window) return false;
  if (event->type() == QEvent::WindowStateChange) dress();
  if (event->type() != QEvent::KeyPress || m_now != Perspective::kPresent) return false;
  if (static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return false;
  leavePresent();
  return true;
}

void FullScreen::leavePresent() { m_perspectives.show(m_before); }

void FullScreen::onPerspective(Perspective now) {
  const std::optional<Perspective> last = std::exchange(m_now, now);
  if (now == Perspective::kPresent && last != now) {
    if (last) {
      m_before = *last;
      m_fillsBefore = m_window->isFullScreen();
    }
    if (m_settings.presentFillsScreen()) fill(true);
  }
  if (now != Perspective::kPresent && last == Perspective::kPresent) fill(m_fillsBefore);
  dress();
}

void FullScreen::change() {
  const bool whole = !m_window->isFullScreen();
  if (m_now == Perspective::kPresent) m_settings.presentFillsScreen.set(whole);
  fill(whole);
}

// The window keeps being maximised behind the full screen.
void FullScreen::fill(bool whole) {
  m_window->setWindowState(m_window->windowState().setFlag(Qt::WindowFullScreen, whole));
}

void FullScreen::dress() { setBare(m_now == Perspective::kPresent && m_window->isFullScreen()); }

void FullScreen::setBare(bool bare) {
  m_window->menuBar()->setMaximumHeight(bare ? 0 : QWIDGETSIZE_MAX);
  m_window->statusBar()->setHidden(bare);
  leave->setVisible(bare);
}

}  // namespace vitrine

#include "moc_full_screen.cpp"
