// ScenarioSheet: a scenario's description and the events to look at, as a sheet over the window. An event
// that has happened is a link to its step and panel. Thread: the window's. Read next: scenario_line.h.
#pragma once

#include <QFrame>
#include <QList>

#include "scenarios/scenario.h"

class QLabel;
class QVBoxLayout;

namespace vitrine {

class ScenarioSheet : public QFrame {
  Q_OBJECT

 public:
  explicit ScenarioSheet(QWidget* parent);

  void show(const Scenario& scenario);
  void write(const Expectations& expectations);  // in the order in which they happened
  QString text() const;
  void openBelow(const QWidget* line);  // as wide as it reads well, within the window

 signals:
  void visitRequested(int expected);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* addLine();

  QVBoxLayout* m_lines;
  QLabel* m_about;
  QList<QLabel*> m_expected;
};

}  // namespace vitrine
