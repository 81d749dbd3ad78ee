// ScenarioChooser: the scenarios that ship, in groups, each with a small picture and a line that says what to
// look for. Arrows, letters and Enter choose. Thread: the window's. Read next: scenario_list.h.
#pragma once

#include <QDialog>

class QLabel;
class QListView;
class QPushButton;

namespace vitrine {

class ScenarioChooser : public QDialog {
  Q_OBJECT

 public:
  ScenarioChooser(const QString& present, QWidget* parent);  // its row is chosen; empty: the first

  void accept() override;  // needs a scenario

 signals:
  void chosen(const QString& name);

 private:
  void showAbout();
  QString name() const;  // empty: none

  QListView* m_list;
  QLabel* m_about;
  QPushButton* m_open;
};

}  // namespace vitrine
