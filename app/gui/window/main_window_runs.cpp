// What the window does with recorded runs: opening files of all kinds, showing a trace, and going on as a
// branch.
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <algorithm>

#include "gui/bars/machine_buttons.h"
#include "gui/bars/phase_bar.h"
#include "gui/bars/status_strip.h"
#include "gui/bench/bench_opening.h"
#include "gui/chat/chat_importing.h"
#include "gui/chat/chat_trace.h"
#include "gui/chat/chats.h"
#include "gui/parts/file_drop.h"
#include "gui/parts/message_bar.h"
#include "gui/runs/run_archive.h"
#include "gui/scenario/scenario_line.h"
#include "gui/scenario/scenario_menu.h"
#include "gui/window/main_window.h"
#include "widgets/chat/chat_view.h"

namespace vitrine {

void MainWindow::open(const QString& path) {
  const QFileInfo file(path);
  if (file.fileName().contains(QLatin1String(".vitrine")))  // also what a killed program left of one
    m_archive->openTrace(path);
  else if (file.isDir() || file.suffix().compare(QLatin1String("gguf"), Qt::CaseInsensitive) == 0)
    openModel(path);
  else if (file.suffix() == QLatin1String("json") && BenchOpening::isResult(path))
    openBench(path);
  else if (ChatImporting::isForImport(path))
    importChats({path});
  else if (file.suffix() == QLatin1String("json"))
    openScenario(path);
  else
    m_messages->say(
        MessageCause::kOpening,
        {MessageBar::Kind::kError, tr("Vitrine cannot open %1.").arg(QDir::toNativeSeparators(path)),
         tr("It opens traces (.vitrine), scenarios and bench results (.json), exported chats (.json, "
            ".jsonl, .zip), models (.gguf), and their folders.")});
  requireMachine();
}

bool MainWindow::isBare() const {
  const bool opening = m_loading->isUnderWay() || m_archive->isUnderWay();
  return !opening && m_host.mode() == MachineMode::kEmpty && m_session.recording().size() == 0;
}

// Results need no machine. A program that was started with them has one behind them, as it always has.
void MainWindow::openBench(const QString& file) {
  if (m_bench->open(file) != nullptr && isBare()) openModel(m_settings.lastModel());
}

// A window that has neither a machine nor a recording gets the built-in model, with the reason.
void MainWindow::requireMachine() {
  if (!isBare()) return;
  m_fallBackReason = m_messages->textOf(MessageCause::kOpening);
  if (m_fallBackReason.isEmpty()) m_fallBackReason = tr("Loading was cancelled.");
  LoadOrder order = orderOf({});
  order.options.device = Device::kCpu;  // a GPU may be what is missing
  m_loading->openModel(std::move(order));
}

// A branch is the same run with another end.
void MainWindow::onResumed() {
  const ModelLoading::Opening& opened = m_loading->current();
  const QString name = m_archive->runs().name();
  m_archive->runs().begin(name, opened, m_session.engine()->branchStep);
  m_staged = true;  // its requests come from the recording
  if (opened.scenario)
    m_phaseBar->scenario().show(*opened.scenario, m_session.recording());
  else
    m_status->showScenario(m_archive->runs().presentTitle());
}

// No machine computes it, so there is nothing to choose of one.
void MainWindow::onRecordedShown(const QString& title) {
  m_messages->end(MessageCause::kOpening);
  m_phaseBar->scenario().hide();
  m_scenarioMenu->setInside({});
  m_scenarioButton->setChoice(tr("Scenario"));
  m_modelButton->setChoice(tr("Recording"));
  m_status->showScenario(title);
  if (m_perspectives->current() == Perspective::kChat) m_perspectives->show(Perspective::kStep);
}

void MainWindow::onFollowed(const RerunReport& report) {
  QString how = tr("Follows the recording: %n step(s) equal", nullptr, report.comparedSteps);
  if (report.changed && report.differsAt > 0)
    how = tr("Decides otherwise than the recording from step %1 on").arg(report.differsAt);
  else if (report.changed)
    how = tr("Other options: equal to the recording so far");
  else if (report.differsAt > 0)
    how = tr("Differs from the recording at step %1").arg(report.differsAt);
  else if (!report.following)
    how = tr("The recording is at its end: all %n step(s) were equal", nullptr, report.comparedSteps);
  m_status->showReason(how, m_session.step());
}

void MainWindow::cancelWork() {
  m_loading->cancel();
  m_archive->cancel();
  m_chats->trace().cancel();
  m_chats->importing().cancel();
  requireMachine();
}

// What open() takes, and a file that it does not take is one for the chat, where the chat is in sight.
bool MainWindow::isForChat(const QStringList& files) const {
  return m_panels->chat->isVisible() && std::ranges::none_of(files, [](const QString& path) {
           const QFileInfo file(path);
           const QString kind = file.suffix().toLower();
           return file.isDir() || file.fileName().contains(QLatin1String(".vitrine")) || kind == u"gguf" ||
                  kind == u"json" || ChatImporting::isForImport(path);
         });
}

// One file of any kind, several results to compare, several exports of chats, or several files for the chat.
void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QStringList files = droppedFiles(*event->mimeData());
  const bool readable = std::ranges::all_of(
      files, [](const QString& file) { return file.endsWith(u".json") || ChatImporting::isForImport(file); });
  if (files.size() == 1 || (files.size() > 1 && (readable || isForChat(files))))
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  openHanded(droppedFiles(*event->mimeData()));
}

void MainWindow::openHanded(const QStringList& files) {
  if (isForChat(files)) {
    m_chats->attach(files);
    if (isBare()) openModel(m_settings.modelAtStart());
    return;
  }
  QStringList chats;  // imported together: one report says what came of them
  for (const QString& file : files)
    if (files.size() > 1 && !BenchOpening::isResult(file) && ChatImporting::isForImport(file))
      chats += file;
    else
      open(file);
  if (!chats.isEmpty()) importChats(chats);
}

// Chats need no machine, but the person goes on with them.
void MainWindow::importChats(const QStringList& files) {
  m_chats->importing().import(files);
  if (isBare()) openModel(m_settings.modelAtStart());
}

}  // namespace vitrine
