// MainWindow: the glass. It holds the session, the engine's host and the panels, and decides what a verb
// means where the cursor stands: Step in the past goes forward in the recording, Step at its end turns the
// machine. Thread: the GUI's; nothing here calls the engine. Read next: engine_host.h, panels.h.
#pragma once

#include <QMainWindow>
#include <map>
#include <optional>

#include "engine_host.h"
#include "machine_bar.h"
#include "panels.h"
#include "perspectives.h"
#include "scenarios/scenario.h"
#include "settings.h"
#include "widgets/models/session.h"

namespace vitrine {

class ChatController;
class MessageBar;
class ModelMenu;
class ScenarioBar;
class ScenarioMenu;
class StatusStrip;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow();

  void openModel(const QString& directory);  // empty: the built-in one, with requests staged for who steps
  void openScenario(const QString& nameOrFile);
  void leaveScenario();  // back to the machine as it was before
  void showPerspective(Perspective perspective) { m_perspectives->show(perspective); }
  bool showPanel(const QString& panel) { return m_perspectives->bringForward(panel); }

  Session& session() { return m_session; }
  EngineHost& host() { return m_host; }
  Panels& panels() { return *m_panels; }
  MachineBar& bar() { return *m_bar; }
  MessageBar& messages() { return *m_messages; }
  StatusStrip& status() { return *m_status; }
  ScenarioBar& scenario() { return *m_scenarioBar; }

 public slots:
  void step();
  void stepPhase();
  void back();
  void run();
  void reset();

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  void load(LoadOrder order, std::optional<Scenario> scenario = {});
  void visit(int step, int sequence, const QString& panel);
  void makeToolBar();
  void addMenuButton(const QString& text, const QString& tip, QMenu* menu);
  void makeMenus();
  void wireHost();
  void wireSession();
  void onLoaded(LoadTicket ticket, const QString& directory, bool chatRecognised);
  void onFailed(const QString& code, const QString& message, const QString& hint);
  void onSent();
  void chooseOptions();
  void setPresenting(bool presenting);
  void onPerspective(Perspective perspective);
  void updateMachine();
  void updateReady();

  Settings m_settings;
  Session m_session;
  EngineHost m_host;
  Panels* m_panels;
  Perspectives* m_perspectives;
  ChatController* m_chat;
  MachineBar* m_bar;
  MessageBar* m_messages;
  StatusStrip* m_status;
  ModelMenu* m_modelMenu;
  ScenarioBar* m_scenarioBar;
  ScenarioMenu* m_scenarioMenu;
  struct Opening {
    LoadOrder order;
    std::optional<Scenario> scenario;
  };
  std::map<LoadTicket, Opening> m_ordered;  // perhaps still loading, or failed
  Opening m_open;                           // what Reset loads again
  Opening m_before;                         // what was open before the scenario
};

}  // namespace vitrine
