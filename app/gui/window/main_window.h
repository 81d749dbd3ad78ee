// MainWindow: holds the session, the engine's host and the panels, and decides what a command does at the
// cursor: in the past, Step goes forward in the recording; at its end, Step computes a step. The recording's
// last step is the machine itself, so that no press is lost between them.
// Thread: the window's; nothing here calls the engine. Read next: engine_host.h, model_loading.h, panels.h.
#pragma once

#include <QMainWindow>

#include "common/recorded_load.h"
#include "gui/bars/machine_bar.h"
#include "gui/machine/engine_host.h"
#include "gui/machine/model_loading.h"
#include "gui/panels/panels.h"
#include "gui/panels/perspectives.h"
#include "gui/parts/appearance.h"
#include "gui/serving/serving.h"
#include "gui/settings/settings.h"
#include "widgets/session/session.h"

namespace vitrine {

namespace watch {
struct ServerPlace;
}

class BenchOpening;
class CardWalk;
class Chats;
class CompareOpening;
class DeviceFinder;
class FileOpening;
class HeadlineBar;
class HeadlineView;
struct HistoryStatus;
class InspectOpening;
class LessonGuide;
class MessageBar;
class ModelMenu;
class ModelsOpening;
class OutlineLight;
class PhaseStrip;
class RemoteSteering;
class RoofMeasurer;
class RunArchive;
class RunTo;
class RunToMenu;
class SamplingController;
class ScenarioLine;
class ScenarioPlay;
class SettingsOpening;
class StatusStrip;
class WelcomeOpening;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow();
  ~MainWindow() override;

  // The device of models and scenarios opened from now on, until a person chooses another. It is not kept.
  void computeOn(Device device);
  // Empty: the built-in model, with staged requests outside the chat perspective.
  void openModel(const QString& directory);
  // Chats are in memory until a file for them is named.
  void keepChatsIn(const QString& file);
  void openScenario(const QString& nameOrFile) { m_loading->openScenario(nameOrFile); }
  void open(const QString& path);  // a file or folder of any kind (file_kind.h)
  // Shows the engine of a server, as it goes, in place of this window's machine.
  void attach(const watch::ServerPlace& place);
  FileOpening& files() { return *m_files; }
  const ModelLoading& loading() const { return *m_loading; }
  void leaveScenario();  // back to the machine as it was before
  void showPerspective(Perspective perspective) { m_perspectives->show(perspective); }
  void restoreDefaultLayout() { m_perspectives->restoreDefault(); }
  bool showPanel(const QString& panel) { return m_perspectives->bringForward(panel); }

  Session& session() { return m_session; }
  EngineHost& host() { return m_host; }
  Panels& panels() { return *m_panels; }
  MachineBar& bar() { return *m_bar; }
  MessageBar& messages() { return *m_messages; }
  StatusStrip& status() { return *m_status; }
  HeadlineView& headline();
  PhaseStrip& phases();
  ScenarioLine& scenario();
  LessonGuide& lessons() { return *m_lessons; }
  const OutlineLight& pointer() const { return *m_pointer; }  // at what a lesson speaks of
  RunTo& runTo() { return *m_runTo; }
  RunToMenu& runToMenu() { return *m_runToMenu; }
  RunArchive& archive() { return *m_archive; }
  RemoteSteering& steering() { return *m_steering; }
  BenchOpening& bench() { return *m_bench; }
  CompareOpening& comparing() { return *m_comparing; }
  InspectOpening& inspect() { return *m_inspect; }
  ModelsOpening& models() { return *m_models; }
  Appearance& appearance() { return m_appearance; }
  Chats& chats() { return *m_chats; }
  SettingsOpening& settings() { return *m_settingsOpening; }
  WelcomeOpening& welcome() { return *m_welcome; }
  Serving& serving() { return m_serving; }

 public slots:
  void step();
  void stepPhase();
  void back();
  void run();  // without a machine, the recording shown is played
  void pause();
  void reset();

 signals:
  void languageChosen();  // another one than the window's

 protected:
  void closeEvent(QCloseEvent* event) override;
  QMenu* createPopupMenu() override;            // of the panels; the bars stay
  bool focusNextPrevChild(bool next) override;  // as the window is read

 private:
  void openOnScreen();
  void makeCentre();
  void makeToolBar();
  void makeMenus();
  void makeViewMenu();
  void makeWelcome();
  void makeHelpMenu();
  void makeClickerKeys();
  void fillMachineMenu(QMenu& menu);
  void wireHost();
  void wireLoading();
  void wireSession();
  void wireScenario();
  void wireLessons();
  void compare();
  void pointAt(const QString& panel);
  void wireFiles();
  void wireServing();
  void serve();
  void chooseServer();
  void chooseConnection();
  void onConnected();
  void sendRequest();
  void endFileMessages();
  void wireRunTo();
  KnownModels knownModels() const;
  void wireArchive();
  void wireChats();
  void sayHowChatsAreKept(const HistoryStatus& status);
  void onOpened(const QString& templateProblem);
  void showMachinery();
  void tellOfModel(const QString& templateProblem);
  void showOpen(const QString& model, const std::optional<Scenario>& scenario, const QString& title);
  void onScenario(const Scenario& scenario);
  void onRecordedShown();
  void onFollowed(const RerunReport& report);
  void cancelWork();
  void onLoadingEnded();
  void stageRequests();
  void requireMachine();
  bool isBare() const;
  bool isBuiltinOpen() const;
  std::vector<ChatOrder> wantedRequests() const;
  void lookInside();
  void onSent();
  void chooseOptions();
  void chooseDevice(Device device);
  void keepDevice();
  void keepOptions(const EngineOptions& options);
  void loadWith(const EngineOptions& options);
  LoadOrder orderOf(const QString& directory) const;
  void onPerspective(Perspective perspective);
  void updateMachine();
  void updateMode();
  bool isAttached() const;   // to a server, whose machine is shown
  MachineMode mode() const;  // of the machine that is shown, as far as it is steered from here

  Settings m_settings;
  Appearance m_appearance;
  Session m_session;
  EngineHost m_host;
  Serving m_serving{m_host};
  ModelLoading* m_loading;
  Panels* m_panels;
  Perspectives* m_perspectives;
  Chats* m_chats;
  MachineBar* m_bar;
  MessageBar* m_messages;
  StatusStrip* m_status;
  ModelMenu* m_modelMenu;
  HeadlineBar* m_headlineBar;
  RunTo* m_runTo;
  RunToMenu* m_runToMenu;
  RunArchive* m_archive;
  RemoteSteering* m_steering;
  BenchOpening* m_bench;
  CompareOpening* m_comparing;
  RoofMeasurer* m_roof;
  DeviceFinder* m_deviceFinder;
  InspectOpening* m_inspect;
  ModelsOpening* m_models;
  ScenarioPlay* m_scenario;
  LessonGuide* m_lessons = nullptr;
  OutlineLight* m_pointer;
  FileOpening* m_files = nullptr;
  SamplingController* m_sampling;
  SettingsOpening* m_settingsOpening = nullptr;
  QAction *m_thinking = nullptr, *m_sendRequest = nullptr;
  WelcomeOpening* m_welcome = nullptr;
  CardWalk* m_walk = nullptr;
  MenuButton *m_modelButton = nullptr, *m_scenarioButton = nullptr;
  bool m_staged = false;                 // requests were submitted after the load that is open
  std::optional<Device> m_deviceWanted;  // chosen, and kept when a machine computes there
  std::string m_scenarioInFront;         // its panels were brought to the front
  QString m_fallBackReason;              // why the built-in model is opened in another's place
};

}  // namespace vitrine
