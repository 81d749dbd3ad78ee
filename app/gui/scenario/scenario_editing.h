// ScenarioEditing: opens the editor on what the machine plays now: the scenario, or the run so far as one. It
// plays what comes back, and keeps changes that were not played for the next time. Thread: the window's.
#pragma once

#include <QObject>
#include <optional>

#include "gui/machine/model_loading.h"

namespace vitrine {

class RunTo;
class ScenarioEditor;

class ScenarioEditing : public QObject {
  Q_OBJECT

 public:
  // All must outlive it; the window is the dialog's parent.
  ScenarioEditing(ModelLoading& loading, RunTo& runTo, QWidget* window);

 public slots:
  void open();

 private:
  Scenario present() const;
  void onFinished(ScenarioEditor* editor, int result);
  void runOn();

  ModelLoading& m_loading;
  RunTo& m_runTo;
  QWidget* m_window;
  std::optional<Scenario> m_draft;  // of what is open now
  int m_ordered = 0;                // the step to run on to, once the load under way succeeds
  int m_runOnTo = 0;                // it has; when it has ended
};

}  // namespace vitrine
