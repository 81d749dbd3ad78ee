// SamplerControls: a field for each sampling option of the schema, in the order of the stages.
// Thread: the window's. Read next: vitrine/request_option_table.h.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "vitrine/option_info.h"
#include "vitrine/options.h"

class QFormLayout;
class QPushButton;
class QSpinBox;

namespace vitrine {

class SamplingSubject;

class SamplerControls : public QWidget {
  Q_OBJECT
 public:
  explicit SamplerControls(QWidget* parent = nullptr);

  SamplingOptions sampling() const;
  int maxTokens() const;
  QString summary() const;                            // "T 0.7 · top-k 40 · top-p 0.95"
  void setSampling(const SamplingOptions& sampling);  // emits no signal
  void setMaxTokens(int tokens);
  // What the values apply to, above the fields.
  SamplingSubject* subject() const { return m_subject; }
  void setEditable(bool sampling, bool maxTokens);
  // The values of Reset; the engine's own defaults (greedy) until this is called.
  void setDefaults(const SamplingOptions& sampling, int maxTokens);

 public slots:
  void reset();

 signals:
  void samplingChanged(const vitrine::SamplingOptions& sampling);
  void maxTokensChanged(int tokens);
  void summaryChanged(const QString& summary);

 private:
  struct Field {
    std::function<void(const SamplingOptions&)> show;
    std::function<void(SamplingOptions&)> take;
    QWidget* box = nullptr;
    bool draws = false;  // acts only when a token is drawn
  };

  void addField(const OptionInfo<double>& info, double SamplingOptions::*member);
  void addField(const OptionInfo<int>& info, int SamplingOptions::*member);
  void addField(const OptionInfo<std::uint64_t>& info, std::uint64_t SamplingOptions::*member);
  void addMaxTokens(const OptionInfo<int>& info);
  void addRow(const char* label, QWidget* box, Field field);
  QSpinBox* wholeNumberBox(const OptionInfo<int>& info);
  void onChanged();
  void enableFields();

  SamplingSubject* m_subject;
  QFormLayout* m_form;
  std::vector<Field> m_fields;
  bool m_behindTemperature = false;  // while fields are added
  QSpinBox* m_maxTokens = nullptr;
  QPushButton* m_reset;
  SamplingOptions m_defaults;
  int m_defaultMaxTokens = 256;
  bool m_setting = false;
  bool m_editable = true;
};

}  // namespace vitrine
