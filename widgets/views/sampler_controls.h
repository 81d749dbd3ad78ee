// SamplerControls: the sampling options, in the order of the stages.
// Thread: the window's. Read next: vitrine/options.h.
#pragma once

#include <QWidget>

#include "vitrine/options.h"

class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace vitrine {

class SamplerControls : public QWidget {
  Q_OBJECT
 public:
  explicit SamplerControls(QWidget* parent = nullptr);

  SamplingOptions sampling() const;
  int maxTokens() const;
  void setSampling(const SamplingOptions& sampling);  // emits no signal
  void setMaxTokens(int tokens);
  // The values of Reset; the engine's own defaults (greedy) until this is called.
  void setDefaults(const SamplingOptions& sampling, int maxTokens);

 public slots:
  void reset();

 signals:
  void samplingChanged(const vitrine::SamplingOptions& sampling);
  void maxTokensChanged(int tokens);

 private:
  QDoubleSpinBox* addDecimal(QFormLayout* form, const QString& label, const QString& tip, double low,
                             double high, double step);
  QSpinBox* addWhole(QFormLayout* form, const QString& label, const QString& tip, int low, int high);
  void addSeed(QFormLayout* form);
  void onChanged();
  void showGreedy();

  QDoubleSpinBox *m_repetition, *m_presence, *m_frequency, *m_temperature, *m_topP, *m_minP;
  QSpinBox *m_topK, *m_maxTokens;
  QLineEdit* m_seed;
  QPushButton* m_reset;
  SamplingOptions m_defaults;
  int m_defaultMaxTokens = 256;
  bool m_setting = false;
};

}  // namespace vitrine
