// RunMenu: opens, saves and exports recorded runs, goes back to earlier ones, and goes on from a step.
#pragma once

#include <QMenu>

#include "gui/runs/run_archive.h"

namespace vitrine {

class RunMenu : public QMenu {
  Q_OBJECT

 public:
  RunMenu(RunArchive& archive, const Session& session, QWidget* parent);

  QAction* const resume;
  QAction* const resumeWith;  // with other options

 signals:
  void benchRequested();  // results of a benchmark, by a dialog

 private:
  void refresh();
  void chooseTrace();
  void saveTrace();
  void exportTimeline();
  void exportPage();
  // A file to write, named after the run; empty: none was chosen.
  QString chooseFile(const QString& title, const QString& filter, const QString& suffix);
  void resumeWithOptions();

  RunArchive& m_archive;
  const Session& m_session;
  QAction *m_save, *m_export, *m_page;
  QMenu* m_earlier;
};

}  // namespace vitrine
