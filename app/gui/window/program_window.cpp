#include "gui/window/program_window.h"

#include <QApplication>
#include <utility>

#include "gui/lessons/lesson_guide.h"
#include "gui/lessons/lesson_model.h"
#include "gui/parts/message_bar.h"
#include "gui/runs/run_archive.h"
#include "widgets/support/translations.h"

namespace vitrine {

ProgramWindow::ProgramWindow(std::optional<Device> device, QString chatsFile)
    : m_device(device), m_chatsFile(std::move(chatsFile)) {
  make();
}

ProgramWindow::~ProgramWindow() = default;

void ProgramWindow::make() {
  m_window = std::make_unique<MainWindow>();
  if (m_device) m_window->computeOn(*m_device);
  m_window->keepChatsIn(m_chatsFile);
  m_handed = std::make_unique<HandedStart>(*m_window);
  connect(m_window.get(), &MainWindow::languageChosen, this, &ProgramWindow::speak, Qt::QueuedConnection);
  tellOfFonts();
}

// In English, which can be read.
void ProgramWindow::tellOfFonts() {
  if (hasLettersOf(QLocale())) return;
  m_window->messages().say(
      MessageCause::kLetters,
      Notice::problem(
          QStringLiteral("No font of this computer has Chinese characters."),
          QStringLiteral("Install one, such as the package fonts-noto-cjk, and start Vitrine again; or "
                         "choose English: View → Language.")));
}

ProgramWindow::Before ProgramWindow::present() const {
  Before now;
  now.perspective = Settings().perspective();
  const LessonModel& lesson = *m_window->panels().lessonModel;
  if (lesson.isOpen()) now.lesson = QString::fromStdString(lesson.lesson().name);
  const ModelLoading::Setup& open = m_window->loading().current();
  now.model = open.order.model == builtinModelDirectory() ? QString()
                                                          : QString::fromStdString(open.order.model.string());
  if (open.scenario) now.scenario = QString::fromStdString(open.scenario->name);
  now.step = m_window->session().recording().lastFinishedStep();
  now.hadMachine = m_window->host().mode() != MachineMode::kEmpty;
  return now;
}

// The run comes along as a trace, which is exact.
void ProgramWindow::speak() {
  Before before = present();
  RunArchive& archive = m_window->archive();
  if (before.step <= 0 || !archive.canSave() || !m_folder.isValid()) return remake(std::move(before));
  m_window->pause();
  const QString file = m_folder.filePath(QStringLiteral("run.vitrine"));
  auto* const waiting = new QObject(m_window.get());  // for the first of the two
  connect(&archive, &RunArchive::saved, waiting, [this, waiting, before, file] {
    waiting->deleteLater();
    Before kept = before;
    kept.trace = file;
    QMetaObject::invokeMethod(
        this, [this, kept] { remake(kept); }, Qt::QueuedConnection);
  });
  connect(&archive, &RunArchive::notSaved, waiting, [this, waiting, before] {
    waiting->deleteLater();
    QMetaObject::invokeMethod(
        this, [this, before] { remake(before); }, Qt::QueuedConnection);
  });
  archive.save(file);
}

void ProgramWindow::remake(Before before) {
  QApplication::setQuitOnLastWindowClosed(false);
  if (m_window->close()) {
    m_handed.reset();
    m_window.reset();
    const QLocale locale = localeFor(Settings().language());
    QLocale::setDefault(locale);
    installTranslations(*QCoreApplication::instance(), locale);
    make();
    m_window->show();
    showAgain(before);
    emit remade();
  }
  QApplication::setQuitOnLastWindowClosed(true);
}

void ProgramWindow::showAgain(const Before& before) {
  m_window->showPerspective(Perspectives::fromKey(before.perspective));
  if (!before.trace.isEmpty()) {
    RunArchive& archive = m_window->archive();
    auto* const opening = new QObject(m_window.get());
    connect(&archive, &RunArchive::ended, opening, [this, opening, before, &archive] {
      if (archive.isUnderWay() || m_window->session().recording().lastFinishedStep() < before.step) return;
      opening->deleteLater();
      m_window->session().goToStep(before.step);
      if (before.hadMachine) archive.resume();
    });
    archive.openTrace(before.trace);
  } else if (!before.scenario.isEmpty()) {
    m_window->openScenario(before.scenario);
  } else {
    m_window->openModel(before.model);
  }
  if (!before.lesson.isEmpty()) m_window->lessons().open(before.lesson);
}

}  // namespace vitrine

#include "moc_program_window.cpp"
