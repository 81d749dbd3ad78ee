// RunToMenu: the moments to which the machine can run, the breakpoints and the bookmarks.
#pragma once

#include <QMenu>

#include "gui/runs/run_to.h"
#include "widgets/time/bookmarks.h"

namespace vitrine {

class BreakpointsDialog;

class RunToMenu : public QMenu {
  Q_OBJECT

 public:
  RunToMenu(RunTo& runTo, Bookmarks& bookmarks, QWidget* parent);

  QAction* const toggleStep;      // F9
  QAction* const toggleBookmark;  // Ctrl+D

 signals:
  void stopsInsideChosen(bool inside);

 public slots:
  void showBreakpoints();

 private:
  void addKind(BreakKind kind);
  void fillRequests();
  void fillBookmarks();
  std::optional<Breakpoint> ask(BreakKind kind);

  RunTo& m_runTo;
  Bookmarks& m_bookmarks;
  QMenu *m_requests, *m_bookmarkMenu;
  BreakpointsDialog* m_dialog = nullptr;
};

}  // namespace vitrine
