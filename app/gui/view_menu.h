// ViewMenu: perspectives, full screen, colours, text size, panels and the default layout. Thread: the
// window's.
#pragma once

#include <QMenu>

namespace vitrine {

class Appearance;
class Perspectives;
class Settings;

class ViewMenu : public QMenu {
  Q_OBJECT

 public:
  // All must outlive the menu. Choices go into the settings.
  ViewMenu(Perspectives& perspectives, Appearance& appearance, Settings& settings, QWidget* window);

 private:
  void addSchemes(Appearance& appearance, Settings& settings);
  void addTextSizes(Appearance& appearance, Settings& settings);
};

}  // namespace vitrine
