// HeadlineBar: the strip under the tool bar: the phases of the step, the sentence that says what it decided,
// and what of the scenario comes next. Below it lies the gap to the cards. Thread: the window's. Read next:
// widgets/explain/headline_view.h, phase_strip.h, scenario_line.h.
#pragma once

#include <QToolBar>

namespace vitrine {

class HeadlineView;
class PhaseStrip;
class ScenarioLine;
class Session;

class HeadlineBar : public QToolBar {
  Q_OBJECT

 public:
  HeadlineBar(Session& session, QWidget* parent);
  PhaseStrip& phases() const { return *m_phases; }
  HeadlineView& headline() const { return *m_headline; }
  ScenarioLine& scenario() const { return *m_scenario; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  PhaseStrip* m_phases;
  HeadlineView* m_headline;
  ScenarioLine* m_scenario;
};

}  // namespace vitrine
