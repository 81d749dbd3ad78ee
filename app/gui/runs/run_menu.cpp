#include "gui/runs/run_menu.h"

#include <QFileDialog>
#include <QFileInfo>

#include "gui/parts/file_name.h"
#include "gui/settings/engine_options_dialog.h"

namespace vitrine {

namespace {

QString filter() { return RunMenu::tr("Traces (*.vitrine)"); }

}  // namespace

RunMenu::RunMenu(RunArchive& archive, const Session& session, QWidget* parent)
    : QMenu(tr("&Recording"), parent),
      resume(new QAction(this)),
      resumeWith(new QAction(this)),
      m_archive(archive),
      m_session(session),
      m_save(new QAction(tr("&Save the run as a trace…"), this)),
      m_export(new QAction(tr("E&xport a timeline for Perfetto…"), this)),
      m_page(new QAction(tr("Export a &page for browsers…"), this)),
      m_earlier(new QMenu(tr("&Earlier runs"), this)) {
  setToolTipsVisible(true);
  QAction* open =
      addAction(tr("&Open a trace…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O, this, &RunMenu::chooseTrace);
  open->setToolTip(tr("A recorded run, which needs no model to be looked at"));
  m_save->setShortcut(QKeySequence::Save);
  m_export->setToolTip(tr(
      "The run as JSON for ui.perfetto.dev and chrome://tracing: a track for each phase and each sequence"));
  m_page->setToolTip(
      tr("The run as one HTML file that opens anywhere, without Vitrine and without a network: to step "
         "through"));
  addActions({m_save, m_page, m_export});
  addMenu(m_earlier);
  QAction* bench =
      addAction(tr("Open &bench results…"), Qt::CTRL | Qt::SHIFT | Qt::Key_B, this, &RunMenu::benchRequested);
  bench->setToolTip(tr("Measurements that vitrine-cli bench has kept, as tables and plots"));
  addSeparator();
  resume->setShortcut(Qt::CTRL | Qt::Key_R);
  resume->setToolTip(
      tr("A machine goes back to the step shown and can run on from there; the run of before is kept"));
  resumeWith->setToolTip(
      tr("The same with another policy, budget, prefix cache, preemption or drafter; at step 0 with any"));
  addActions({resume, resumeWith});
  connect(m_save, &QAction::triggered, this, &RunMenu::saveTrace);
  connect(m_export, &QAction::triggered, this, &RunMenu::exportTimeline);
  connect(m_page, &QAction::triggered, this, &RunMenu::exportPage);
  connect(resume, &QAction::triggered, this, [this] { m_archive.resume(); });
  connect(resumeWith, &QAction::triggered, this, &RunMenu::resumeWithOptions);
  connect(this, &QMenu::aboutToShow, this, &RunMenu::refresh);
  connect(m_earlier, &QMenu::aboutToShow, this, [this] { m_archive.runs().fill(*m_earlier); });
  m_archive.runs().fill(*m_earlier);
  connect(&session, &Session::stateChanged, this, &RunMenu::refresh);
  // A run may get its first step while an earlier moment is shown.
  connect(&session, &Session::appended, this, [this] {
    if (!resume->isEnabled()) refresh();
  });
  connect(&archive, &RunArchive::offered, this, &RunMenu::refresh);
  refresh();
}

void RunMenu::refresh() {
  const int step = m_session.finishedStep();  // a run goes on from a step's end
  resume->setText(tr("&Resume from step %1").arg(step));
  resumeWith->setText(tr("Resume from step %1 &with other options…").arg(step));
  for (QAction* action : {resume, resumeWith}) action->setEnabled(m_archive.canResume());
  for (QAction* action : {m_save, m_export, m_page}) action->setEnabled(m_archive.canSave());
}

void RunMenu::chooseTrace() {
  const QString file = QFileDialog::getOpenFileName(parentWidget(), tr("Open a trace"), {}, filter());
  if (!file.isEmpty()) m_archive.openTrace(file);
}

QString RunMenu::chooseFile(const QString& title, const QString& filter, const QString& suffix) {
  QFileDialog dialog(parentWidget(), title, {}, filter);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(suffix);
  const QString run = m_archive.runs().name().text();
  dialog.selectFile(fileNameFor(
      QFileInfo(run).suffix() == QLatin1String("vitrine") ? QFileInfo(run).completeBaseName() : run,
      tr("run")));
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

void RunMenu::saveTrace() {
  const QString file = chooseFile(tr("Save the run as a trace"), filter(), QStringLiteral("vitrine"));
  if (!file.isEmpty()) m_archive.save(file);
}

void RunMenu::exportTimeline() {
  const QString file = chooseFile(tr("Export a timeline for Perfetto"),
                                  tr("Timelines in the Trace Event Format (*.json)"), QStringLiteral("json"));
  if (!file.isEmpty()) m_archive.exportTimeline(file);
}

void RunMenu::exportPage() {
  const QString file =
      chooseFile(tr("Export a page for browsers"), tr("Pages (*.html)"), QStringLiteral("html"));
  if (!file.isEmpty()) m_archive.exportPage(file);
}

void RunMenu::resumeWithOptions() {
  m_archive.resume([this](const EngineOptions& options, int step) -> std::optional<EngineOptions> {
    EngineOptionsDialog dialog(options, parentWidget());
    dialog.setResuming(step);
    if (dialog.exec() != QDialog::Accepted) return std::nullopt;
    return dialog.options();
  });
}

}  // namespace vitrine

#include "moc_run_menu.cpp"
