// ScenarioPlay: the scenario that the machine plays: its line and its menu, running to an expected event,
// going back to one that has happened, and editing it. Thread: the window's. Read next: scenario_line.h.
#pragma once

#include <QObject>
#include <optional>

#include "scenarios/scenario.h"

class QAction;

namespace vitrine {

class EngineHost;
class ModelLoading;
class RunTo;
class ScenarioLine;
class ScenarioMenu;
class Session;

class ScenarioPlay : public QObject {
  Q_OBJECT

 public:
  // All must outlive it; the window is the parent of the menu and of dialogs.
  ScenarioPlay(ScenarioLine& line, ModelLoading& loading, EngineHost& host, RunTo& runTo, QWidget* window);

  ScenarioMenu* menu() const { return m_menu; }
  QAction* nextAction() const { return m_next; }  // as the line's button, with its key
  // The scenario that is played with its options in force, or the run so far as one.
  Scenario present() const;
  // The scenario that a machine has begun to play, after its first events.
  void show(const std::optional<Scenario>& scenario);

 signals:
  // An expected event is at the cursor; the panel that shows it may be empty.
  void arrived(const QString& panel, const vitrine::BreakHit& hit);

 private:
  void visit(int expected);
  void runTo(int expected);
  void onStands();
  void arrive(int expected);

  ScenarioLine& m_line;
  ModelLoading& m_loading;
  EngineHost& m_host;
  RunTo& m_runTo;
  Session& m_session;
  ScenarioMenu* m_menu;
  QAction* m_next;
  int m_destination = -1;  // the expected event that the machine runs to
  int m_further = 0;       // more of them, since Next was pressed on the way
};

}  // namespace vitrine
