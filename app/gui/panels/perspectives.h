// Perspectives: the same panels laid out for a purpose: to chat, to step, to present on a projector.
//
// The panels are those of Panels::list(): each becomes a dock at its place, or a tab of the stage.
// Each perspective stores its own layout for each number of columns, with a version: a window that becomes
// narrow folds its columns and gets them back. "Restore default layout" deletes the stored layouts. Thread:
// the window's. Read next: arrangement.h, panel_dock.h, stage.h.
#pragma once

#include <QObject>
#include <map>
#include <set>
#include <vector>

#include "gui/panels/arrangement.h"
#include "gui/panels/panels.h"
#include "gui/settings/settings.h"

class QAction;
class QMainWindow;
class QMenu;
class QToolBar;
class QToolButton;

namespace vitrine {

class DockTabs;
class PanelDock;
class Stage;

enum class Perspective { kChat, kStep, kPresent };

class Perspectives : public QObject {
  Q_OBJECT

 public:
  // Makes the docks and the centre. The window puts the stage into its central widget.
  Perspectives(Panels& panels, Settings& settings, QMainWindow* window);

  Stage* stage() const { return m_stage; }
  Perspective current() const { return m_current; }
  // Bars that are in sight outside of the conversation alone, whatever a stored layout says.
  void addMachineryBar(QToolBar* bar) { m_machineryBars.push_back(bar); }

  void show(Perspective perspective);  // stores the layout of the previous one first
  void restoreDefault();
  bool bringForward(const QString& panel);  // by its name in a scenario; false: no panel has this name
  // The card of a panel: its dock, or the stage that has it as a tab; null: no panel has this name.
  QWidget* cardOf(const QString& panel) const;
  void putAway(const QString& panel);  // out of sight, until it comes forward again
  // For what begins to be shown: in the stage the first of these panels that it has, else the lanes, and in
  // every other place its first panel. A drawer that bringForward() opened closes.
  void openFor(const QStringList& panels);
  void putBack(const QString& panel);  // what this one covers, as it was before it came forward
  void setDrawerOpen(bool open);       // plots, events, metrics and comparison
  void remember();
  void addPerspectiveActions(QMenu* menu);  // the one shown is checked
  QAction* action(Perspective perspective) const { return m_actions.at(perspective); }  // of that menu
  void addDockActions(QMenu* menu) const;
  void applyFont() { setWindowFont(), followRoom(); }  // after the application's has changed

  static QString nameOf(Perspective perspective);  // in a menu
  static QString keyOf(Perspective perspective);   // "chat", "step", "present"
  static Perspective fromKey(const QString& key);

 signals:
  void changed(vitrine::Perspective perspective);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeStage();
  void makeDocks();
  void makeTimelineBar();
  Arrangement arrangement() const;
  QString layoutKey() const;
  void restore();  // the stored layout, or the default one
  void arrange();
  void arrangeColumns(const Arrangement& plan);
  void stack(PanelPlace place);
  void arrangeSizes(const Arrangement& wanted);
  void followRoom();
  void divideMiddle();
  void narrowRight();
  void setWindowFont();
  void showBars();
  bool isDrawerOpen() const;
  void makeRoomForDrawer(PanelDock* shown);
  void updateDrawerButton();
  void followAsked();
  void makeRoomToRead(PanelDock* dock);
  void takeRoomBack();
  PanelDock* dockOf(const QString& panel) const;  // null: no dock has this name
  const std::vector<PanelDock*>& at(PanelPlace place) const { return m_places.at(place); }
  PanelDock* front(PanelPlace place) const { return at(place).front(); }  // no place is empty

  Panels& m_panels;
  Settings& m_settings;
  QMainWindow* m_window;
  Stage* m_stage;
  QToolBar* m_timelineBar;
  QToolButton* m_drawerButton;
  std::vector<PanelDock*> m_docks;
  std::map<PanelPlace, std::vector<PanelDock*>> m_places;  // the same ones
  std::set<PanelDock*> m_whenAsked, m_asked;               // Panel::whenAsked, and those that came forward
  std::vector<QToolBar*> m_machineryBars;
  DockTabs* m_tabs;
  std::map<Perspective, QAction*> m_actions;
  // Of a panel that came forward: whether it was closed, and what was in sight.
  struct Covered {
    bool wasClosed = false;
    std::vector<PanelDock*> docks{};
  };
  std::map<const PanelDock*, Covered> m_covered;
  Perspective m_current = Perspective::kStep;
  Columns m_columns = Columns::kThree;
  bool m_shown = false;
  bool m_broughtDrawer = false;  // it was opened by bringForward()
  bool m_dividedByHand = false;  // stage and KV memory, by the user
  int m_pressedHeight = 0;       // of the KV memory when a mouse button went down
};

}  // namespace vitrine
