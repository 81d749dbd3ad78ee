// RunMenu: opens and saves recorded runs, goes back to earlier ones, and goes on from a step.
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
  void chooseFile();
  void resumeWithOptions();

  RunArchive& m_archive;
  const Session& m_session;
  QAction* m_save;
  QMenu* m_earlier;
};

}  // namespace vitrine
