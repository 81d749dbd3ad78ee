// The sizes of a window: it opens roomy where there is room, and is never smaller than a use needs. ScreenFit
// keeps it inside the screen later.
#pragma once

#include <QScreen>
#include <QWidget>

namespace vitrine {

inline constexpr QSize kLeastWindow(640, 480);  // of a window of its own

// For a window of its own: what the screen has, without a frame and a desktop's panel.
inline void openRoomy(QWidget* window, QSize roomy) {
  const QWidget* const parent = window->parentWidget();
  window->resize(parent && parent->screen()
                     ? roomy.boundedTo(parent->screen()->availableSize() - QSize(40, 80))
                     : roomy);
}

// For a dialog: inside its parent's window.
inline void openInside(QWidget* dialog, QSize roomy) {
  const QWidget* const parent = dialog->parentWidget();
  dialog->resize(parent ? roomy.boundedTo(parent->window()->size() - QSize(40, 60)) : roomy);
}

}  // namespace vitrine
