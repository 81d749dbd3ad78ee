// ScenarioBar: what the scenario is about and what to look at, above the work. A sight that has come to pass
// becomes a link to its step and its panel, and is scrolled to: the bar takes a few lines, the rest is the
// work's. Closing it leaves the scenario running.
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

  void show(const Scenario& scenario, const Recording& soFar);  // of the run that plays it
  void take(std::span<const Event> events);
  QString text() const;
  const Expectations& expectations() const { return m_expectations; }

 public slots:
  void visit(int sight);  // as its link does; nothing before it came to pass

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
  QList<QLabel*> m_sights;  // one for each of the expectations's
  Expectations m_expectations;
};

}  // namespace vitrine
