// ViewMenu: perspectives, a blank window, full screen, colours, text size, panels, the views of the run, the
// way through the cards, the default layout and the settings. Thread: the window's.
#pragma once

#include <QMenu>

namespace vitrine {

class Appearance;
class CardWalk;
class FullScreen;
class Perspectives;
class Settings;

class ViewMenu : public QMenu {
  Q_OBJECT

 public:
  // All must outlive the menu.
  ViewMenu(Perspectives& perspectives, Appearance& appearance, CardWalk& walk, FullScreen& fullScreen,
           const Settings& settings, QWidget* window);

 signals:
  void settingsRequested();
  void languageChosen();  // another one, which is stored

 private:
  void addLanguages(const Settings& settings);
  void addBlank(Perspectives& perspectives, QWidget* window);
  void addViewsOfTheRun(Perspectives& perspectives);
  // A menu of values of the appearance, of which one is chosen.
  template <class Values, class Value>
  void addChoices(const QString& title, Appearance& appearance, const Values& values,
                  QString (*nameOf)(Value), Value (Appearance::*chosen)() const,
                  void (Appearance::*choose)(Value));
};

}  // namespace vitrine
