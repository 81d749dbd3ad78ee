// Perspectives: the same panels laid out for a purpose: to chat, to step, to present on a projector.
//
// Each perspective stores its own layout, with a version. "Restore default layout" deletes the stored
// layouts. Thread: the window's.
#pragma once

#include <QFont>
#include <QObject>
#include <vector>

#include "panels.h"
#include "settings.h"

class QDockWidget;
class QMainWindow;
class QMenu;
class QSplitter;
class QTabWidget;
class QToolBar;

namespace vitrine {

enum class Perspective { kChat, kStep, kPresent };

class Perspectives : public QObject {
  Q_OBJECT

 public:
  // Makes the docks and the centre. The window puts centre() into its central widget.
  Perspectives(Panels& panels, Settings& settings, QMainWindow* window);

  QSplitter* centre() const { return m_centre; }
  Perspective current() const { return m_current; }

  void show(Perspective perspective);  // stores the layout of the previous one first
  void restoreDefault();
  bool bringForward(const QString& panel);  // by its name in a scenario; false: no panel has this name
  void remember();
  void addPerspectiveActions(QMenu* menu);  // the one shown is checked
  void addDockActions(QMenu* menu) const;

  static QString keyOf(Perspective perspective);  // "chat", "step", "present"
  static Perspective fromKey(const QString& key);

 signals:
  void changed(vitrine::Perspective perspective);

 private:
  QDockWidget* addDock(const QString& name, const QString& title, QWidget* view, Qt::DockWidgetArea area);
  void arrange(Perspective perspective);
  void arrangeCentre(Perspective perspective);

  Panels& m_panels;
  Settings& m_settings;
  QMainWindow* m_window;
  QSplitter* m_centre;
  QTabWidget* m_tabs;
  QToolBar* m_timelineBar;
  QDockWidget *m_requests, *m_blocks, *m_blockTable, *m_sampler, *m_controls, *m_plot, *m_events, *m_metrics;
  std::vector<QDockWidget*> m_docks;
  QFont m_plainFont;
  Perspective m_current = Perspective::kStep;
  bool m_shown = false;
};

}  // namespace vitrine
