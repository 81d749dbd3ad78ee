// ScenarioMenu: the experiments that ship with Vitrine in groups, in the order of the course, and the ways to
// choose by pictures, to edit one and to leave one.
#pragma once

#include <QMenu>

#include "scenarios/scenario.h"

namespace vitrine {

class ScenarioMenu : public QMenu {
  Q_OBJECT

 public:
  explicit ScenarioMenu(QWidget* parent);
  void setInside(const QString& name);  // the scenario that is played; empty: none

 signals:
  void scenarioChosen(const QString& nameOrFile);
  void leaveRequested();
  void editRequested();
  void compareRequested();

 private:
  void fill();
  void addGroups();
  void chooseScenario();
  void chooseFile();

  QString m_inside;
};

}  // namespace vitrine
