#include "gui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QStandardPaths>
#include <utility>

#include "gui/bars/headline_bar.h"
#include "gui/bars/machine_buttons.h"
#include "gui/bars/phase_strip.h"
#include "gui/bars/status_strip.h"
#include "gui/bench/bench_opening.h"
#include "gui/chat/chat_importing.h"
#include "gui/chat/chat_trace.h"
#include "gui/chat/chats.h"
#include "gui/compare/compare_opening.h"
#include "gui/inspect/inspect_opening.h"
#include "gui/library/model_menu.h"
#include "gui/library/models_opening.h"
#include "gui/machine/device_finder.h"
#include "gui/machine/run_state.h"
#include "gui/parts/focus_ring.h"
#include "gui/parts/message_bar.h"
#include "gui/parts/outline_light.h"
#include "gui/parts/screen_fit.h"
#include "gui/questions/inside_looker.h"
#include "gui/questions/layer_comparison.h"
#include "gui/questions/roof_measurer.h"
#include "gui/runs/remote_steering.h"
#include "gui/runs/run_archive.h"
#include "gui/runs/run_to.h"
#include "gui/runs/run_to_menu.h"
#include "gui/scenario/scenario_line.h"
#include "gui/scenario/scenario_play.h"
#include "gui/settings/engine_options_dialog.h"
#include "gui/window/file_opening.h"
#include "vitrine/prose/words.h"
#include "widgets/chat/chat_view.h"
#include "widgets/layers/attention_model.h"
#include "widgets/layers/exits_model.h"
#include "widgets/layers/operations_model.h"
#include "widgets/support/formats.h"
#include "widgets/support/spoken_label.h"
#include "widgets/support/window_language.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/time_axis_model.h"

namespace vitrine {

namespace {

constexpr QSize kLeastSize(800, 520);
constexpr int kCandidatesShown = 16;  // of each sampling stage, outside the chat perspective

// The folder of the recording's unnamed file; empty if there is none, and the recording stays in memory.
std::filesystem::path recordingFolder() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
  return !folder.isEmpty() && QDir().mkpath(folder) ? folder.toStdString() : std::string();
}

// Moves the cursor on in the past, whose end is where the machine stands, unless a step has begun behind it.
// False: the machine must go on.
bool goesOnInThePast(Session& session, void (Session::*move)()) {
  if (session.isLive()) return false;
  const int last = session.recording().lastFinishedStep();
  const bool atEnd = session.finishedStep() >= last;
  if (!atEnd) (session.*move)();
  const bool more = session.recording().lastStep() > last;
  if (session.finishedStep() >= last && (atEnd || !more)) session.goLive();
  return !atEnd || more;
}

}  // namespace

