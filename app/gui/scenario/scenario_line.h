// ScenarioLine: the scenario in one line beside the phases: its description, which opens the whole text, and
// the next event to see with a button that runs there. It hears the run's events and knows which of the
// promised ones have happened. Thread: the window's. Read next: scenario_sheet.h, scenarios/expectations.h.
#pragma once

#include <QWidget>
#include <span>

#include "scenarios/scenario.h"
#include "vitrine/recording.h"

class QToolButton;

namespace vitrine {

class ScenarioSheet;
class Session;

class ScenarioLine : public QWidget {
  Q_OBJECT

 public:
  explicit ScenarioLine(const Session& session, QWidget* parent = nullptr);

  void show(const Scenario& scenario, const Recording& soFar);  // the recording of the run that plays it
  void take(std::span<const Event> events);
  void follow();         // the cursor has moved
  QString text() const;  // the whole description, as rich text
  const Expectations& expectations() const { return m_expectations; }
  // The first promised event that lies after the cursor or has not happened; -1: none is left.
  int next() const;
  QString nextText() const;  // "next to see: step 46, preemption"

 public slots:
  void visit(int expected);  // as its link does; nothing before the event has happened
  void goToNext();           // visits the next event, or asks to run there
  void openSheet();

 signals:
  void visitRequested(int expected);  // one that has happened
  void runRequested(int expected);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void write();
  void applyColours();

  const Session& m_session;
  QToolButton *m_about, *m_next;
  ScenarioSheet* m_sheet;
  Expectations m_expectations;
  QString m_words;
};

}  // namespace vitrine
