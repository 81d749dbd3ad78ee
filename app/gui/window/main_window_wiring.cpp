// The rest of MainWindow: how its parts are put together and wired. main_window.cpp has what its commands do.
#include <QCoreApplication>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QShortcut>

#include "gui/bars/device_menu.h"
#include "gui/bars/headline_bar.h"
#include "gui/bars/phase_strip.h"
#include "gui/bars/status_strip.h"
#include "gui/bench/bench_opening.h"
#include "gui/chat/chat_importing.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chat_trace.h"
#include "gui/chat/chats.h"
#include "gui/commands/shortcuts_dialog.h"
#include "gui/compare/compare_opening.h"
#include "gui/help/about_dialog.h"
#include "gui/help/diagnostics.h"
#include "gui/help/help_menu.h"
#include "gui/help/welcome_opening.h"
#include "gui/lessons/lesson_guide.h"
#include "gui/lessons/lesson_menu.h"
#include "gui/lessons/lesson_view.h"
#include "gui/library/connect_dialog.h"
#include "gui/library/draft_choice.h"
#include "gui/library/model_menu.h"
#include "gui/library/models_opening.h"
#include "gui/library/models_places.h"
#include "gui/load/load_opening.h"
#include "gui/panels/card_walk.h"
#include "gui/panels/full_screen.h"
#include "gui/panels/stage.h"
#include "gui/panels/view_menu.h"
#include "gui/parts/message_bar.h"
#include "gui/parts/outline_light.h"
#include "gui/parts/screen_fit.h"
#include "gui/questions/branch_controller.h"
#include "gui/questions/next_words.h"
#include "gui/runs/attach_dialog.h"
#include "gui/runs/remote_steering.h"
#include "gui/runs/request_dialog.h"
#include "gui/runs/run_archive.h"
#include "gui/runs/run_menu.h"
#include "gui/runs/run_to.h"
#include "gui/runs/run_to_menu.h"
#include "gui/scenario/scenario_menu.h"
#include "gui/scenario/scenario_play.h"
#include "gui/serving/serve_dialog.h"
#include "gui/window/file_opening.h"
#include "gui/window/main_window.h"
#include "gui/window/palette_opening.h"
#include "gui/window/settings_opening.h"
#include "widgets/chat/chat_view.h"
#include "widgets/explain/headline_view.h"
#include "widgets/explain/why_view.h"
#include "widgets/sampler/sampler_panel.h"
#include "widgets/sampler/sampler_view.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/locale_name.h"
#include "widgets/time/breakpoint_list.h"
#include "widgets/time/time_axis_model.h"
#include "widgets/time/time_axis_view.h"

namespace vitrine {

namespace {

// Asks before the machine is taken away from chats that are being answered. The answers end with it, and
// what they have so far stays.
class ModelChange : public QObject {
  Q_DECLARE_TR_FUNCTIONS(vitrine::ModelChange)

 public:
  ModelChange(Desk& desk, const AnswerWriter& answers, QWidget* window);

  // `decided` is called with true at once while no chat is answered, else with what the person chooses. While
  // the question stands, another change is refused.
  void ask(const QString& change, const std::function<void(bool goOn)>& decided);

 private:
  QString lost() const;

  Desk& m_desk;
  const AnswerWriter& m_answers;
  QWidget* const m_window;
  bool m_asking = false;
};

ModelChange::ModelChange(Desk& desk, const AnswerWriter& answers, QWidget* window)
    : QObject(window), m_desk(desk), m_answers(answers), m_window(window) {}

// Not a loop of its own: the answer goes on while the question stands.
void ModelChange::ask(const QString& change, const std::function<void(bool goOn)>& decided) {
  if (m_asking || m_answers.answering().empty()) return decided(!m_asking);
  auto* box = new QMessageBox(QMessageBox::Question, tr("An answer is being written"), lost(),
                              QMessageBox::NoButton, m_window);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);  // with a chat's title, which is any text
  box->setInformativeText(
      tr("It ends here. The text so far stays in its chat, and messages that wait are held."));
  QPushButton* const go = box->addButton(change, QMessageBox::AcceptRole);
  QPushButton* const stay = box->addButton(tr("Keep answering"), QMessageBox::RejectRole);
  box->setDefaultButton(stay);
  box->setEscapeButton(stay);
  connect(box, &QDialog::finished, this, [this, box, go, decided] {
    m_asking = false;
    decided(box->clickedButton() == go);
  });
  m_asking = true;
  box->setWindowModality(Qt::ApplicationModal);
  box->show();
}

QString ModelChange::lost() const {
  const std::vector<AnswerWriter::Answering> answers = m_answers.answering();
  if (answers.size() > 1)
    return tr("%n answer(s) are being written.", nullptr, static_cast<int>(answers.size()));
  const auto chat = m_desk.history().summary(answers.front().chat);
  return chat && !chat->title.isEmpty()
             ? tr("An answer is being written in “%1”.").arg(chat->title.simplified())
             : tr("An answer is being written.");
}

}  // namespace

