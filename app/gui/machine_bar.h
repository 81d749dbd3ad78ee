// MachineBar: the commands that are always visible: reset, back, step, phase, run, pause, and the speed.
//
// Which of them are enabled is a pure function of the machine and the cursor (availableVerbs), so that every
// pair of state and action is tested. Thread: the window's.
#pragma once

#include <QToolBar>

#include "engine_worker.h"

class QLabel;
class QSlider;
class QToolButton;

namespace vitrine {

struct MachineView {
  MachineMode mode = MachineMode::kEmpty;
  bool live = true;  // the cursor follows the machine
  bool canGoBack = false;
  bool hasWork = false;  // something waits or runs
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
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addField(QWidget* widget);
  void addSpeed();
  void fit();
  void applyIcons();
  void onSpeed();

  MachineView m_machine;
  QSlider* m_slider = nullptr;
  QLabel* m_speedText = nullptr;
  QToolButton* m_stepButton = nullptr;
  QList<QAction*> m_machinery;
};

}  // namespace vitrine
