// MachineBar: what is always visible: the commands reset, back, step, phase, run and pause, and the speed;
// at the right model, scenario and the state of the run. Nothing in it moves when a state or a choice
// changes. Where there is little room it gives up words, then the speed.
//
// Which of them are enabled is a pure function of the machine and the cursor (availableVerbs), so that every
// pair of state and action is tested. Thread: the window's.
#pragma once

#include <QToolBar>

#include "gui/machine/engine_worker.h"

class QLabel;
class QMenu;
class QSlider;
class QToolButton;
namespace vitrine {

class MenuButton;
class RunPill;
class StepButton;

struct MachineView {
  MachineMode mode = MachineMode::kEmpty;
  bool live = true;  // the cursor follows the machine
  bool canGoBack = false;
  bool hasWork = false;    // something waits or runs
  bool plays = false;      // a recording's steps are shown one after another
  bool isRemote = false;   // another program's, which is steered by whole steps
  bool isOutside = false;  // another program's that is seen from outside: it is not steered
};

struct Verbs {
  bool reset = false, back = false, step = false, phase = false, run = false, pause = false;
  bool operator==(const Verbs&) const = default;
};
Verbs availableVerbs(const MachineView& machine);

class MachineBar : public QToolBar {
  Q_OBJECT

 public:
  explicit MachineBar(QWidget* parent = nullptr);

  QAction* const reset;
  QAction* const back;
  QAction* const step;
  QAction* const phase;
  QAction* const runPause;  // one key starts and stops; text and icon say which

  void show(const MachineView& machine);
  void showRun(const QString& state, bool calls);  // calls: the run asks for the user's next command
  // A menu before the state of the run; its button shows the chosen entry.
  MenuButton* addMenu(const QString& what, const QString& tip, QMenu* menu);
  void addRunTo(QMenu* menu);     // a button with this menu, after Run
  void addLeave(QAction* leave);  // the last one; in sight only where there is something to leave
  // Hidden in the chat perspective.
  void setMachineryVisible(bool visible);
  // Steps per second; 0: as fast as the engine goes.
  double stepsPerSecond() const;
  void setStepsPerSecond(double rate);

 signals:
  void runRequested();
  void pauseRequested();
  void speedChanged(double stepsPerSecond);

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QAction* addField(QWidget* widget);
  void addCommands();
  void addSpeed();
  void addRun();
  void fit();
  void enableButtons();
  void give(int words);  // 0: all of them
  void holdRunButton();
  void applyIcons();
  void onSpeed();

  MachineView m_machine;
  QSlider* m_slider = nullptr;
  QLabel* m_speedText = nullptr;
  StepButton* m_stepButton = nullptr;
  MenuButton* m_runToButton = nullptr;
  RunPill* m_pill = nullptr;
  QList<MenuButton*> m_choices;
  QAction* m_leave = nullptr;
  QAction* m_speedBegins = nullptr;
  QAction *m_speedLabel = nullptr, *m_sliderField = nullptr, *m_speedField = nullptr, *m_pillField = nullptr;
  QList<QAction*> m_machinery;
  bool m_machineryVisible = true;
  bool m_showsPause = false;  // the button Run, while running
};

}  // namespace vitrine
