#include "gui/runs/run_to_menu.h"

#include <QInputDialog>
#include <QMessageBox>

#include "gui/parts/screen_fit.h"
#include "gui/runs/breakpoints_dialog.h"
#include "vitrine/prose/breakpoint_words.h"
#include "widgets/support/window_language.h"

namespace vitrine {

RunToMenu::RunToMenu(RunTo& runTo, Bookmarks& bookmarks, QWidget* parent)
    : QMenu(tr("R&un to"), parent),
      toggleStep(new QAction(tr("&Breakpoint at this step"), this)),
      toggleBookmark(new QAction(tr("Book&mark this step"), this)),
      m_runTo(runTo),
      m_bookmarks(bookmarks),
      m_requests(new QMenu(tr("an e&vent of a request"), this)),
      m_bookmarkMenu(new QMenu(tr("B&ookmarks"), this)) {
  setToolTipsVisible(true);
  for (int kind = 0; kind < kBreakKindCount; ++kind) addKind(static_cast<BreakKind>(kind));
  addSeparator();
  toggleStep->setShortcut(Qt::Key_F9);
  toggleStep->setToolTip(tr("A run stops at the end of the step shown"));
  toggleBookmark->setShortcut(Qt::CTRL | Qt::Key_D);
  addAction(toggleStep);
  addAction(tr("B&reakpoints…"), this, &RunToMenu::showBreakpoints);
  addSeparator();
  addAction(toggleBookmark);
  addMenu(m_bookmarkMenu);
  connect(toggleStep, &QAction::triggered, this,
          [this] { m_runTo.list().toggleStep(m_runTo.session().step()); });
  connect(toggleBookmark, &QAction::triggered, this,
          [this] { m_bookmarks.toggle(m_runTo.session().step()); });
  connect(m_requests, &QMenu::aboutToShow, this, &RunToMenu::fillRequests);
  connect(m_bookmarkMenu, &QMenu::aboutToShow, this, &RunToMenu::fillBookmarks);
}

void RunToMenu::addKind(BreakKind kind) {
  if (kind == BreakKind::kRequest) {
    addMenu(m_requests);
    return;
  }
  const auto words = prose::wordsOf(kind, windowLanguage());
  QAction* action = addAction(QString::fromStdString(words.title), this, [this, kind] {
    if (const auto wanted = ask(kind)) m_runTo.run(*wanted);
  });
  action->setToolTip(QString::fromStdString(words.help));
}

// A kind that needs a value asks for it; nothing when the user cancels.
std::optional<Breakpoint> RunToMenu::ask(BreakKind kind) {
  Breakpoint wanted;
  wanted.kind = kind;
  bool given = true;
  if (kind == BreakKind::kToken) {
    const QString text =
        QInputDialog::getText(parentWidget(), tr("Run to a token"), tr("Its text, or its number as #273:"),
                              QLineEdit::Normal, {}, &given);
    if (!given) return std::nullopt;
    try {
      return breakpointFromText("token=" + text.toStdString());
    } catch (const EngineError& error) {
      QMessageBox::warning(parentWidget(), tr("Run to a token"), QString::fromUtf8(error.what()));
      return std::nullopt;
    }
  }
  if (kind == BreakKind::kEntropy)
    wanted.bits = QInputDialog::getDouble(parentWidget(), tr("Run to an uncertain token"),
                                          tr("Entropy above so many bits:"), 3, 0, 20, 1, &given);
  if (kind == BreakKind::kStep) {
    const int next = m_runTo.session().step() + 1;
    wanted.step =
        QInputDialog::getInt(parentWidget(), tr("Run to a step"), tr("Step:"), next, 1, INT_MAX, 1, &given);
  }
  if (kind == BreakKind::kEvent) {
    QStringList names;
    for (const EventInfo& info : allEvents()) names << QString::fromLatin1(info.name);
    names.sort();
    wanted.event = QInputDialog::getItem(parentWidget(), tr("Run to an event"), tr("Its name in a trace:"),
                                         names, 0, false, &given)
                       .toStdString();
  }
  return given ? std::optional(wanted) : std::nullopt;
}

void RunToMenu::fillRequests() {
  m_requests->clear();
  const Session& session = m_runTo.session();
  for (const auto& [id, request] : session.state().requests) {
    if (request.finished) continue;
    Breakpoint wanted;
    wanted.kind = BreakKind::kRequest;
    wanted.request = id;
    const QString letter = QString::fromStdString(session.proseNames().request(id));
    m_requests->addAction(tr("%1 (%2)").arg(letter, QString::fromStdString(request.name)), this,
                          [this, wanted] { m_runTo.run(wanted); });
  }
  if (m_requests->isEmpty()) m_requests->addAction(tr("No request is left"))->setEnabled(false);
}

void RunToMenu::fillBookmarks() {
  m_bookmarkMenu->clear();
  for (const int step : m_bookmarks.steps())
    m_bookmarkMenu->addAction(tr("Step %1").arg(step), this,
                              [this, step] { m_runTo.session().goToStep(step); });
  if (m_bookmarkMenu->isEmpty()) m_bookmarkMenu->addAction(tr("No bookmark yet"))->setEnabled(false);
}

void RunToMenu::showBreakpoints() {
  if (m_dialog == nullptr) {
    m_dialog = new BreakpointsDialog(m_runTo, parentWidget());
    connect(m_dialog, &BreakpointsDialog::stopsInsideChosen, this, &RunToMenu::stopsInsideChosen);
  }
  showInFront(*m_dialog);
}

}  // namespace vitrine

#include "moc_run_to_menu.cpp"
