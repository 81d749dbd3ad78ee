#include "gui/scenario/scenario_menu.h"

#include <QFileDialog>

#include "gui/scenario/scenario_chooser.h"
#include "gui/scenario/scenario_list.h"
#include "gui/settings/settings.h"

namespace vitrine {

ScenarioMenu::ScenarioMenu(QWidget* parent) : QMenu(tr("&Scenario"), parent) {
  setToolTipsVisible(true);
  connect(this, &QMenu::aboutToShow, this, &ScenarioMenu::fill);
  fill();
}

void ScenarioMenu::setInside(const QString& name) {
  m_inside = name;
  if (!isVisible()) fill();  // an entry of an open menu stays where the user sees it
}

void ScenarioMenu::fill() {
  clear();
  qDeleteAll(findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
  addAction(tr("&Choose a scenario…"), this, &ScenarioMenu::chooseScenario)
      ->setToolTip(tr("All of them with pictures"));
  addSeparator();
  addGroups();
  addSeparator();
  QAction* edit = addAction(tr("&Edit and add requests…"), this, &ScenarioMenu::editRequested);
  edit->setToolTip(tr("The scenario, or the run so far, as one to change, save, or copy as a command"));
  addAction(tr("Co&mpare with other options…"), Qt::CTRL | Qt::Key_3, this, &ScenarioMenu::compareRequested)
      ->setToolTip(tr("The scenario, or the run so far, on two machines side by side"));
  addAction(tr("&Open a scenario file…"), this, &ScenarioMenu::chooseFile);
  QAction* leave = addAction(tr("&Leave the scenario"), this, &ScenarioMenu::leaveRequested);
  leave->setToolTip(tr("Back to the machine as it was before"));
  leave->setEnabled(!m_inside.isEmpty());
}

// A file that cannot be read is listed by its name. Choosing it shows the error.
void ScenarioMenu::addGroups() {
  const ScenarioList scenarios(Settings().recentScenarios());
  QMenu* group = nullptr;
  for (int i = 0; i < scenarios.rowCount(); ++i) {
    const ScenarioList::Row& row = scenarios.row(i);
    if (row.heading) {
      group = addMenu(row.title);
      group->setToolTipsVisible(true);
      continue;
    }
    const QString key = row.key;
    QAction* action = group->addAction(row.title, this, [this, key] { emit scenarioChosen(key); });
    action->setCheckable(true);
    action->setChecked(QString::fromStdString(row.scenario.name) == m_inside);
    action->setToolTip(scenarios.index(i).data(Qt::ToolTipRole).toString());
  }
}

void ScenarioMenu::chooseScenario() {
  auto* chooser = new ScenarioChooser(m_inside, parentWidget());
  chooser->setAttribute(Qt::WA_DeleteOnClose);
  connect(chooser, &ScenarioChooser::chosen, this, &ScenarioMenu::scenarioChosen);
  chooser->open();
}

void ScenarioMenu::chooseFile() {
  const QString file =
      QFileDialog::getOpenFileName(parentWidget(), tr("Open a scenario"), {}, tr("Scenarios (*.json)"));
  if (file.isEmpty()) return;
  Settings().addRecentScenario(file);
  emit scenarioChosen(file);
}

}  // namespace vitrine

#include "moc_scenario_menu.cpp"
