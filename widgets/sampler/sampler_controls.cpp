#include "widgets/sampler/sampler_controls.h"

#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <type_traits>
#include <utility>

#include "vitrine/option_schema.h"
#include "widgets/sampler/fine_spin_box.h"
#include "widgets/sampler/option_slider.h"
#include "widgets/sampler/sampling_subject.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/option_text.h"
#include "widgets/support/theme.h"
#include "widgets/support/wheel_guard.h"

namespace vitrine {
namespace {

constexpr double kMostDecimal = 10;
constexpr int kBoxSides = 18;  // of a number beside its slider, in pixels
constexpr int kMostWhole = 1'000'000;

template <Numeric Value>
QString tipOf(const OptionInfo<Value>& info) {
  QString tip = optionSentence(info.help);
  if (*info.zero != '\0') tip += u' ' + SamplerControls::tr("0: %1.").arg(optionText(info.zero));
  return tip;
}

void describe(QWidget* box, const QString& tip) {
  box->setToolTip(tip);
  box->setAccessibleDescription(tip);
}

constexpr int kColumns = 4, kNewMessagesRow = 2;  // of the modes

// The options that most people turn; the others are folded. What means "all" is at the right, where most is
// left to draw from.
std::vector<double> stopsOf(double SamplingOptions::*member) {
  std::vector<double> stops;
  if (member == &SamplingOptions::temperature) {
    for (int tenths = 0; tenths <= 20; ++tenths) stops.push_back(tenths / 10.0);
    stops.insert(stops.end(), {3, 5, kMostDecimal});
  } else if (member == &SamplingOptions::topP) {
    for (int parts = 1; parts <= 20; ++parts) stops.push_back(parts / 20.0);
  }
  return stops;
}
std::vector<double> stopsOf(int SamplingOptions::*member) {
  if (member != &SamplingOptions::topK) return {};
  return {1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200, 500, 1000, 0};
}

QString valueText(double value) { return FineSpinBox::textOf(value); }
QString valueText(int value) { return QLocale().toString(value); }
QString valueText(std::uint64_t value) { return QString::number(value); }  // a seed is a name

}  // namespace

// Every option of the schema has a field, so a new stage needs none of its own.
SamplerControls::SamplerControls(QWidget* parent)
    : QWidget(parent),
      m_subject(new SamplingSubject(this)),
      m_moreButton(new QToolButton(this)),
      m_sliders(new QGridLayout),
      m_more(new QWidget(this)),
      m_form(new QFormLayout),
      m_modes(new SamplingModeBar(m_more)) {
  setFont(readable(font()));
  setAccessibleName(tr("Sampling"));
  m_moreButton->setObjectName(QStringLiteral("more"));
  m_moreButton->setText(tr("more"));
  m_moreButton->setToolTip(tr("All sampling options, the length and number of answers, and usual modes"));
  m_moreButton->setCheckable(true);
  m_moreButton->setAutoRaise(true);
  m_moreButton->setFocusPolicy(Qt::StrongFocus);
  m_moreButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  connect(m_moreButton, &QToolButton::toggled, this, &SamplerControls::showMore);
  auto* head = addParts(new QHBoxLayout, {{m_subject, 1}, {m_moreButton, 0, Qt::AlignTop}});
  m_sliders->setColumnStretch(1, 1);
  m_sliders->setHorizontalSpacing(10);
  m_sliders->setVerticalSpacing(0);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 0, 10, 2);
  column->setSpacing(2);
  addParts(column, {head, m_sliders, m_more});
  column->addStretch(1);
  auto* layout = new QVBoxLayout(m_more);
  layout->setContentsMargins(0, 6, 0, 6);
  layout->addWidget(m_modes);
  connect(m_modes, &SamplingModeBar::modeChosen, this, &SamplerControls::choose);
  connect(m_modes, &SamplingModeBar::undoRequested, this, &SamplerControls::undo);
  m_form->setRowWrapPolicy(QFormLayout::DontWrapRows);
  m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_form->setLabelAlignment(Qt::AlignLeft);
  m_form->setHorizontalSpacing(14);
  m_form->setVerticalSpacing(7);
  layout->addLayout(m_form);

