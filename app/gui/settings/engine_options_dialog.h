// EngineOptionsDialog: the options of the machine that need a new start, on a page for each group. The schema
// (vitrine/option_schema.h) has the labels, ranges, choices, and when a knob means something; it is disabled
// otherwise. Options that do not go together are refused in the dialog, where they can be changed. Thread:
// the window's.
#pragma once

#include <QDialog>

#include "catalog/kv_pool.h"
#include "gui/parts/option_knobs.h"
#include "vitrine/devices.h"

class QLabel;
class QPushButton;
class QTabWidget;

namespace vitrine {

class EngineOptionsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit EngineOptionsDialog(const EngineOptions& options, QWidget* parent = nullptr);
  EngineOptions options() const;
  // The options shown are a scenario's: its title says so, and Restore Defaults brings `defaults` back.
  void setScenario(const QString& title, const EngineOptions& defaults);

  // The options are the window's own, and this part of the free memory is the pool of a model of one's own
  // where they leave the pool open. The page of the memory says so for as long as they do.
  void setFittedPool(KvShare share);

  // Which devices can be chosen, and by which name. One that cannot compute is dimmed; the page says why.
  void setDevices(const std::vector<DeviceInfo>& devices);

  // The options belong to a scenario that is not played yet.
  void setForEditing(const QString& title, const EngineOptions& defaults);

  // The options hold from this step of a resumed run on. After step 0 only those that may change in a run can
  // be chosen.
  void setResuming(int step);

  void accept() override;  // only options that go together

 private:
  void addPage(QTabWidget* pages, OptionPage page);
  void show(const EngineOptions& options);
  void refresh();  // which knobs mean something, and what does not go together

  EngineOptions m_defaults;
  OptionKnobs<EngineOptions> m_knobs;
  QLabel* m_complaint;
  QLabel* m_note;
  QLabel* m_pool;     // how the pool is chosen that the options leave open
  QLabel* m_devices;  // why some cannot be used
  QPushButton* m_start = nullptr;
  bool m_inRun = false;  // the run has begun
};

}  // namespace vitrine
