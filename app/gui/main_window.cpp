#include "main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QMenuBar>
#include <QMessageBox>
#include <QSplitter>
#include <QStandardPaths>
#include <QToolButton>
#include <QVBoxLayout>

#include "chat_controller.h"
#include "engine_options_dialog.h"
#include "message_bar.h"
#include "model_menu.h"
#include "scenario_bar.h"
#include "scenario_menu.h"
#include "screen_fit.h"
#include "status_strip.h"
#include "vitrine/program_files.h"
#include "widgets/views/chat_view.h"
#include "widgets/views/sampler_controls.h"
#include "widgets/views/sampler_view.h"

namespace vitrine {

namespace {

constexpr QSize kLeastSize(800, 520);
constexpr int kCandidatesShown = 16;  // of each sampling stage, while the sampler is in sight

// Where the recording's unnamed file lies; without such a folder it lies in memory.
std::filesystem::path recordingFolder() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
  return !folder.isEmpty() && QDir().mkpath(folder) ? folder.toStdString() : std::string();
}

}  // namespace

MainWindow::MainWindow()
    : m_session(recordingFolder()),
      m_panels(new Panels(m_session, this)),
      m_perspectives(new Perspectives(*m_panels, m_settings, this)),
      m_bar(new MachineBar(this)),
      m_messages(new MessageBar(this)),
      m_status(new StatusStrip(this)),
      m_modelMenu(new ModelMenu(m_settings, this)),
      m_scenarioBar(new ScenarioBar(this)),
      m_scenarioMenu(new ScenarioMenu(this)) {
  setWindowTitle(tr("Vitrine"));
  m_panels->controls->setDefaults(Settings::defaultSampling(), Settings::kDefaultMaxTokens);
  m_panels->controls->setSampling(m_settings.sampling());
  m_panels->controls->setMaxTokens(m_settings.maxTokens());
  m_chat =
      new ChatController(m_host, m_session, *m_panels->chat, *m_panels->chatModel, *m_panels->controls, this);

  auto* centre = new QWidget(this);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_messages);
  column->addWidget(m_scenarioBar);
  column->addWidget(m_perspectives->centre(), 1);
  setCentralWidget(centre);
  setStatusBar(m_status);
  makeToolBar();
  makeMenus();
  wireHost();
  wireSession();
  if (!restoreGeometry(m_settings.geometry())) resize(1366, 768);
  // An explicit least size rules over the layout's: no panel that is opened makes the window larger.
  setMinimumSize(kLeastSize);
  new ScreenFit(this);
  m_bar->setStepsPerSecond(m_settings.stepsPerSecond());
  m_host.setStepsPerSecond(m_bar->stepsPerSecond());
  updateMachine();
  updateReady();
}

void MainWindow::makeToolBar() {
  addMenuButton(tr("Model"), tr("Choose the model that runs"), m_modelMenu);
  addMenuButton(tr("Scenario"), tr("Choose an experiment to step through"), m_scenarioMenu);
  m_bar->insertSeparator(m_bar->reset);
  addToolBar(Qt::TopToolBarArea, m_bar);
  connect(m_bar->reset, &QAction::triggered, this, &MainWindow::reset);
  connect(m_bar->back, &QAction::triggered, this, &MainWindow::back);
  connect(m_bar->step, &QAction::triggered, this, &MainWindow::step);
  connect(m_bar->phase, &QAction::triggered, this, &MainWindow::stepPhase);
  connect(m_bar, &MachineBar::runRequested, this, &MainWindow::run);
  connect(m_bar, &MachineBar::pauseRequested, &m_host, &EngineHost::pause);
  connect(m_bar, &MachineBar::speedChanged, this, [this](double rate) {
    m_host.setStepsPerSecond(rate);
    if (m_perspectives->current() != Perspective::kChat) m_settings.setStepsPerSecond(rate);
  });
}