  forEachOption<SamplingOptions>([this](const auto& info, auto member) { addField(info, member); });
  forEachOption<Request>([this](const auto& info, auto member) {
    if constexpr (std::is_same_v<decltype(member), int Request::*>) {
      if (member == &Request::maxTokens) m_maxTokens = addAnswerField(info);
      if (member == &Request::sequences) m_answers = addAnswerField(info);
      if (member == &Request::beamWidth) m_beams = addAnswerField(info);
    }
  });

  m_reset = new QPushButton(tr("Reset to defaults"), m_more);
  m_reset->setToolTip(tr("Restore the sampling settings that the model came with"));
  connect(m_reset, &QPushButton::clicked, this, &SamplerControls::reset);
  layout->addSpacing(4);
  layout->addWidget(m_reset, 0, Qt::AlignLeft);
  showMore(false);
  setSampling(m_defaults);
  setMaxTokens(m_defaultMaxTokens);
}

// Greedy sampling takes the largest logit. So the options behind the temperature act only when a token is
// drawn.
//
// The labels have no letters to jump with: the window's menus have these letters.
void SamplerControls::addRow(const char* label, QWidget* box, Field field) {
  m_form->addRow(plainLabel(label), box);
  m_form->labelForField(box)->setToolTip(box->toolTip());
  WheelGuard::guard(box);
  field.box = box;
  field.draws = m_behindTemperature;
  m_fields.push_back(std::move(field));
}

void SamplerControls::addSliderRow(const char* label, QAbstractSpinBox* box, OptionSlider* slider,
                                   Field field) {
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  box->setAlignment(Qt::AlignRight);
  box->setFixedWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("0.00001")) + kBoxSides);
  slider->setToolTip(box->toolTip());
  slider->setAccessibleDescription(box->toolTip());
  auto* name = labelFor(box, plainLabel(label).toLower(), this);
  name->setToolTip(box->toolTip());
  box->setAccessibleName(plainLabel(label));
  const int row = m_sliders->rowCount();
  m_sliders->addWidget(name, row, 0);
  m_sliders->addWidget(slider, row, 1);
  m_sliders->addWidget(box, row, 2);
  for (QWidget* one : {static_cast<QWidget*>(slider), static_cast<QWidget*>(box)}) WheelGuard::guard(one);
  field.box = box;
  field.slider = slider;
  field.draws = m_behindTemperature;
  m_fields.push_back(std::move(field));
}

void SamplerControls::addField(const OptionInfo<double>& info, double SamplingOptions::*member) {
  const bool isShare = info.most - info.least <= 1;
  auto* box = new FineSpinBox(this);
  box->setObjectName(QLatin1String(info.key));
  box->setRange(std::max(info.least, -kMostDecimal) + (info.above ? FineSpinBox::kSmallest : 0),
                std::min(info.most, kMostDecimal));
  box->setSingleStep(isShare ? 0.05 : 0.1);
  box->setKeyboardTracking(false);  // "0.75" is one change, not four
  describe(box, tipOf(info));
  connect(box, &QDoubleSpinBox::valueChanged, this, &SamplerControls::onChanged);
  addNumber(info.label, box, member);
  if (member == &SamplingOptions::temperature) m_behindTemperature = true;
}

void SamplerControls::addField(const OptionInfo<int>& info, int SamplingOptions::*member) {
  QSpinBox* const box = wholeNumberBox(info);
  connect(box, &QSpinBox::valueChanged, this, &SamplerControls::onChanged);
  addNumber(info.label, box, member);
}

template <class Box, Numeric Value>
void SamplerControls::addNumber(const char* label, Box* box, Value SamplingOptions::*member) {
  Field field{.show = [=](const SamplingOptions& sampling) { box->setValue(sampling.*member); },
              .take = [=](SamplingOptions& sampling) { sampling.*member = box->value(); }};
  std::vector<double> stops = stopsOf(member);
  if (stops.empty()) return addRow(label, box, std::move(field));
  auto* slider = new OptionSlider(plainLabel(label), std::move(stops), this);
  connect(box, &Box::valueChanged, slider, [slider](Value value) { slider->showValue(value); });
  connect(slider, &OptionSlider::valueChosen, box,
          [box](double value) { box->setValue(static_cast<Value>(value)); });
  slider->showValue(box->value());
  addSliderRow(label, box, slider, std::move(field));
}