MainWindow::MainWindow()
    : QMainWindow((speakLabelsWhole(), nullptr)),  // before there is a label
      m_appearance(Appearance::fromKey(m_settings.colourScheme()), m_settings.textPercent()),
      m_session(recordingFolder()),
      m_loading(new ModelLoading(m_host, this)),
      m_panels(new Panels(m_session, this)),
      m_perspectives(new Perspectives(*m_panels, m_settings, this)),
      m_bar(new MachineBar(this)),
      m_messages(new MessageBar(this)),
      m_status(new StatusStrip(this)),
      m_modelMenu(new ModelMenu(m_settings, this)),
      m_headlineBar(new HeadlineBar(m_session, this)),
      m_runTo(new RunTo(m_session, m_host, *m_panels->breakpoints, this)),
      m_runToMenu(new RunToMenu(*m_runTo, *m_panels->bookmarks, this)),
      m_archive(new RunArchive(m_session, *m_panels->bookmarks, m_host, *m_loading, this)),
      m_steering(new RemoteSteering(m_archive->remote(), this)),
      m_bench(new BenchOpening(this)),
      m_comparing(new CompareOpening(this)),
      m_roof(new RoofMeasurer(m_host, *m_panels->operationsModel, this)),
      m_deviceFinder(new DeviceFinder(this)),
      m_inspect(new InspectOpening(*m_roof, this)),
      m_models(new ModelsOpening(m_settings, *m_roof, *m_deviceFinder, *m_inspect, this)),
      m_scenario(new ScenarioPlay(m_headlineBar->scenario(), *m_loading, m_host, *m_runTo, this)),
      m_pointer(new OutlineLight(this)) {
  setWindowTitle(tr("Vitrine"));
  new InsideLooker(m_host, *m_panels->exitsModel, this);
  new InsideLooker(m_host, *m_panels->attentionModel, this);
  new LayerComparison(m_host, *m_panels->exitsModel, *m_panels->layers, this);
  m_sampling = new SamplingController(m_host, m_session, *m_panels->samplerModel, *m_panels->controls,
                                      m_settings, this);
  m_chats = new Chats({m_host, m_session, *m_panels->chat, *m_panels->chatModel, *m_panels->chatPage,
                       *m_sampling, [this] { return m_loading->current().order.options; }},
                      this);
  makeCentre();
  makeToolBar();
  makeMenus();
  makeClickerKeys();
  wireHost();
  wireLoading();
  wireSession();
  wireScenario();
  wireLessons();
  wireRunTo();
  wireArchive();
  wireChats();
  wireFiles();
  wireServing();
  if (!restoreGeometry(m_settings.geometry())) openOnScreen();
  // An explicit minimum overrides the layout's, so that opening a panel never enlarges the window.
  setMinimumSize(kLeastSize);
  new ScreenFit(this);
  new FocusRing(this);
  m_bar->setStepsPerSecond(m_settings.stepsPerSecond());
  m_host.setStepsPerSecond(m_bar->stepsPerSecond());
  m_runTo->player().setStepsPerSecond(m_bar->stepsPerSecond());
  updateMode();
}

// A view that has the focus loses it with the window, and tells the session; so the window goes out of sight
// first.
MainWindow::~MainWindow() { hide(); }

HeadlineView& MainWindow::headline() { return m_headlineBar->headline(); }
PhaseStrip& MainWindow::phases() { return m_headlineBar->phases(); }
ScenarioLine& MainWindow::scenario() { return m_headlineBar->scenario(); }

// A first start: most of the screen's free area, in its middle.
void MainWindow::openOnScreen() {
  constexpr double kShare = 0.9;
  const QRect free = screen()->availableGeometry();
  QRect mine(QPoint(), QSize(free.size()) * kShare);
  mine.moveCenter(free.center());
  setGeometry(mine);
}

LoadOrder MainWindow::orderOf(const QString& directory) const {
  LoadOrder order;
  order.options = m_settings.engineOptions();
  order.model =
      directory.isEmpty() ? builtinModelDirectory() : std::filesystem::path(directory.toStdString());
  if (directory.isEmpty()) order.staged = wantedRequests();
  return order;
}

void MainWindow::computeOn(Device device) {
  m_settings.computeOn(device);
  m_loading->setDevice(device);
}

void MainWindow::open(const QString& path) { m_files->open({path}); }
void MainWindow::openModel(const QString& directory) { m_loading->openModel(orderOf(directory)); }

std::vector<ChatOrder> MainWindow::wantedRequests() const {
  if (m_perspectives->current() == Perspective::kChat) return {};
  return m_chats->controller().stagedRequests();
}

bool MainWindow::isBuiltinOpen() const {
  const ModelLoading::Setup& open = m_loading->current();
  return !open.scenario && !open.order.model.empty() && open.order.model == builtinModelDirectory();
}

// The built-in model was opened for a conversation that has not begun: a Step would have nothing to do.
void MainWindow::stageRequests() {
  const MachineState& machine = m_session.recording().live();
  if (!isBuiltinOpen() || m_loading->isUnderWay() || machine.step > 0 || !machine.requests.empty()) return;
  if (m_perspectives->current() == Perspective::kChat || std::exchange(m_staged, true)) return;
  for (ChatOrder& order : wantedRequests()) m_host.submitChat(std::move(order));
}

