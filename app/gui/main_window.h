// MainWindow: holds the session, the engine's host and the panels, and decides what a command does at the
// cursor: in the past, Step goes forward in the recording; at its end, Step computes a step.
// Thread: the window's; nothing here calls the engine. Read next: engine_host.h, model_loading.h, panels.h.
#pragma once

#include <QMainWindow>

#include "engine_host.h"
#include "machine_bar.h"
#include "model_loading.h"
#include "panels.h"
#include "perspectives.h"
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

  // Empty: the built-in model, with staged requests outside the chat perspective.
  void openModel(const QString& directory);
  void openScenario(const QString& nameOrFile) { m_loading->openScenario(nameOrFile); }
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
  void visit(int step, int sequence, const QString& panel);
  void makeToolBar();
  void addMenuButton(const QString& text, const QString& tip, QMenu* menu);
  void makeMenus();
  void fillMachineMenu(QMenu& menu);
  void fillViewMenu(QMenu& menu);
  void wireHost();
  void wireLoading();
  void wireSession();
  void onOpened(bool chatRecognised);
  void onSent();
  void chooseOptions();
  void onPerspective(Perspective perspective);
  void updateMachine();
  void updateMode();

  Settings m_settings;
  Session m_session;
  EngineHost m_host;
  ModelLoading* m_loading;
  Panels* m_panels;
  Perspectives* m_perspectives;
  ChatController* m_chat;
  MachineBar* m_bar;
  MessageBar* m_messages;
  StatusStrip* m_status;
  ModelMenu* m_modelMenu;
  ScenarioBar* m_scenarioBar;
  ScenarioMenu* m_scenarioMenu;
};

}  // namespace vitrine
