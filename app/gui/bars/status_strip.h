// StatusStrip: one line at the bottom of the window: LIVE / PAUSED / REPLAY, model, device, scenario, server,
// the context in tokens and blocks, and a number for the state shown. Where it is too long, all parts but the
// mode are cut with "…". While a model loads, it shows progress and Cancel.
#pragma once

#include <QStatusBar>

#include "gui/bars/machine_bar.h"
#include "widgets/session/session.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace vitrine {

class StatusStrip : public QStatusBar {
  Q_OBJECT

 public:
  explicit StatusStrip(QWidget* parent = nullptr);

  void showEngine(const EngineLoaded& engine);
  void showMachine(const QString& run, const Session& session);  // RunState::line
  void showScenario(const QString& title);                       // empty: none
  void showServer(const QString& words, const QString& tip);     // empty: it is off
  void showProgress(double fraction, const QString& what);       // fraction below 0: not known
  void hideProgress();
  QString modeText() const;
  // Why the machine stopped at this step; shown as long as the step is.
  void showReason(const QString& reason, int step);
  QString reason() const;
  QString deviceText() const;
  QString contextText() const;
  QString digestText() const;  // "state 3f9a12c4"; empty before a model is loaded
  QString serverText() const;

 signals:
  void cancelLoadRequested();

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLabel* addField(QLabel* label, const QString& accessibleName);
  void fit();
  void showDigest(const MachineState& state);

  QLabel *m_mode, *m_model, *m_device, *m_scenario, *m_server, *m_reason, *m_context, *m_digest;
  int m_reasonStep = -1;
  QWidget* m_loading;
  QProgressBar* m_progress;
};

}  // namespace vitrine
