// DockTabs: draws the tab bars that a main window makes for docks on top of each other as the upper part of
// their card, with the summary of the dock in front, and tells each dock whether it has tabs.
//
// The window makes, moves and deletes these bars as docks are dragged, so they are looked up after each
// layout. Thread: the window's. Read next: panel_dock.h, card.h.
#pragma once

#include <QObject>
#include <vector>

class QMainWindow;
class QTabBar;

namespace vitrine {

class CardStyle;
class PanelDock;

class DockTabs : public QObject {
  Q_OBJECT

 public:
  DockTabs(QMainWindow* window, std::vector<PanelDock*> docks);

  // After docks were moved; the window's own layouts are followed.
  void update();
  int heightOver(const PanelDock* dock) const;  // of the tabs that stand over it; 0: none

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void adopt(QTabBar* bar);
  bool paint(QTabBar* bar) const;
  bool showMenu(QTabBar* bar, QEvent* event) const;
  PanelDock* dockCalled(const QString& title) const;
  void updateLater();

  QMainWindow* m_window;
  std::vector<PanelDock*> m_docks;
  CardStyle* m_style;
  bool m_pending = false;
};

}  // namespace vitrine