void MainWindow::addMenuButton(const QString& text, const QString& tip, QMenu* menu) {
  auto* button = new QToolButton(m_bar);
  button->setText(text);
  button->setMenu(menu);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setToolTip(tip);
  m_bar->insertWidget(m_bar->reset, button);
}

void MainWindow::makeMenus() {
  menuBar()->addMenu(m_modelMenu);
  connect(m_modelMenu, &ModelMenu::modelChosen, this, &MainWindow::openModel);
  menuBar()->addMenu(m_scenarioMenu);
  connect(m_scenarioMenu, &ScenarioMenu::scenarioChosen, this, &MainWindow::openScenario);
  connect(m_scenarioMenu, &ScenarioMenu::leaveRequested, this, &MainWindow::leaveScenario);
  connect(m_scenarioBar, &ScenarioBar::visitRequested, this, &MainWindow::visit);

  QMenu* machine = menuBar()->addMenu(tr("M&achine"));
  machine->setToolTipsVisible(true);
  machine->addActions({m_bar->step, m_bar->phase, m_bar->back, m_bar->runPause, m_bar->reset});
  machine->addSeparator();
  machine->addAction(tr("Machine &options…"), this, &MainWindow::chooseOptions);
  QAction* thinking = machine->addAction(tr("Let the model &think first"));
  thinking->setCheckable(true);
  thinking->setToolTip(tr("For models whose chat format knows thinking, such as Qwen3"));
  connect(thinking, &QAction::toggled, m_chat, &ChatController::setThinking);

  QMenu* view = menuBar()->addMenu(tr("&View"));
  auto* group = new QActionGroup(this);
  const auto addPerspective = [&](const QString& name, Perspective perspective, Qt::Key key) {
    QAction* action = view->addAction(name, this, [this, perspective] { m_perspectives->show(perspective); });
    action->setShortcut(Qt::CTRL | key);
    action->setCheckable(true);
    group->addAction(action);
    connect(m_perspectives, &Perspectives::changed, action,
            [action, perspective](Perspective now) { action->setChecked(now == perspective); });
  };
  addPerspective(tr("Just &chat"), Perspective::kChat, Qt::Key_1);
  addPerspective(tr("&Step through the machine"), Perspective::kStep, Qt::Key_2);
  addPerspective(tr("&Present"), Perspective::kPresent, Qt::Key_4);
  view->addAction(tr("&Full screen"), Qt::Key_F11, this, [this] { setPresenting(!isFullScreen()); });
  view->addSeparator();
  m_perspectives->addDockActions(view);
  view->addSeparator();
  view->addAction(tr("&Restore default layout"), m_perspectives, &Perspectives::restoreDefault);

  QMenu* help = menuBar()->addMenu(tr("&Help"));
  help->addAction(tr("&About Vitrine"), this, [this] {
    QMessageBox::about(this, tr("About Vitrine"),
                       tr("Vitrine %1 shows how LLM inference works, in an engine that really runs.\n\n"
                          "Free software under the GNU General Public License, version 3 or later.")
                           .arg(QString::fromLatin1(version())));
  });
  help->addAction(tr("About &Qt"), this, [this] { QMessageBox::aboutQt(this); });
}

void MainWindow::wireHost() {
  m_host.deliverTo([this](std::vector<Event> events) { m_session.append(std::move(events)); });
  connect(&m_host, &EngineHost::modeChanged, this, [this] {
    if (m_host.mode() != MachineMode::kLoading) m_status->hideProgress();
    updateMachine();
    updateReady();
  });
  connect(&m_host, &EngineHost::loadProgress, m_status, &StatusStrip::showProgress);
  connect(m_status, &StatusStrip::cancelLoadRequested, &m_host, &EngineHost::cancelLoad);
  connect(&m_host, &EngineHost::loaded, this, &MainWindow::onLoaded);
  connect(&m_host, &EngineHost::failed, this, &MainWindow::onFailed);
  connect(&m_host, &EngineHost::chatTrimmed, this, [this](int dropped) {
    m_messages->show(
        MessageBar::Kind::kNotice,
        tr("The conversation has outgrown the model's context: the %n oldest message(s) were left out.",
           nullptr, dropped),
        tr("Start a new chat to begin with an empty context."));
  });
}