void MainWindow::makeCentre() {
  auto* centre = new QWidget(this);
  auto* column = withoutMargins(new QVBoxLayout(centre));
  column->setSpacing(0);
  addParts(column, {m_messages, {m_perspectives->stage(), 1}});
  setCentralWidget(centre);
  setStatusBar(m_status);
}

void MainWindow::makeToolBar() {
  m_modelButton = m_bar->addMenu(tr("Model"), tr("Choose the model that runs"), m_modelMenu);
  m_scenarioButton =
      m_bar->addMenu(tr("Scenario"), tr("Choose an experiment to step through"), m_scenario->menu());
  m_bar->addRunTo(m_runToMenu);
  addToolBar(Qt::TopToolBarArea, m_bar);
  addToolBarBreak(Qt::TopToolBarArea);
  addToolBar(Qt::TopToolBarArea, m_headlineBar);
  m_perspectives->addMachineryBar(m_headlineBar);
  connect(m_bar->reset, &QAction::triggered, this, &MainWindow::reset);
  connect(m_bar->back, &QAction::triggered, this, &MainWindow::back);
  connect(m_bar->step, &QAction::triggered, this, &MainWindow::step);
  connect(m_bar->phase, &QAction::triggered, this, &MainWindow::stepPhase);
  connect(m_bar, &MachineBar::runRequested, this, &MainWindow::run);
  connect(m_bar, &MachineBar::pauseRequested, this, &MainWindow::pause);
  connect(m_bar, &MachineBar::speedChanged, this, [this](double rate) {
    m_host.setStepsPerSecond(rate);
    m_runTo->player().setStepsPerSecond(rate);
    if (m_perspectives->current() != Perspective::kChat) m_settings.setStepsPerSecond(rate);
  });
}

void MainWindow::makeMenus() {
  menuBar()->addMenu(m_modelMenu);
  connect(m_modelMenu, &ModelMenu::modelChosen, this, &MainWindow::openModel);
  connect(m_modelMenu, &ModelMenu::serverRequested, this, &MainWindow::chooseConnection);
  connect(m_modelMenu, &ModelMenu::insideRequested, this, &MainWindow::lookInside);
  connect(m_modelMenu, &ModelMenu::modelsRequested, m_models, &ModelsOpening::open);
  connect(m_models, &ModelsOpening::modelChosen, this, &MainWindow::openModel);
  connect(m_models, &ModelsOpening::shareChosen, m_loading, &ModelLoading::setKvShare);
  m_loading->setKvShare(m_settings.kvShare());
  auto* draft = new DraftChoice(m_host, *m_loading, m_session, *m_models, m_settings, this);
  connect(draft, &DraftChoice::noticed, m_messages, m_messages->saying(MessageCause::kDraft));
  connect(draft, &DraftChoice::outdated, m_messages, m_messages->ending(MessageCause::kDraft));
  connect(m_models, &ModelsOpening::noticed, m_messages, m_messages->saying(MessageCause::kModels));
  connect(m_modelMenu, &ModelMenu::quitRequested, this, &QWidget::close);
  menuBar()->addMenu(&m_chats->menu());
  menuBar()->addMenu(m_scenario->menu());
  fillMachineMenu(*menuBar()->addMenu(tr("M&achine")));
  auto* runs = new RunMenu(*m_archive, m_session, this);
  menuBar()->addMenu(runs);
  connect(runs, &RunMenu::benchRequested, m_bench, &BenchOpening::choose);
  for (QAction* action : {runs->resume, runs->resumeWith}) m_panels->timeline->addAction(action);
  makeWelcome();
  makeViewMenu();
  makeHelpMenu();
}

