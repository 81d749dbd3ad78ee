#include "scenario_menu.h"

#include <QFileDialog>

namespace vitrine {

ScenarioMenu::ScenarioMenu(QWidget* parent) : QMenu(tr("&Scenario"), parent) {
  setToolTipsVisible(true);
  connect(this, &QMenu::aboutToShow, this, &ScenarioMenu::fill);
  fill();
}

void ScenarioMenu::setInside(const QString& name) {
  m_inside = name;
  fill();
}

// A file that cannot be read is listed by its name. Choosing it shows the error.
void ScenarioMenu::fill() {
  clear();
  for (const std::string& name : shippedScenarioNames()) {
    const QString key = QString::fromStdString(name);
    QAction* action = addAction(key, this, [this, key] { emit scenarioChosen(key); });
    action->setCheckable(true);
    action->setChecked(key == m_inside);
    try {
      const Scenario scenario = readScenario(name);
      action->setText(QString::fromStdString(scenario.title));
      action->setToolTip(QString::fromStdString(scenario.about));
    } catch (const std::exception&) {
    }
  }
  addSeparator();
  addAction(tr("&Open a scenario file…"), this, &ScenarioMenu::chooseFile);
  QAction* leave = addAction(tr("&Leave the scenario"), this, &ScenarioMenu::leaveRequested);
  leave->setToolTip(tr("Back to the machine as it was before"));
  leave->setEnabled(!m_inside.isEmpty());
}

void ScenarioMenu::chooseFile() {
  const QString file =
      QFileDialog::getOpenFileName(parentWidget(), tr("Open a scenario"), {}, tr("Scenarios (*.json)"));
  if (!file.isEmpty()) emit scenarioChosen(file);
}

}  // namespace vitrine