void MainWindow::wireSession() {
  connect(&m_session, &Session::stateChanged, this, &MainWindow::updateMachine);
  connect(&m_session, &Session::cursorChanged, this, &MainWindow::updateMachine);
  connect(&m_session, &Session::appended, m_scenarioBar, &ScenarioBar::take);
  connect(&m_session, &Session::engineLoaded, m_status, &StatusStrip::showEngine);
  connect(&m_session, &Session::engineFailed, this, &MainWindow::onFailed);
  connect(&m_session, &Session::streamDamaged, this, [this](const QString& message) {
    m_messages->show(MessageBar::Kind::kError, message, tr("Reset the machine; the model is not harmed."));
  });
  connect(&m_session, &Session::pastUnreadable, this, [this](const QString& message, const QString& hint) {
    m_messages->show(MessageBar::Kind::kError, message, hint);
  });
  connect(&m_session, &Session::recordingInMemory, this, [this](const QString& why) {
    m_messages->show(MessageBar::Kind::kNotice,
                     tr("The recording cannot be kept on the disk and goes on in memory. %1").arg(why),
                     tr("Nothing is lost. Make room there, or reset the machine when memory runs short."));
  });
  connect(m_panels, &Panels::cancelRequested, &m_host, &EngineHost::cancel);
  connect(m_panels, &Panels::forwardRequested, this, &MainWindow::step);
  connect(m_perspectives, &Perspectives::changed, this, &MainWindow::onPerspective);
  connect(m_chat, &ChatController::sent, this, &MainWindow::onSent);
  connect(m_panels->controls, &SamplerControls::samplingChanged, this,
          [this](const SamplingOptions& sampling) { m_settings.setSampling(sampling); });
  connect(m_panels->controls, &SamplerControls::maxTokensChanged, this,
          [this](int tokens) { m_settings.setMaxTokens(tokens); });
}

void MainWindow::openModel(const QString& directory) {
  LoadOrder order;
  order.options = m_settings.engineOptions();
  if (directory.isEmpty()) {
    order.model = builtinModelDirectory();
    if (m_perspectives->current() != Perspective::kChat) order.staged = m_chat->stagedRequests();
  } else {
    order.model = directory.toStdString();
  }
  load(std::move(order));
}

// Reading the file is all that happens here; the engine's thread does the rest.
void MainWindow::openScenario(const QString& nameOrFile) {
  try {
    Scenario scenario = readScenario(nameOrFile.toStdString(), InputKind::kFile);
    LoadOrder order;
    order.model = scenario.engine.modelDirectory();
    order.options = scenario.engine.toOptions();
    order.timetable = Timetable(scenario.requests, scenario.commands);
    if (!m_open.scenario) m_before = m_open;
    load(std::move(order), std::move(scenario));
  } catch (const EngineError& error) {
    onFailed(QLatin1String(errorCodeName(error.code())), error.what(), QString::fromStdString(error.hint()));
  } catch (const UsageError& error) {
    onFailed({}, error.what(), tr("Mend the scenario's file, or choose another."));
  }
}

void MainWindow::leaveScenario() {
  if (m_before.order.model.empty()) return openModel({});
  load(m_before.order);
}

void MainWindow::load(LoadOrder order, std::optional<Scenario> scenario) {
  m_messages->hide();
  const LoadTicket ticket = m_host.load(order);
  m_ordered[ticket] = {std::move(order), std::move(scenario)};
  updateMachine();
  updateReady();
}

