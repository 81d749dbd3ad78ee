#include "widgets/views/sampler_controls.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSpinBox>
#include <QVBoxLayout>

#include "widgets/support/theme.h"

namespace vitrine {

SamplerControls::SamplerControls(QWidget* parent) : QWidget(parent) {
  setFont(readable(font()));
  setAccessibleName(tr("Sampling"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 10, 12, 10);
  auto* form = new QFormLayout;
  form->setRowWrapPolicy(QFormLayout::DontWrapRows);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft);
  form->setHorizontalSpacing(14);
  form->setVerticalSpacing(7);
  layout->addLayout(form);

  m_repetition =
      addDecimal(form, tr("&Repetition penalty"),
                 tr("Above 1: tokens in the prompt or the answer become less likely."), 0.05, 10, 0.05);
  m_presence = addDecimal(form, tr("Pre&sence penalty"),
                          tr("Above 0: each token in the answer becomes less likely, once."), -10, 10, 0.1);
  m_frequency =
      addDecimal(form, tr("&Frequency penalty"),
                 tr("Above 0: a token becomes less likely with each use in the answer."), -10, 10, 0.1);
  m_temperature = addDecimal(
      form, tr("Te&mperature"),
      tr("0: always the most likely token. 1: the model's own distribution. Above 1: flatter, more random."),
      0, 10, 0.1);
  m_topK = addWhole(form, tr("Top-&k"), tr("Keeps the k most likely tokens. 0 keeps all."), 0, 1'000'000);
  m_topK->setSpecialValueText(tr("all"));
  m_topP = addDecimal(form, tr("Top-&p"),
                      tr("Keeps the most likely tokens that together reach this probability. 1 keeps all."),
                      0.01, 1, 0.05);
  m_minP = addDecimal(form, tr("M&in-p"),
                      tr("Removes tokens less likely than this share of the most likely one. 0 keeps all."),
                      0, 1, 0.01);
  addSeed(form);
  m_maxTokens = addWhole(form, tr("&Longest answer"),
                         tr("The answer ends after this many tokens at the latest."), 1, 1'000'000);
  m_maxTokens->setSuffix(tr(" tokens"));
  disconnect(m_maxTokens, nullptr, this, nullptr);
  connect(m_maxTokens, &QSpinBox::valueChanged, this, [this](int tokens) {
    if (!m_setting) emit maxTokensChanged(tokens);
  });

  m_reset = new QPushButton(tr("Reset to &defaults"), this);
  m_reset->setToolTip(tr("Restore the sampling settings that the model came with"));
  connect(m_reset, &QPushButton::clicked, this, &SamplerControls::reset);
  layout->addSpacing(4);
  layout->addWidget(m_reset, 0, Qt::AlignLeft);
  layout->addStretch(1);
  m_setting = true;
  setSampling(m_defaults);
  setMaxTokens(m_defaultMaxTokens);
}

QDoubleSpinBox* SamplerControls::addDecimal(QFormLayout* form, const QString& label, const QString& tip,
                                            double low, double high, double step) {
  auto* box = new QDoubleSpinBox(this);
  box->setRange(low, high);
  box->setSingleStep(step);
  box->setDecimals(2);
  box->setToolTip(tip);
  box->setAccessibleDescription(tip);
  box->setKeyboardTracking(false);  // "0.75" is one change, not four
  form->addRow(label, box);
  form->labelForField(box)->setToolTip(tip);
  connect(box, &QDoubleSpinBox::valueChanged, this, &SamplerControls::onChanged);
  return box;
}

QSpinBox* SamplerControls::addWhole(QFormLayout* form, const QString& label, const QString& tip, int low,
                                    int high) {
  auto* box = new QSpinBox(this);
  box->setRange(low, high);
  box->setGroupSeparatorShown(true);
  box->setToolTip(tip);
  box->setAccessibleDescription(tip);
  box->setKeyboardTracking(false);
  form->addRow(label, box);
  form->labelForField(box)->setToolTip(tip);
  connect(box, &QSpinBox::valueChanged, this, &SamplerControls::onChanged);
  return box;
}

// A line and not a spin box: a seed has 64 bits, a spin box 31.
void SamplerControls::addSeed(QFormLayout* form) {
  const QString tip = tr("The same seed gives the same answer to the same prompt. Any integer.");
  m_seed = new QLineEdit(this);
  m_seed->setValidator(
      new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{1,20}")), m_seed));
  m_seed->setToolTip(tip);
  m_seed->setAccessibleDescription(tip);
  form->addRow(tr("S&eed"), m_seed);
  form->labelForField(m_seed)->setToolTip(tip);
  connect(m_seed, &QLineEdit::editingFinished, this, [this] {
    bool ok = false;
    m_seed->text().toULongLong(&ok);
    if (!ok) m_seed->setText(QString::number(m_defaults.seed));
    if (m_seed->isModified() || !ok) onChanged();
    m_seed->setModified(false);
  });
}

SamplingOptions SamplerControls::sampling() const {
  SamplingOptions sampling;
  sampling.repetitionPenalty = m_repetition->value();
  sampling.presencePenalty = m_presence->value();
  sampling.frequencyPenalty = m_frequency->value();
  sampling.temperature = m_temperature->value();
  sampling.topK = m_topK->value();
  sampling.topP = m_topP->value();
  sampling.minP = m_minP->value();
  sampling.seed = m_seed->text().toULongLong();
  return sampling;
}

int SamplerControls::maxTokens() const { return m_maxTokens->value(); }

void SamplerControls::setSampling(const SamplingOptions& sampling) {
  m_setting = true;
  m_repetition->setValue(sampling.repetitionPenalty);
  m_presence->setValue(sampling.presencePenalty);
  m_frequency->setValue(sampling.frequencyPenalty);
  m_temperature->setValue(sampling.temperature);
  m_topK->setValue(sampling.topK);
  m_topP->setValue(sampling.topP);
  m_minP->setValue(sampling.minP);
  m_seed->setText(QString::number(sampling.seed));
  m_setting = false;
  showGreedy();
}

void SamplerControls::setMaxTokens(int tokens) {
  m_setting = true;
  m_maxTokens->setValue(tokens);
  m_setting = false;
}

void SamplerControls::setDefaults(const SamplingOptions& sampling, int maxTokens) {
  m_defaults = sampling;
  m_defaultMaxTokens = maxTokens;
}

void SamplerControls::reset() {
  setSampling(m_defaults);
  setMaxTokens(m_defaultMaxTokens);
  emit samplingChanged(sampling());
  emit maxTokensChanged(maxTokens());
}

void SamplerControls::onChanged() {
  if (m_setting) return;
  showGreedy();
  emit samplingChanged(sampling());
}

// At temperature 0 the largest logit wins, so the filters have no effect and are disabled.
void SamplerControls::showGreedy() {
  const bool draws = m_temperature->value() > 0;
  for (QWidget* field : std::initializer_list<QWidget*>{m_topK, m_topP, m_minP, m_seed})
    field->setEnabled(draws);
}

}  // namespace vitrine
