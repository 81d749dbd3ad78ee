// CompareWindow: two machines with the same requests and other options, side by side: lanes, memory and the
// sentence of each, one time axis for both, what differs as a table, and a question about the next step.
//
// Keys as in the main window: F10 and PageDown step both, Shift+F10 and PageUp go back, F5 runs and pauses,
// Ctrl+F5 begins anew. Esc hides the window and ends both machines. Thread: the window's. Read next:
// compared_pair.h, compare_opening.h.
#pragma once

#include <QDialog>
#include <vector>

#include "compare/variation.h"
#include "gui/compare/compared_pair.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace vitrine {

class CompareAxis;
class CompareSide;
class DataTableView;
class MessageBar;
class PredictionView;

class CompareWindow : public QDialog {
  Q_OBJECT

 public:
  explicit CompareWindow(QWidget* parent = nullptr);

  // A scenario as it is, beside the first thing that one usually changes in it.
  void compare(Scenario scenario);
  void compare(Scenario one, Scenario other);

  ComparedPair& pair() { return m_pair; }
  CompareSide* side(int side) const { return m_sides[static_cast<std::size_t>(side)]; }
  DataTableView* table() const { return m_table; }
  CompareAxis* axis() const { return m_axis; }
  PredictionView* prediction() const { return m_prediction; }
  QComboBox* scenarios() const { return m_scenarios; }
  QComboBox* changes() const { return m_changes; }
  QString verdict() const;
  QToolButton* stepButton() const { return m_step; }
  QToolButton* runButton() const { return m_run; }
  QToolButton* paceButton() const { return m_pace; }

 protected:
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* makeHead();
  QWidget* makeMiddle();
  QWidget* makeRight();
  void makeKeys();
  QToolButton* addButton(QWidget* head, const QString& text, const QString& tip, const QKeySequence& key);
  void fillScenarios();
  void fillChanges();
  void chooseScenario(int place);
  void chooseChange(int place);
  void chooseOptions();
  void onOpened();
  void tell();
  void tellVerdict();
  void toggleRun();

  ComparedPair m_pair;
  Session m_session;  // an empty one: the table and the axis belong to two runs
  MessageBar* m_messages = nullptr;
  QComboBox *m_scenarios, *m_changes;
  QToolButton *m_restart = nullptr, *m_back = nullptr, *m_step = nullptr, *m_run = nullptr, *m_pace = nullptr;
  QLabel *m_place, *m_verdict, *m_what;
  std::array<CompareSide*, ComparedPair::kSides> m_sides{};
  DataTableView* m_table;
  CompareAxis* m_axis;
  PredictionView* m_prediction;
  std::vector<compare::Variation> m_variations;  // of the scenario, as m_changes lists them
  bool m_isRunning = false;                      // as the button has it
};

}  // namespace vitrine
