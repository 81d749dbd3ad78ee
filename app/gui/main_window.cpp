#include "main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QMenuBar>
#include <QSplitter>
#include <QStandardPaths>
#include <QToolButton>
#include <QVBoxLayout>

#include "chat_controller.h"
#include "engine_options_dialog.h"
#include "help_menu.h"
#include "message_bar.h"
#include "model_menu.h"
#include "scenario_bar.h"
#include "scenario_menu.h"
#include "screen_fit.h"
#include "status_strip.h"
#include "widgets/views/chat_view.h"
#include "widgets/views/sampler_controls.h"
#include "widgets/views/sampler_view.h"

namespace vitrine {

namespace {

constexpr QSize kLeastSize(800, 520);
constexpr int kCandidatesShown = 16;  // of each sampling stage, outside the chat perspective

// The folder of the recording's unnamed file; empty if there is none, and the recording stays in memory.
std::filesystem::path recordingFolder() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
  return !folder.isEmpty() && QDir().mkpath(folder) ? folder.toStdString() : std::string();
}

}  // namespace

MainWindow::MainWindow()
    : m_session(recordingFolder()),
      m_loading(new ModelLoading(m_host, this)),
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
  wireLoading();
  wireSession();
  if (!restoreGeometry(m_settings.geometry())) resize(1366, 768);
  // An explicit minimum overrides the layout's, so that opening a panel never enlarges the window.
  setMinimumSize(kLeastSize);
  new ScreenFit(this);
  m_bar->setStepsPerSecond(m_settings.stepsPerSecond());
  m_host.setStepsPerSecond(m_bar->stepsPerSecond());
  updateMode();
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
  connect(m_scenarioMenu, &ScenarioMenu::scenarioChosen, m_loading, &ModelLoading::openScenario);
  connect(m_scenarioMenu, &ScenarioMenu::leaveRequested, this, &MainWindow::leaveScenario);
  connect(m_scenarioBar, &ScenarioBar::visitRequested, this, &MainWindow::visit);
  fillMachineMenu(*menuBar()->addMenu(tr("M&achine")));
  fillViewMenu(*menuBar()->addMenu(tr("&View")));
  menuBar()->addMenu(new HelpMenu(this));
}

void MainWindow::fillMachineMenu(QMenu& menu) {
  menu.setToolTipsVisible(true);
  menu.addActions({m_bar->step, m_bar->phase, m_bar->back, m_bar->runPause, m_bar->reset});
  menu.addSeparator();
  menu.addAction(tr("Machine &options…"), this, &MainWindow::chooseOptions);
  QAction* thinking = menu.addAction(tr("Let the model &think first"));
  thinking->setCheckable(true);
  thinking->setToolTip(tr("For models whose chat format supports thinking, such as Qwen3"));
  connect(thinking, &QAction::toggled, m_chat, &ChatController::setThinking);
}

void MainWindow::fillViewMenu(QMenu& menu) {
  m_perspectives->addPerspectiveActions(&menu);
  menu.addAction(tr("&Full screen"), Qt::Key_F11, this,
                 [this] { isFullScreen() ? showNormal() : showFullScreen(); });
  menu.addSeparator();
  m_perspectives->addDockActions(&menu);
  menu.addSeparator();
  menu.addAction(tr("&Restore default layout"), m_perspectives, &Perspectives::restoreDefault);
}

void MainWindow::wireHost() {
  m_host.deliverTo([this](std::vector<Event> events) { m_session.append(std::move(events)); });
  connect(&m_host, &EngineHost::modeChanged, this, &MainWindow::updateMode);
  connect(&m_host, &EngineHost::failed, m_messages, &MessageBar::showFailure);
  connect(&m_host, &EngineHost::chatTrimmed, m_messages, &MessageBar::showTrimmed);
}

void MainWindow::wireLoading() {
  connect(m_loading, &ModelLoading::begun, m_messages, &QWidget::hide);
  connect(m_loading, &ModelLoading::begun, this, &MainWindow::updateMode);
  connect(m_loading, &ModelLoading::progressed, m_status, &StatusStrip::showProgress);
  connect(m_loading, &ModelLoading::ended, m_status, &StatusStrip::hideProgress);
  connect(m_loading, &ModelLoading::opened, this, &MainWindow::onOpened);
  connect(m_loading, &ModelLoading::failed, m_messages, &MessageBar::showFailure);
  connect(m_status, &StatusStrip::cancelLoadRequested, m_loading, &ModelLoading::cancel);
}

void MainWindow::wireSession() {
  connect(&m_session, &Session::stateChanged, this, &MainWindow::updateMachine);
  connect(&m_session, &Session::cursorChanged, this, &MainWindow::updateMachine);
  connect(&m_session, &Session::appended, m_scenarioBar, &ScenarioBar::take);
  connect(&m_session, &Session::engineLoaded, m_status, &StatusStrip::showEngine);
  m_messages->follow(m_session);
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
  m_loading->openModel(std::move(order));
}

void MainWindow::leaveScenario() {
  if (!m_loading->leaveScenario()) openModel({});
}

void MainWindow::onOpened(bool chatRecognised) {
  const ModelLoading::Opening& opened = m_loading->current();
  if (const auto& scenario = opened.scenario) {
    m_scenarioBar->show(*scenario, m_session.recording());
    m_scenarioMenu->setInside(QString::fromStdString(scenario->name));
    if (m_perspectives->current() == Perspective::kChat) m_perspectives->show(Perspective::kStep);
    return;  // a visit, not a choice of model
  }
  m_scenarioBar->hide();
  m_scenarioMenu->setInside({});
  const bool builtin = opened.order.model == builtinModelDirectory();
  const QString directory = QString::fromStdString(opened.order.model.string());
  m_settings.setLastModel(builtin ? QString() : directory);
  if (!builtin) m_settings.addRecentModel(directory);
  if (!chatRecognised)
    m_messages->show(MessageBar::Kind::kNotice,
                     tr("This model's chat template is not one that Vitrine knows."),
                     tr("It is asked in a plain format, so its answers may be worse than they could be."));
}

// In the chat perspective a message is answered at once. In the others the user steps the machine.
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

void MainWindow::reset() { m_loading->reload(); }

void MainWindow::chooseOptions() {
  EngineOptionsDialog dialog(m_settings.engineOptions(), this);
  if (dialog.exec() != QDialog::Accepted) return;
  m_settings.setEngineOptions(dialog.options());
  m_loading->reloadWith(dialog.options());
}

// Shows an event that the scenario promised.
void MainWindow::visit(int step, int sequence, const QString& panel) {
  m_host.pause();
  m_session.goToStep(step);
  if (sequence != 0) m_session.selectSequence(sequence);
  showPanel(panel);
}

// In the chat perspective the machine runs at full speed and publishes no candidates: no panel shows them.
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

void MainWindow::updateMode() {
  updateMachine();
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
