// ScenarioLine: what of the scenario comes next, as a button that runs there, and beside it one that opens
// the description with all that there is to see. It hears the run's events and knows which of the promised
// ones have happened. Thread: the window's. Read next: scenario_sheet.h, scenarios/expectations.h.
#pragma once

#include <QStringList>
#include <QWidget>
#include <limits>
#include <span>

#include "scenarios/scenario.h"
#include "vitrine/recording.h"

class QToolButton;

namespace vitrine {

class NextButton;
class ScenarioSheet;
class Session;

class ScenarioLine : public QWidget {
  Q_OBJECT

 public:
  explicit ScenarioLine(const Session& session, QWidget* parent = nullptr);

  void show(const Scenario& scenario, const Recording& soFar);  // the recording of the run that plays it
  void leave();                                                 // no scenario is played any more
  void take(std::span<const Event> events);
  void follow();         // the cursor has moved
  QString text() const;  // the whole description, as rich text
  const Expectations& expectations() const { return m_expectations; }
  // The first promised event that lies after the cursor or has not happened; -1: none is left.
  int next() const;
  QString nextText() const;  // "Next: preemption, step 46"
  // For the line, in pixels: with less of it the button says less ("Next: preemption", then "Next"), and its
  // tooltip says all.
  void setRoom(int pixels);

 public slots:
  void visit(int expected);  // as its link does; nothing before the event has happened
  void goToNext();           // visits the next event, or asks to run there
  void proceed();            // the same; when all is seen, it opens the sheet
  void openSheet();

 signals:
  void described(const QString& about);  // of the scenario that begins; empty: none is played
  void visitRequested(int expected);     // one that has happened
  void runRequested(int expected);

 private:
  void write();
  void fitWords();

  const Session& m_session;
  NextButton* m_next;
  QToolButton* m_about;
  ScenarioSheet* m_sheet;
  Expectations m_expectations;
  QStringList m_words;  // of the button, the longest first
  int m_room = std::numeric_limits<int>::max();
};

}  // namespace vitrine
