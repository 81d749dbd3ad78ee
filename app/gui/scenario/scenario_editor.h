// ScenarioEditor: a scenario in a dialog: its requests and when they come, their options, the machine's;
// saved as a file, copied as a command, or played.
//
// Nothing happens to the machine before Play. The dialog names and refuses a scenario that cannot be played.
// Thread: the window's. Read next: scenario_play.cpp, request_form.h.
#pragma once

#include <QDialog>

#include "scenarios/scenario.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace vitrine {

class RequestForm;

class ScenarioEditor : public QDialog {
  Q_OBJECT

 public:
  // A new request arrives after `presentStep`, where the machine is.
  ScenarioEditor(const Scenario& original, int presentStep, QWidget* parent = nullptr);

  void showDraft(const Scenario& draft);  // changes that were not played
  const Scenario& scenario() const { return m_scenario; }
  bool isChanged() const;
  int runsOnTo() const;              // the present step, or 0: play from the beginning and wait there
  QString complaint() const;         // why it cannot be played; empty: it can
  bool saveTo(const QString& file);  // false with a note in the dialog

  void accept() override;  // only what can be played

 public slots:
  void addRequest();
  void duplicateRequest();
  void removeRequest();
  void copyCommand();

 private:
  QWidget* makeHead();
  QWidget* makeList();
  QWidget* makeButtons();
  QPushButton* addButton(QVBoxLayout* column, const QString& text, void (ScenarioEditor::*press)());
  void show(const Scenario& scenario, int row);
  void insert(RequestLine line);
  void choose(int row);
  void takeForm();
  void chooseMachineOptions();
  void chooseFile();
  void refresh();

  const Scenario m_original;
  const int m_presentStep;
  Scenario m_scenario;
  int m_row = -1;  // the chosen request
  QLineEdit *m_title, *m_about;
  QListWidget* m_list;
  QPushButton *m_duplicate = nullptr, *m_remove = nullptr, *m_play = nullptr;
  RequestForm* m_form;
  QCheckBox* m_runOn;
  QLabel *m_complaint, *m_note;
};

}  // namespace vitrine
