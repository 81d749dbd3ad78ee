// ScenarioBar: a scenario's description and the events to look at, above the panels. An event that has
// happened becomes a link to its step and panel, and the bar, a few lines high, scrolls to it. Closing the
// bar leaves the scenario running.
//
// Thread: the window's. Read next: scenarios/expectations.h.
#pragma once

#include <QFrame>
#include <QList>
#include <span>

#include "scenarios/scenario.h"
#include "vitrine/recording.h"

class QLabel;
class QVBoxLayout;

namespace vitrine {

class LinesArea;

class ScenarioBar : public QFrame {
  Q_OBJECT

 public:
  explicit ScenarioBar(QWidget* parent = nullptr);

  void show(const Scenario& scenario, const Recording& soFar);  // the recording of the run that plays it
  void take(std::span<const Event> events);
  QString text() const;
  const Expectations& expectations() const { return m_expectations; }

 public slots:
  void visit(int sight);  // as its link does; nothing before the event has happened

 signals:
  void visitRequested(int step, int sequence, const QString& panel);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QLabel* addLine();
  void write();
  void applyColours();

  LinesArea* m_scroll;
  QVBoxLayout* m_lines;
  QLabel* m_about;
  QList<QLabel*> m_sights;  // one for each of m_expectations.wanted()
  Expectations m_expectations;
};

}  // namespace vitrine
