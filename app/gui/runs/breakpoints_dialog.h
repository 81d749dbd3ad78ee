// BreakpointsDialog: the window's breakpoints as a list: add, remove, switch on and off. It stays open beside
// the machine.
#pragma once

#include <QDialog>

#include "gui/runs/run_to.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QListView;
class QPushButton;

namespace vitrine {

class BreakpointsDialog : public QDialog {
  Q_OBJECT

 public:
  BreakpointsDialog(RunTo& runTo, QWidget* parent);

 signals:
  void stopsInsideChosen(bool inside);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeForm();
  void fillRequests();
  void onKind();
  void add();
  void removeCurrent();

  RunTo& m_runTo;
  QListView* m_list;
  QComboBox *m_kind, *m_request;
  QLineEdit* m_value;
  QLabel* m_fault;
  QPushButton* m_remove;
  QCheckBox* m_inside;
};

}  // namespace vitrine