// A choice of the first page opens the built-in model where nothing else is open.
void MainWindow::makeWelcome() {
  const auto openSome = [this] {
    if (m_loading->current().order.model.empty() && !m_loading->isUnderWay()) openModel({});
  };
  const WelcomeWays ways{[this] {
                           showPerspective(Perspective::kStep);
                           openModel({});  // with the staged requests
                         },
                         [this, openSome] {
                           showPerspective(Perspective::kChat);
                           openSome();
                         },
                         [this, openSome] {
                           openSome();
                           m_models->open();
                         },
                         openSome,
                         [this] {
                           return std::vector<WelcomeKey>{
                               {m_perspectives->action(Perspective::kChat), WelcomeChoice::kChat},
                               {m_perspectives->action(Perspective::kStep), WelcomeChoice::kLookInside},
                               {m_perspectives->action(Perspective::kPresent)},
                               {m_modelMenu->models(), WelcomeChoice::kOwnModel}};
                         }};
  m_welcome = new WelcomeOpening(m_settings, ways, this);
}

void MainWindow::makeViewMenu() {
  m_walk = new CardWalk(*m_perspectives->stage(), *this);
  for (QWidget* bar : {static_cast<QWidget*>(m_headlineBar), static_cast<QWidget*>(m_messages),
                       m_panels->timeline->parentWidget()})
    m_walk->add(*bar);
  auto* fullScreen = new FullScreen(*m_perspectives, m_settings, this);
  m_bar->addLeave(fullScreen->leave);
  auto* view = new ViewMenu(*m_perspectives, m_appearance, *m_walk, *fullScreen, m_settings, this);
  menuBar()->addMenu(view);
  connect(&m_appearance, &Appearance::fontChanged, m_perspectives, &Perspectives::applyFont);
  m_settingsOpening = new SettingsOpening(
      {m_settings, m_appearance, *m_perspectives, *m_chats, *m_sampling, *m_models, *m_thinking,
       [this] { chooseOptions(); }, [this] { m_welcome->open(); }, [this] { emit languageChosen(); }},
      this);
  connect(view, &ViewMenu::languageChosen, this, &MainWindow::languageChosen);
  connect(view, &ViewMenu::settingsRequested, m_settingsOpening, &SettingsOpening::open);
}