void MainWindow::onLoaded(LoadTicket ticket, const QString& directory, bool chatRecognised) {
  const auto ordered = m_ordered.find(ticket);
  m_open = std::move(ordered->second);
  m_ordered.erase(m_ordered.begin(), std::next(ordered));  // those before it were abandoned
  const bool builtin = directory == QString::fromStdString(builtinModelDirectory().string());
  if (const auto& scenario = m_open.scenario) {
    m_scenarioBar->show(*scenario, m_session.recording());
    m_scenarioMenu->setInside(QString::fromStdString(scenario->name));
    if (m_perspectives->current() == Perspective::kChat) m_perspectives->show(Perspective::kStep);
    return;  // a visit, not a choice of model
  }
  m_scenarioBar->hide();
  m_scenarioMenu->setInside({});
  m_settings.setLastModel(builtin ? QString() : directory);
  if (!builtin) m_settings.addRecentModel(directory);
  if (!chatRecognised)
    m_messages->show(MessageBar::Kind::kNotice,
                     tr("This model's chat template is not one that Vitrine knows."),
                     tr("It is asked in a plain format, so its answers may be worse than they could be."));
}

void MainWindow::onFailed(const QString& code, const QString& message, const QString& hint) {
  if (code == QLatin1String(errorCodeName(ErrorCode::kCancelled))) return;  // the user's own doing
  m_messages->show(MessageBar::Kind::kError, message, hint);
}

// Who only chats wants an answer; who steps has stopped the machine on purpose.
void MainWindow::onSent() {
  if (m_perspectives->current() == Perspective::kChat) m_host.run();
}

void MainWindow::step() {
  if (!m_session.isLive()) return m_session.goForward();
  if (availableVerbs({m_host.mode(), true, false, true}).step) m_host.step();
}

void MainWindow::stepPhase() {
  m_session.goLive();
  m_host.stepPhase();
}

void MainWindow::back() {
  m_host.pause();
  m_session.goBack();
}

void MainWindow::run() {
  m_session.goLive();
  m_host.run();
}

// The model that is open, not one that could not be opened.
void MainWindow::reset() { load(m_open.order, m_open.scenario); }

void MainWindow::chooseOptions() {
  EngineOptionsDialog dialog(m_settings.engineOptions(), this);
  if (dialog.exec() != QDialog::Accepted) return;
  m_settings.setEngineOptions(dialog.options());
  LoadOrder order = m_open.order;
  order.options = dialog.options();
  load(std::move(order), m_open.scenario);
}

// Where a sight of the scenario can be seen.
void MainWindow::visit(int step, int sequence, const QString& panel) {
  m_host.pause();
  m_session.goToStep(step);
  if (sequence != 0) m_session.selectSequence(sequence);
  showPanel(panel);
}

void MainWindow::setPresenting(bool presenting) {
  if (presenting) {
    showFullScreen();
  } else {
    showNormal();
  }
}

// Who only chats wants the answer at once; candidates are published only while somebody may look at them.
void MainWindow::onPerspective(Perspective perspective) {
  const bool chatting = perspective == Perspective::kChat;
  m_bar->setMachineryVisible(!chatting);
  m_bar->setStepsPerSecond(chatting ? 0 : m_settings.stepsPerSecond());
  Detail detail;
  detail.candidates = chatting ? 0 : kCandidatesShown;
  m_host.setDetail(detail);
  if (chatting) m_panels->chat->focusInput();
}

void MainWindow::updateMachine() {
  const MachineState& machine = m_session.recording().live();
  MachineView view;
  view.mode = m_host.mode();
  view.live = m_session.isLive();
  view.canGoBack = m_session.canGoBack();
  view.hasWork = !machine.waiting.empty() || !machine.running.empty();
  m_bar->show(view);
  m_status->showMachine(m_host.mode(), m_host.nextPhase(), m_session);
}

void MainWindow::updateReady() {
  const MachineMode mode = m_host.mode();
  if (mode == MachineMode::kEmpty) return m_panels->chat->setReady(false, tr("Open a model to chat with."));
  if (mode == MachineMode::kLoading) return m_panels->chat->setReady(false, tr("The model is loading…"));
  m_panels->chat->setReady(true);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  m_perspectives->remember();
  m_settings.setGeometry(saveGeometry());
  QMainWindow::closeEvent(event);
}

}  // namespace vitrine
