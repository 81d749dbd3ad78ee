// StepComparisonView: what differs between two steps, as a table under the two steps' numbers. The present
// row lights what it is about in all views; Enter or a double click selects it. Thread: the window's.
#pragma once

#include <QWidget>

#include "widgets/explain/step_comparison_model.h"

class QFontMetrics;
class QLabel;
class QToolButton;

namespace vitrine {

class DataTableView;

// A text beside another one, in so much room. Where its difference would be out of sight, the beginning that
// both share is elided: "… and the fox ran".
QString textWithDifference(const QString& text, const QString& other, const QFontMetrics& metrics, int room);

class StepComparisonView : public QWidget {
  Q_OBJECT
 public:
  explicit StepComparisonView(StepComparisonModel* model, QWidget* parent = nullptr);

  StepComparisonModel* model() const { return m_model; }
  DataTableView* table() const { return m_table; }
  QToolButton* endButton() const { return m_end; }
  QString summary() const { return m_summary; }

 signals:
  void summaryChanged(const QString& summary);
  void sequenceSelected(int sequence);
  void blockRequested(int block);

 private:
  void tell();
  void point(const QModelIndex& row);
  void select(const QModelIndex& row);

  StepComparisonModel* m_model;
  QLabel* m_title;
  QToolButton* m_end;
  DataTableView* m_table;
  QString m_summary;
};

}  // namespace vitrine
