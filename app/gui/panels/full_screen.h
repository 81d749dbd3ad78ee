// FullScreen: the window over the whole screen. Present opens so, without the menu and the status strip: all
// of the room is for the machine. Esc, or the sign at the end of the tool bar, leads back to the perspective
// before. F11 takes Present out of the full screen, for a window that is shared with an audience; the choice
// holds the next time, too.
//
// The menu bar keeps the keys of its menus: it has no height, and is not hidden. Thread: the window's.
#pragma once

#include <QObject>
#include <optional>

#include "gui/panels/perspectives.h"

class QAction;

namespace vitrine {

class Settings;

class FullScreen : public QObject {
  Q_OBJECT

 public:
  FullScreen(Perspectives& perspectives, Settings& settings, QMainWindow* window);

  QAction* const toggle;  // for a menu
  QAction* const leave;   // in sight while the menus are not

  // Without menu and status strip, as over the whole screen; a picture has a size of its own.
  void setBare(bool bare);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void leavePresent();
  void onPerspective(Perspective now);
  void change();
  void fill(bool whole);  // the screen, or not
  void dress();

  Perspectives& m_perspectives;
  Settings& m_settings;
  QMainWindow* m_window;
  std::optional<Perspective> m_now;
  Perspective m_before = Perspective::kStep;  // this one
  bool m_fillsBefore = false;
};

}  // namespace vitrine