void MainWindow::makeHelpMenu() {
  auto* help = new HelpMenu(this);
  menuBar()->addMenu(help);
  connect(help, &HelpMenu::scenarioRequested, this, &MainWindow::openScenario);
  auto* palette = new PaletteOpening(*m_chats, this);
  palette->add([this] { return m_settingsOpening->entries(); });
  connect(help, &HelpMenu::commandsRequested, palette, &PaletteOpening::open);
  connect(help, &HelpMenu::welcomeRequested, m_welcome, &WelcomeOpening::open);
  connect(help, &HelpMenu::shortcutsRequested, this, [this] { ShortcutsDialog::open(*this); });
  const auto facts = [this] {
    EngineOptions options = m_loading->current().order.options;
    if (m_loading->current().poolIsFitted) options.numBlocks = 0;  // no person has chosen them
    return DiagnosticsFacts{m_session.engine(), options, Appearance::keyOf(m_appearance.scheme()),
                            m_appearance.textPercent(), m_messages->codes()};
  };
  connect(help, &HelpMenu::aboutRequested, this, [this, facts] {
    auto* dialog = new AboutDialog(diagnosticsText(facts()), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
  });
}

// A presenter's clicker sends PageUp and PageDown. They act wherever the focus is, also in a text field,
// where a page means little; where the machinery is hidden they are the view's own. A lesson that is in sight
// is what they turn.
void MainWindow::makeClickerKeys() {
  const auto press = [this](void (MainWindow::*machine)(), void (LessonModel::*lesson)()) {
    if (m_panels->lessonModel->isOpen() && m_panels->lesson->isVisible())
      (m_panels->lessonModel->*lesson)();
    else
      (this->*machine)();
  };
  auto* up =
      new QShortcut(Qt::Key_PageUp, this, this, [press] { press(&MainWindow::back, &LessonModel::goBack); });
  auto* down =
      new QShortcut(Qt::Key_PageDown, this, this, [press] { press(&MainWindow::step, &LessonModel::goOn); });
  connect(m_perspectives, &Perspectives::changed, this, [up, down](Perspective now) {
    for (QShortcut* key : {up, down}) key->setEnabled(now != Perspective::kChat);
  });
}

bool MainWindow::focusNextPrevChild(bool next) {
  QWidget* const part = m_walk ? m_walk->partAfter(next) : nullptr;
  if (part == nullptr) return QMainWindow::focusNextPrevChild(next);
  part->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  return true;
}

QMenu* MainWindow::createPopupMenu() {
  auto* menu = new QMenu(this);
  m_perspectives->addDockActions(menu);
  return menu;
}

void MainWindow::fillMachineMenu(QMenu& menu) {
  menu.setToolTipsVisible(true);
  menu.addActions({m_bar->step, m_bar->phase, m_bar->back, m_bar->runPause, m_bar->reset});
  menu.addMenu(m_runToMenu);
  menu.addAction(m_scenario->nextAction());
  menu.addSeparator();
  auto* devices = new DeviceMenu(
      *m_deviceFinder, [this] { return m_loading->current().order.options.device; }, this);
  menu.addMenu(devices);
  connect(devices, &DeviceMenu::deviceChosen, this, &MainWindow::chooseDevice);
  menu.addAction(tr("Machine &options…"), this, &MainWindow::chooseOptions);
  menu.addAction(tr("Ser&ve…"), this, &MainWindow::serve)
      ->setToolTip(tr("Programs on this computer or its network use the open model over OpenAI's API"));
  menu.addAction(tr("&Attach to a server…"), this, &MainWindow::chooseServer)
      ->setToolTip(tr("Shows the engine of another window or of vitrine-cli serve, as it goes"));
  auto* const loads = new LoadOpening(m_settings, this);
  const auto showLoads = [this, loads] {
    const ConnectedEngine* const engine = m_host.connected();
    loads->open(engine ? std::optional(engine->order().server) : std::nullopt);
  };
  menu.addAction(tr("&Load of servers…"), this, showLoads)
      ->setToolTip(tr("Requests, KV cache and prefix hits of several servers side by side, as they go"));
  m_sendRequest = menu.addAction(tr("Send a re&quest to the server…"), this, &MainWindow::sendRequest);
  m_sendRequest->setToolTip(
      tr("A chat of one message for the engine that is attached, where its token lets you steer it"));
  m_thinking = menu.addAction(tr("Let the model &think first"));
  m_thinking->setCheckable(true);
  m_thinking->setToolTip(tr("For models whose chat format supports thinking, such as Qwen3"));
  connect(m_thinking, &QAction::toggled, &m_chats->controller(), &ChatController::setThinking);
}

void MainWindow::wireHost() {
  m_host.deliverTo([this](std::vector<Event> events) { m_archive->take(std::move(events)); });
  connect(&m_host, &EngineHost::modeChanged, this, &MainWindow::updateMode);
  connect(&m_host, &EngineHost::noticed, this, [this](const Notice& notice) {
    m_messages->say(m_loading->isExpected() ? MessageCause::kOpening : MessageCause::kMachine, notice);
  });
  connect(&m_host, &EngineHost::chatTrimmed, this, [this](int messages) {
    m_messages->say(
        MessageCause::kChat,
        Notice::note(
            tr("The conversation is longer than the model's context: the %n oldest message(s) were left out.",
               nullptr, messages),
            tr("Start a new chat to begin with an empty context.")));
  });
}

void MainWindow::wireLoading() {
  auto* change = new ModelChange(m_chats->desk(), m_chats->controller().answers(), this);
  m_loading->setMayChange([change](const QString& what, const std::function<void(bool goOn)>& decided) {
    change->ask(what, decided);
  });
  connect(m_loading, &ModelLoading::begun, m_messages, m_messages->ending(MessageCause::kOpening));
  connect(m_loading, &ModelLoading::begun, this, [this] {
    m_staged = false;
    updateMode();
  });
  connect(m_loading, &ModelLoading::progressed, m_status, &StatusStrip::showProgress);
  connect(m_loading, &ModelLoading::ended, m_status, &StatusStrip::hideProgress);
  connect(m_loading, &ModelLoading::opened, this, &MainWindow::onOpened);
  connect(m_loading, &ModelLoading::ended, this, &MainWindow::onLoadingEnded);
  connect(m_loading, &ModelLoading::noticed, m_messages, m_messages->saying(MessageCause::kOpening));
  connect(m_status, &StatusStrip::cancelLoadRequested, this, &MainWindow::cancelWork);
}

void MainWindow::wireSession() {
  connect(&m_session, &Session::stateChanged, this, &MainWindow::updateMachine);
  connect(&m_session, &Session::cursorChanged, this, &MainWindow::updateMachine);
  connect(&m_session, &Session::engineLoaded, m_status, &StatusStrip::showEngine);
  m_messages->follow(m_session);
  auto* branches = new BranchController(m_host, m_session, this);
  connect(m_panels->sampler, &SamplerView::branchRequested, branches,
          [this, branches](int sequence, int position, int token, const QString& text) {
            branches->branch(sequence, position, token, text, m_sampling->trial());
          });
  connect(branches, &BranchController::undoableChanged, m_panels->samplerPanel, &SamplerPanel::setUndoable);
  connect(m_panels->samplerPanel, &SamplerPanel::undoRequested, branches, &BranchController::undo);
  auto* words = new NextWords(m_host, m_session, *m_panels->samplerModel, *m_sampling, this);
  connect(m_panels->sampler, &SamplerView::candidateSelected, words, &NextWords::look);
  connect(words, &NextWords::changed, m_panels->samplerPanel, &SamplerPanel::setNextWords);
  connect(branches, &BranchController::noticed, m_messages, m_messages->saying(MessageCause::kBranch));
  connect(branches, &BranchController::branched, m_messages, m_messages->ending(MessageCause::kBranch));
  connect(branches, &BranchController::branched, this,
          [this](const QString& sentence) { m_status->showReason(sentence, m_session.step()); });
  connect(m_panels, &Panels::cancelRequested, &m_host, &EngineHost::cancel);
  connect(m_panels, &Panels::forwardRequested, this, &MainWindow::step);
  connect(m_perspectives, &Perspectives::changed, this, &MainWindow::onPerspective);
}

void MainWindow::wireScenario() {
  connect(m_scenario->menu(), &ScenarioMenu::leaveRequested, this, &MainWindow::leaveScenario);
  connect(m_scenario->menu(), &ScenarioMenu::compareRequested, this, &MainWindow::compare);
  connect(&m_headlineBar->headline(), &HeadlineView::followed, m_panels->why, &WhyView::follow);
  connect(m_scenario, &ScenarioPlay::arrived, this, [this](const QString& panel, const BreakHit& hit) {
    showPanel(panel);
    m_panels->why->showStop(hit);
  });
}

// Two machines more are enough to follow. A run without a request has nothing to compare: a scenario stands
// in its place, and the window that opens has the others.
void MainWindow::compare() {
  pause();
  Scenario scenario = m_scenario->present();
  if (scenario.requests.empty())
    scenario = readScenario("preemption-recompute", InputKind::kFile, localeName());
  m_comparing->open(std::move(scenario));
}

// Behind wireLoading(): a scenario's own panels come to the front before the lesson does.
void MainWindow::wireLessons() {
  const QString kLesson = QStringLiteral("lesson");
  m_lessons = new LessonGuide(*m_panels->lesson, *m_loading, *m_runTo, m_settings, this);
  const auto menus = menuBar()->actions();
  const auto scenario = menus.indexOf(m_scenario->menu()->menuAction());
  menuBar()->insertMenu(menus.value(scenario + 1), m_lessons->menu());
  connect(m_lessons, &LessonGuide::opened, this, [this, kLesson] {
    showMachinery();
    showPanel(kLesson);
  });
  connect(m_lessons, &LessonGuide::closed, this, [this, kLesson] { m_perspectives->putAway(kLesson); });
  connect(m_lessons, &LessonGuide::showRequested, this, &MainWindow::pointAt);
  connect(m_lessons, &LessonGuide::compareRequested, this,
          [this](const Scenario& one, const Scenario& other) {
            pause();
            m_comparing->open(one, other);
          });
  connect(m_lessons, &LessonGuide::turned, m_pointer, &OutlineLight::fade);
  connect(m_lessons, &LessonGuide::noticed, m_messages, m_messages->saying(MessageCause::kOpening));
  connect(m_lessons, &LessonGuide::readable, m_messages, m_messages->ending(MessageCause::kOpening));
}

// A bar that is no panel is in sight already.
void MainWindow::pointAt(const QString& panel) {
  const std::map<QString, QWidget*> bars = {{QStringLiteral("timeline"), m_panels->timeline},
                                            {QStringLiteral("headline"), &headline()},
                                            {QStringLiteral("phases"), &phases()}};
  const auto bar = bars.find(panel);
  if (bar == bars.end()) showPanel(panel);
  QWidget* const part = bar == bars.end() ? m_perspectives->cardOf(panel) : bar->second;
  if (part != nullptr) m_pointer->shine(part);
}

void MainWindow::wireFiles() {
  m_files = new FileOpening({*m_loading, *m_archive, *m_bench, *m_chats, *m_panels->chat}, this);
  connect(m_files, &FileOpening::taking, this, &MainWindow::endFileMessages);
  connect(m_files, &FileOpening::modelChosen, this, &MainWindow::openModel);
  connect(m_files, &FileOpening::lessonChosen, m_lessons, &LessonGuide::open);
  connect(m_files, &FileOpening::machineWanted, this, [this] {
    if (isBare()) openModel(m_settings.modelAtStart());
  });
  connect(m_files, &FileOpening::ended, this, &MainWindow::requireMachine);
}

// A scenario and a run that goes on are stepped by a person; another model goes on as the one before.
void MainWindow::wireServing() {
  connect(m_loading, &ModelLoading::ended, this, [this] {
    const bool isStepped = m_loading->current().scenario || m_archive->runs().name().branchStep >= 0;
    m_serving.onLoaded(!isStepped);
  });
  connect(&m_serving, &Serving::changed, this, [this] {
    const bool isOn = m_serving.state() == Serving::State::kOn;
    QString words = isOn ? tr("serving on %1").arg(m_serving.place()) : QString();
    if (isOn && m_serving.isHeld() && m_serving.underWay() > 0)
      words = tr("serving on %1: %n request(s) wait", nullptr, m_serving.underWay()).arg(m_serving.place());
    m_status->showServer(words, tr("Machine → Serve has the clients and the switch."));
  });
}

void MainWindow::serve() {
  auto* dialog = findChild<ServeDialog*>();
  if (dialog == nullptr) {
    dialog = new ServeDialog(m_serving, m_settings, this);
    connect(dialog, &ServeDialog::runRequested, this, &MainWindow::run);
    connect(dialog, &ServeDialog::pauseRequested, this, &MainWindow::pause);
  }
  showInFront(*dialog);
}

void MainWindow::chooseServer() {
  AttachDialog dialog(m_settings.attachedServer(), this);
  if (dialog.exec() != QDialog::Accepted) return;
  const auto place = dialog.place();
  if (!place) return;
  attach(*place);
  m_settings.attachedServer.set(QString::fromStdString(serverText(*place)));
}

void MainWindow::chooseConnection() {
  ConnectDialog dialog(m_settings.connectedServer(), this);
  if (dialog.exec() != QDialog::Accepted) return;
  if (const auto order = dialog.order()) m_archive->connectTo(*order);
}

void MainWindow::sendRequest() {
  RequestDialog dialog(m_archive->remote().server(), this);
  if (dialog.exec() != QDialog::Accepted) return;
  m_messages->end(MessageCause::kMachine);
  m_steering->submit(dialog.message(), dialog.maxTokens());
}

// The next file is taken, into the chat or to be opened.
void MainWindow::endFileMessages() {
  for (const MessageCause cause : {MessageCause::kAttached, MessageCause::kOpening}) m_messages->end(cause);
}

void MainWindow::wireRunTo() {
  BreakpointList* const list = m_panels->breakpoints;
  list->restore(m_settings.breakpoints());
  connect(list, &BreakpointList::changed, this,
          [this, list] { m_settings.breakpoints.set(list->toTexts()); });
  connect(m_runToMenu, &RunToMenu::stopsInsideChosen, &m_host, &EngineHost::setStopsInside);
  connect(&m_runTo->player(), &RecordingPlayer::playingChanged, this, &MainWindow::updateMachine);
  connect(m_runTo, &RunTo::stopped, m_status, &StatusStrip::showReason);
  connect(m_runTo, &RunTo::stopped, m_panels->timelineModel, &TimeAxisModel::addStop);
  connect(m_runTo, &RunTo::met, m_panels->why, &WhyView::showStop);
}

// Beside the model that is open those that were, and what lies beside them or in a folder for models.
KnownModels MainWindow::knownModels() const {
  KnownModels known;
  const std::filesystem::path& open = m_loading->current().order.model;
  if (!open.empty()) known.models.push_back(open);
  for (const QString& model : m_settings.recentModels()) known.models.emplace_back(model.toStdString());
  for (const std::filesystem::path& model : known.models) known.folders.push_back(model.parent_path());
  const ModelsPlaces places = modelsPlaces(QProcessEnvironment::systemEnvironment(), m_settings);
  for (const ModelRoot& root : places.roots(m_settings.modelFolders()).folders)
    known.folders.emplace_back(root.folder.toStdString());
  return known;
}

void MainWindow::wireArchive() {
  m_archive->setKnownModels([this] { return knownModels(); });
  connect(m_archive, &RunArchive::progressed, m_status, &StatusStrip::showProgress);
  connect(m_archive, &RunArchive::ended, m_status, &StatusStrip::hideProgress);
  connect(m_archive, &RunArchive::ended, this, &MainWindow::updateMode);
  connect(m_archive, &RunArchive::shown, this, &MainWindow::onRecordedShown);
  connect(m_archive, &RunArchive::connected, this, &MainWindow::onConnected);
  connect(&m_archive->remote(), &RemoteRun::changed, this, &MainWindow::updateMode);
  connect(m_steering, &RemoteSteering::modeChanged, this, &MainWindow::updateMode);
  connect(m_steering, &RemoteSteering::noticed, m_messages, m_messages->saying(MessageCause::kMachine));
  connect(&m_archive->remote(), &RemoteRun::found, m_messages, m_messages->ending(MessageCause::kOpened));
  connect(m_archive, &RunArchive::failed, m_messages, m_messages->saying(MessageCause::kOpening));
  connect(m_archive, &RunArchive::failed, this, &MainWindow::requireMachine);
  connect(m_archive, &RunArchive::noticed, m_messages, m_messages->saying(MessageCause::kOpened));
  connect(m_archive, &RunArchive::notSaved, m_messages, m_messages->saying(MessageCause::kSaving));
  connect(m_archive, &RunArchive::saved, m_messages, m_messages->ending(MessageCause::kSaving));
  connect(m_archive, &RunArchive::saved, this, [this](const QString& file, int lastStep) {
    m_status->showReason(tr("Saved %1, to step %2").arg(QFileInfo(file).fileName()).arg(lastStep),
                         m_session.step());
  });
  connect(m_bench, &BenchOpening::noticed, m_messages, m_messages->saying(MessageCause::kOpening));
  connect(m_archive, &RunArchive::followed, this, &MainWindow::onFollowed);
}

void MainWindow::wireChats() {
  connect(m_chats, &Chats::sent, this, &MainWindow::onSent);
  connect(m_chats, &Chats::chatRequested, this, [this] { showPerspective(Perspective::kChat); });
  connect(m_chats, &Chats::noticed, m_messages, m_messages->saying(MessageCause::kChat));
  connect(m_chats, &Chats::fileNoticed, m_messages, m_messages->saying(MessageCause::kAttached));
  connect(m_chats, &Chats::takingFiles, this, &MainWindow::endFileMessages);
  connect(m_chats, &Chats::keepingChanged, this, &MainWindow::sayHowChatsAreKept);
  connect(&m_chats->trace(), &ChatTrace::progressed, m_status, &StatusStrip::showProgress);
  connect(&m_chats->trace(), &ChatTrace::ended, m_status, &StatusStrip::hideProgress);
  connect(&m_chats->importing(), &ChatImporting::progressed, m_status, &StatusStrip::showProgress);
  connect(&m_chats->importing(), &ChatImporting::ended, m_status, &StatusStrip::hideProgress);
}

void MainWindow::sayHowChatsAreKept(const HistoryStatus& status) {
  if (status.ok())
    return m_messages->say(MessageCause::kChatsFile, Notice::note(tr("Chats are kept in their file again.")));
  Notice trouble = Notice::problem(status.message, status.hint);
  if (status.canRetry()) {
    trouble.action = tr("Try again");
    trouble.take = [this] { m_chats->tryFileAgain(); };
  }
  m_messages->say(MessageCause::kChatsFile, std::move(trouble));
}

void MainWindow::keepChatsIn(const QString& file) { m_chats->keepIn(file); }

}  // namespace vitrine