bool MainWindow::isBare() const {
  const bool opening = m_loading->isUnderWay() || m_archive->isUnderWay();
  return !opening && m_host.mode() == MachineMode::kEmpty && m_session.recording().size() == 0;
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

// A model that vanished must not leave a window in which nothing works.
void MainWindow::onLoadingEnded() {
  stageRequests();  // the perspective may have changed while the model was loading
  if (m_fallBackReason.isEmpty()) requireMachine();
}

void MainWindow::onOpened(const QString& templateProblem) {
  const ModelLoading::Setup& opened = m_loading->current();
  const std::optional<Scenario>& scenario = opened.scenario;
  const QString place = QString::fromStdString(opened.order.model.string());
  const QString model = m_session.engine() ? windowText(m_session.engine()->model.name) : QString();
  m_archive->beginRun(scenario ? QString::fromStdString(scenario->title) : model, opened);
  const RunName& run = m_archive->runs().name();
  const bool isBranch = run.branchStep >= 0;
  showOpen(model, scenario, isBranch || scenario ? run.status() : QString());
  if (isBranch) return void(m_staged = true);  // its requests come from the recording
  if (scenario) return onScenario(*scenario);  // a visit, not a choice of model
  if (!std::exchange(m_scenarioInFront, {}).empty()) m_perspectives->openFor({});
  keepDevice();
  const bool builtin = opened.order.model == builtinModelDirectory();
  m_settings.lastModel.set(builtin ? QString() : place);
  if (!builtin) m_settings.addRecentModel(place, model);
  tellOfModel(templateProblem);
}

// Another one has its own panels in front; the same again, after a reset, has those of the person.
void MainWindow::onScenario(const Scenario& scenario) {
  showMachinery();
  if (std::exchange(m_scenarioInFront, scenario.name) == scenario.name) return;
  QStringList panels;
  for (const ExpectedEvent& expected : scenario.expected) panels << QString::fromStdString(expected.panel);
  m_perspectives->openFor(panels);
}

// No machine computes it, so there is nothing to choose of one.
void MainWindow::onRecordedShown() {
  m_messages->end(MessageCause::kOpening);
  const RunName& run = m_archive->runs().name();
  showOpen(isAttached() ? tr("Server") : tr("Recording"), std::nullopt,
           run.branchStep >= 0 ? run.status() : run.title());
  showMachinery();
}

void MainWindow::onFollowed(const RerunReport& report) {
  if (report.comparedSteps == 0 && report.differsAt <= 0) return;  // nothing to tell yet
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

// The bars say what is open. The title is the run's, for the status line; a model's own run has none, and the
// toolbar names it by the model alone.
void MainWindow::showOpen(const QString& model, const std::optional<Scenario>& scenario,
                          const QString& title) {
  m_modelButton->setChoice(model);
  m_scenarioButton->setChoice(title.isEmpty() ? tr("Scenario") : m_archive->runs().name().text());
  m_scenario->show(scenario);
  m_status->showScenario(title);
}

// It is another program's run, and has no options of this window's.
void MainWindow::onConnected() {
  m_messages->end(MessageCause::kOpening);
  m_staged = true;
  const ConnectOrder& order = m_host.connected()->order();
  showOpen(tr("%1 at %2").arg(windowText(order.model), order.server.place()), std::nullopt, {});
  m_settings.connectedServer.set(order.server.text());
}

void MainWindow::attach(const watch::ServerPlace& place) { m_archive->attach(place); }

void MainWindow::showMachinery() {
  if (m_perspectives->current() == Perspective::kChat) m_perspectives->show(Perspective::kStep);
}

// The least important first: of notices the newest one is shown.
void MainWindow::tellOfModel(const QString& templateProblem) {
  const auto note = [this](MessageCause cause, const QString& message, const QString& hint) {
    m_messages->say(cause, Notice::note(message, hint));
  };
  QStringList unused;
  bool tieIgnored = false;
  if (m_session.engine())
    for (const IgnoredTensors& tensors : m_session.engine()->ignoredTensors) {
      unused << QString::fromStdString(prose::ignoredTensors(tensors, windowLanguage()));
      tieIgnored = tieIgnored || tensors.tieIgnored;
    }
  if (!unused.isEmpty())
    note(MessageCause::kUnused, unused.join(u' '),
         tieIgnored ? tr("Transformers does the same from version 5 on; version 4 gives other answers.")
                    : tr("Its answers do not depend on them."));
  if (!templateProblem.isEmpty())
    note(MessageCause::kTemplate,
         tr("This model's chat template cannot be followed: %1.").arg(templateProblem),
         tr("It is asked in a plain form, so its answers may be worse than they could be."));
  if (const QString reason = std::exchange(m_fallBackReason, {}); !reason.isEmpty())
    note(MessageCause::kBuiltinInstead, reason, tr("The built-in model is open in its place."));
}

// In the chat perspective a message is answered at once. In the others the user steps the machine.
void MainWindow::onSent() {
  if (m_perspectives->current() == Perspective::kChat) m_host.run();
}

void MainWindow::step() {
  if (goesOnInThePast(m_session, &Session::goForward)) return;
  if (!availableVerbs({mode(), true, false, true}).step) return;
  isAttached() ? m_steering->step() : m_host.step();
}

void MainWindow::stepPhase() {
  if (!goesOnInThePast(m_session, &Session::goToNextPhase)) m_host.stepPhase();
}

void MainWindow::back() {
  m_host.pause();
  m_session.goBack();
}

void MainWindow::run() {
  if (mode() == MachineMode::kEmpty && !m_session.isLive()) return m_runTo->play();
  m_session.goLive();
  isAttached() ? m_steering->run() : m_host.run();
}

// A look at the past stops no other program's machine.
void MainWindow::pause() {
  const bool played = m_runTo->player().isPlaying();
  m_runTo->player().stop();
  if (!isAttached()) return m_host.pause();
  if (!played) m_steering->pause();
}

bool MainWindow::isAttached() const { return m_archive->remote().isOpen(); }

// Nothing of an engine that is seen from outside is steered.
MachineMode MainWindow::mode() const {
  if (m_host.isConnected()) return MachineMode::kEmpty;
  return isAttached() ? m_steering->mode() : m_host.mode();
}

void MainWindow::cancelWork() {
  m_loading->cancel();
  m_archive->cancel();
  m_chats->trace().cancel();
  m_chats->importing().cancel();
  requireMachine();
}

void MainWindow::leaveScenario() {
  if (!m_loading->leaveScenario()) openModel({});
}

void MainWindow::reset() { m_loading->reload(wantedRequests()); }

// A scenario has options of its own, which are no settings.
void MainWindow::chooseOptions() {
  const ModelLoading::Setup open = m_loading->current();
  EngineOptionsDialog dialog(open.scenario ? open.order.options : m_settings.engineOptions(), this);
  if (open.scenario)
    dialog.setScenario(QString::fromStdString(open.scenario->title), open.scenario->engine.toOptions());
  else
    dialog.setFittedPool(m_settings.kvShare());
  connect(m_deviceFinder, &DeviceFinder::known, &dialog, &EngineOptionsDialog::setDevices);
  m_deviceFinder->want();
  if (dialog.exec() != QDialog::Accepted) return;
  if (!open.scenario) keepOptions(dialog.options());
  loadWith(dialog.options());
}

void MainWindow::loadWith(const EngineOptions& options) {
  if (!m_loading->current().order.model.empty()) return m_loading->reloadWith(options);
  LoadOrder order = orderOf({});  // only a trace was opened
  order.options = options;
  m_loading->openModel(std::move(order));
}

// It is kept once a machine computes there: a GPU that is too small changes nothing.
void MainWindow::chooseDevice(Device device) {
  const ModelLoading::Setup& open = m_loading->current();
  EngineOptions options = open.scenario ? open.order.options : m_settings.engineOptions();
  options.device = device;
  if (!open.scenario) m_deviceWanted = device;
  loadWith(options);
}

void MainWindow::keepDevice() {
  const std::optional<Device> wanted = std::exchange(m_deviceWanted, std::nullopt);
  EngineOptions options = m_settings.engineOptions();
  if (wanted != m_loading->current().order.options.device || options.device == wanted) return;
  options.device = *wanted;
  keepOptions(options);
}

void MainWindow::keepOptions(const EngineOptions& options) {
  m_settings.setEngineOptions(options);
  m_loading->setDevice(m_settings.deviceInPlace());
}

// Of the model that the machine computes with, or did last.
void MainWindow::lookInside() {
  m_inspect->open(QString::fromStdString(m_loading->current().order.model.string()));
}

// In the chat perspective the machine runs at full speed and publishes no detail: no panel shows it. In the
// others the sampler's panel wants the candidates and entropies of every token, also of those that are drawn
// while it is hidden, since it shows the past. The engine's worker adds what breakpoints want.
void MainWindow::onPerspective(Perspective perspective) {
  const bool chatting = perspective == Perspective::kChat;
  m_bar->setMachineryVisible(!chatting);
  m_chats->setAlone(chatting);
  m_bar->setStepsPerSecond(chatting ? 0 : m_settings.stepsPerSecond());
  Detail detail;
  detail.candidates = chatting ? 0 : kCandidatesShown;
  detail.entropy = detail.operations = !chatting;
  m_host.setDetail(detail);
  if (chatting)
    m_panels->chat->focusInput();
  else
    stageRequests();
}

void MainWindow::updateMachine() {
  const MachineState& machine = m_session.recording().live();
  MachineView view;
  view.mode = mode();
  view.isOutside = m_host.isConnected();
  view.isRemote = isAttached() || view.isOutside;
  view.live = m_session.isLive();
  view.canGoBack = m_session.canGoBack();
  view.hasWork = !machine.waiting.empty() || !machine.running.empty();
  view.plays = m_runTo->player().isPlaying();
  m_bar->show(view);
  m_runToMenu->menuAction()->setEnabled(!view.isRemote);
  const RunState run = view.isOutside
                           ? connectedState(m_host.connected()->order().server.place(), m_session)
                           : runState(view.mode, m_host.nextPhase(), m_session, m_archive->remote().server());
  const bool paused = view.mode == MachineMode::kPaused || view.mode == MachineMode::kHeld;
  m_bar->showRun(run.brief,
                 (!view.live && !view.plays) || (paused && view.hasWork) || view.mode == MachineMode::kHeld);
  m_status->showMachine(run.line, m_session);
  m_headlineBar->phases().show(
      phaseProgress(phaseAhead(view.mode, m_host.nextPhase(), m_session), m_session.stepEvents()));
  m_headlineBar->scenario().follow();
}

void MainWindow::updateMode() {
  updateMachine();
  const MachineMode mode = m_host.mode();
  m_sendRequest->setEnabled(m_steering->isPossible());
  if (mode == MachineMode::kEmpty && isAttached())
    return m_panels->chat->setReady(
        false,
        (m_steering->isPossible()
             ? tr("The engine of %1 is shown here. Machine → Send a request… asks it; to chat, open a model.")
             : tr("The engine of %1 is watched here. Open a model to chat with."))
            .arg(m_archive->remote().server()));
  if (mode == MachineMode::kEmpty)
    return m_panels->chat->setReady(false, m_archive->canResume()
                                               ? tr("This is a recording. Resume it to chat with its model.")
                                               : tr("Open a model to chat with."));
  if (mode == MachineMode::kLoading) return m_panels->chat->setReady(false, tr("The model is loading…"));
  m_panels->chat->setReady(true);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  m_archive->cancel();  // a dialog that resuming asks with would come after the window
  m_chats->keep();
  m_perspectives->remember();
  m_settings.geometry.set(saveGeometry());
  QMainWindow::closeEvent(event);
}

}  // namespace vitrine

#include "moc_main_window.cpp"
