// EngineOptionsDialog: the knobs of the machine that need a new start: its pool, its budget, its habits.
#pragma once

#include <QDialog>

#include "vitrine/options.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;

namespace vitrine {

class EngineOptionsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit EngineOptionsDialog(const EngineOptions& options, QWidget* parent = nullptr);
  EngineOptions options() const;

 private:
  void show(const EngineOptions& options);
  QSpinBox* addNumber(QFormLayout* form, const QString& label, const QString& tip, int low, int high);
  QCheckBox* addSwitch(QFormLayout* form, const QString& label, const QString& tip);

  EngineOptions m_start;
  QSpinBox *m_blocks, *m_blockSize, *m_sequences, *m_budget, *m_threads;
  QComboBox *m_batching, *m_policy, *m_kernels;
  QCheckBox *m_prefixCache, *m_chunked;
};

}  // namespace vitrine