// A line and not a spin box: a seed has 64 bits, a spin box 31.
void SamplerControls::addField(const OptionInfo<std::uint64_t>& info,
                               std::uint64_t SamplingOptions::*member) {
  auto* line = new QLineEdit(this);
  line->setObjectName(QLatin1String(info.key));
  line->setValidator(
      new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{1,20}")), line));
  describe(line, tipOf(info));
  connect(line, &QLineEdit::editingFinished, this, [this, line, member] {
    bool ok = false;
    line->text().toULongLong(&ok);
    if (!ok) line->setText(QString::number(m_defaults.*member));
    if (line->isModified() || !ok) onChanged();
    line->setModified(false);
  });
  addRow(info.label, line,
         {.show = [=](const SamplingOptions& sampling) { line->setText(QString::number(sampling.*member)); },
          .take = [=](SamplingOptions& sampling) { sampling.*member = line->text().toULongLong(); }});
}

QSpinBox* SamplerControls::addAnswerField(const OptionInfo<int>& info) {
  QSpinBox* const box = wholeNumberBox(info);
  if (info.most < kMostWhole) box->setMaximum(static_cast<int>(info.most));
  if (info.most >= kMostWhole) box->setSuffix(u' ' + optionText(info.unit));  // not "1 beams"
  connect(box, &QSpinBox::valueChanged, this, [this, box](int value) {
    if (m_setting) return;
    enableFields();
    if (box == m_maxTokens)
      emit maxTokensChanged(value);
    else
      emit answersChanged(m_answers->value(), m_beams->value());
  });
  m_form->addRow(plainLabel(info.label), box);
  m_form->labelForField(box)->setToolTip(box->toolTip());
  WheelGuard::guard(box);
  return box;
}

QSpinBox* SamplerControls::wholeNumberBox(const OptionInfo<int>& info) {
  auto* box = new QSpinBox(this);
  box->setObjectName(QLatin1String(info.key));
  box->setRange(static_cast<int>(info.least), kMostWhole);
  box->setGroupSeparatorShown(true);
  box->setKeyboardTracking(false);
  if (*info.zero != '\0') box->setSpecialValueText(optionText(info.zero));
  describe(box, tipOf(info));
  return box;
}

SamplingOptions SamplerControls::sampling() const {
  SamplingOptions sampling;
  for (const Field& field : m_fields) field.take(sampling);
  return sampling;
}

SamplingKnobs SamplerControls::knobs() const { return {sampling(), m_answers->value(), m_beams->value()}; }

// A request in the engine keeps its number of answers, so those modes are for new messages.
void SamplerControls::choose(SamplingMode mode) {
  if (needsNewRequest(mode) && !m_answersEditable) emit newMessagesWanted();
  m_before.push_back(knobs());
  setKnobs(knobsOf(mode, knobs()));
}

void SamplerControls::undo() {
  if (m_before.empty()) return;
  const SamplingKnobs before = m_before.back();
  m_before.pop_back();
  setKnobs(before);
}

void SamplerControls::forgetModes() {
  m_before.clear();
  enableFields();
}

void SamplerControls::setKnobs(const SamplingKnobs& knobs) {
  const bool answers = knobs.answers != m_answers->value() || knobs.beams != m_beams->value();
  const bool draws = knobs.sampling != sampling();
  setAnswers(knobs.answers, knobs.beams);
  setSampling(knobs.sampling);
  if (answers && m_answersEditable) emit answersChanged(knobs.answers, knobs.beams);
  if (draws) emit samplingChanged(sampling());
}

void SamplerControls::setAnswers(int answers, int beams) {
  m_setting = true;
  m_answers->setValue(answers);
  m_beams->setValue(beams);
  m_setting = false;
  enableFields();
}

int SamplerControls::maxTokens() const { return m_maxTokens->value(); }

void SamplerControls::setSampling(const SamplingOptions& sampling) {
  m_setting = true;
  for (const Field& field : m_fields) field.show(sampling);
  m_setting = false;
  enableFields();
}

void SamplerControls::setMaxTokens(int tokens) {
  m_setting = true;
  m_maxTokens->setValue(tokens);
  m_setting = false;
}

void SamplerControls::setEditable(bool sampling, bool answers) {
  m_editable = sampling;
  m_answersEditable = answers;
  for (QSpinBox* box : {m_maxTokens, m_answers, m_beams}) box->setEnabled(answers);
  enableFields();
}

void SamplerControls::setDefaults(const SamplingOptions& sampling, int maxTokens) {
  m_defaults = sampling;
  m_defaultMaxTokens = maxTokens;
}

void SamplerControls::reset() {
  setKnobs({m_defaults, 1, 1});
  setMaxTokens(m_defaultMaxTokens);
  emit maxTokensChanged(maxTokens());
}

void SamplerControls::onChanged() {
  if (m_setting) return;
  enableFields();
  emit samplingChanged(sampling());
}

// Of the schema, so that a new option is named, too.
QString SamplerControls::summary() const {
  const SamplingOptions now = sampling(), neutral;
  if (m_beams->value() > 1) return tr("%n beam(s)", nullptr, m_beams->value());  // which draw nothing
  QStringList parts = {now.temperature > 0 ? tr("T %1").arg(valueText(now.temperature)) : tr("greedy")};
  forEachOption<SamplingOptions>([&](const auto& info, auto member) {
    const bool isTemperature = QByteArrayView(info.key) == "temperature";
    if (!isTemperature && now.*member != neutral.*member)
      parts << plainLabel(info.label).toLower() + u' ' + valueText(now.*member);
  });
  if (m_answers->value() > 1) parts << tr("%n answer(s)", nullptr, m_answers->value());
  return parts.join(QStringLiteral(" · "));
}

bool SamplerControls::isUnfolded() const { return m_moreButton->isChecked(); }
void SamplerControls::setUnfolded(bool unfolded) { m_moreButton->setChecked(unfolded); }

void SamplerControls::showMore(bool shown) {
  m_moreButton->setArrowType(shown ? Qt::UpArrow : Qt::DownArrow);
  m_more->setVisible(shown);
  m_subject->setDetailed(shown);
  emit foldChanged();
}

void SamplerControls::enableFields() {
  emit summaryChanged(summary());
  const bool draws = sampling().temperature > 0;
  for (const Field& field : m_fields) {
    const bool acts = m_editable && (draws || !field.draws);
    field.box->setEnabled(acts);
    if (field.slider) field.slider->setEnabled(acts);
  }
  m_reset->setEnabled(m_editable);
  m_modes->setMode(modeOf(knobs()));
  m_modes->setUndoable(!m_before.empty());
}

SamplingModeBar::SamplingModeBar(QWidget* parent) : QWidget(parent), m_undo(new QToolButton(this)) {
  setAccessibleName(tr("Sampling modes"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 6);
  grid->setSpacing(4);
  const auto place = [&](QToolButton* button, int at) {
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setFocusPolicy(Qt::StrongFocus);
    grid->addWidget(button, at / kColumns, at % kColumns);
  };
  // A row of their own under those that act on what the controls show.
  auto* label = new QLabel(tr("For new messages:"), this);
  grid->addWidget(label, kNewMessagesRow, 0, 1, kColumns / 2);
  int at = 0, atNew = kNewMessagesRow * kColumns + kColumns / 2;
  for (const SamplingMode mode : kSamplingModes) {
    auto* button = new QToolButton(this);
    button->setText(samplingModeName(mode));
    button->setToolTip(samplingModeTip(mode));
    button->setAccessibleDescription(samplingModeTip(mode));
    button->setCheckable(true);
    connect(button, &QToolButton::clicked, this, [this, mode] { emit modeChosen(mode); });
    place(button, needsNewRequest(mode) ? atNew++ : at++);
    m_buttons[mode] = button;
  }
  m_undo->setText(tr("Undo"));
  m_undo->setToolTip(tr("Set the controls as they were before the last mode"));
  connect(m_undo, &QToolButton::clicked, this, &SamplingModeBar::undoRequested);
  place(m_undo, at);
  setUndoable(false);
}

void SamplingModeBar::setMode(std::optional<SamplingMode> mode) {
  for (const auto& [one, button] : m_buttons) button->setChecked(one == mode);
}

void SamplingModeBar::setUndoable(bool undoable) { m_undo->setEnabled(undoable); }

}  // namespace vitrine

#include "moc_sampler_controls.cpp"
