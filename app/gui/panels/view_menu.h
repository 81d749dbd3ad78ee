// ViewMenu: perspectives, full screen, colours, text size, panels, the default layout and the settings.
// Thread: the window's.
#pragma once

#include <QMenu>

namespace vitrine {

class Appearance;
class Perspectives;

class ViewMenu : public QMenu {
  Q_OBJECT

 public:
  // All must outlive the menu.
  ViewMenu(Perspectives& perspectives, Appearance& appearance, QWidget* window);

 signals:
  void settingsRequested();

 private:
  void addSchemes(Appearance& appearance);
  void addTextSizes(Appearance& appearance);
};

}  // namespace vitrine
