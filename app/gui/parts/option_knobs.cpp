#include "gui/parts/option_knobs.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpressionValidator>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyle>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "vitrine/engine.h"
#include "widgets/support/option_text.h"
#include "widgets/support/wheel_guard.h"
#include "widgets/support/window_words.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

void setKnobTip(QWidget* widget, const QString& tip) {
  widget->setToolTip(tip);
  widget->setAccessibleDescription(tip);
}

// As it stands behind a number: "1 token", "2 tokens".
QString unitBehind(std::string_view unit, int count) {
  if (unit == "answers") return Wording::tr("answer(s)", nullptr, count);
  if (unit == "beams") return Wording::tr("beam(s)", nullptr, count);
  if (unit == "layers") return Wording::tr("layer(s)", nullptr, count);
  if (unit == "steps") return Wording::tr("step(s)", nullptr, count);
  if (unit == "tokens") return Wording::tr("token(s)", nullptr, count);
  return unit == "bytes" ? Wording::tr("MiB") : optionText(unit.data());
}

// A spin box counts with 32 bits, so bytes are shown in MiB.
template <class Value>
Knob<Value> wholeKnob(const OptionInfo<Value>& info, QWidget* parent, const Changed& changed) {
  const Value unit = info.unit == std::string_view("bytes") ? Value{1 << 20} : Value{1};
  auto* box = new QSpinBox(parent);
  const auto shown = [=](const Value& value) {
    const double whole = static_cast<double>(value / unit);
    return static_cast<int>(std::clamp<double>(whole, box->minimum(), box->maximum()));
  };
  constexpr double kLeast = std::numeric_limits<int>::min(), kMost = std::numeric_limits<int>::max();
  box->setRange(
      static_cast<int>(std::max(kLeast, static_cast<double>(info.least))),
      static_cast<int>(std::min(kMost, static_cast<double>(info.most) / static_cast<double>(unit))));
  box->setGroupSeparatorShown(true);
  const auto nameUnit = [=, name = info.unit] {
    if (*name != '\0') box->setSuffix(u' ' + unitBehind(name, box->value()));
  };
  nameUnit();
  if (*info.zero != '\0' && info.least == 0) box->setSpecialValueText(inWindowWords(optionText(info.zero)));
  QObject::connect(box, &QSpinBox::valueChanged, box, nameUnit);
  QObject::connect(box, &QSpinBox::valueChanged, parent, changed);
  return {box,
          [=](const Value& value) {
            box->setValue(shown(value));
            nameUnit();  // where no signal says so
          },
          [=](const Value& before) {
            return box->value() == shown(before) ? before : static_cast<Value>(box->value()) * unit;
          }};
}

Knob<double> decimalKnob(const OptionInfo<double>& info, QWidget* parent, const Changed& changed) {
  constexpr double kFarthest = 100, kFinest = 0.001;
  auto* box = new QDoubleSpinBox(parent);
  box->setDecimals(3);
  box->setSingleStep(0.05);
  box->setRange(std::max(-kFarthest, info.least) + (info.above ? kFinest : 0),
                std::min(kFarthest, info.most));
  if (*info.zero != '\0' && box->minimum() == 0) box->setSpecialValueText(optionText(info.zero));
  const auto shown = [=](double value) {
    return std::clamp(std::round(value / kFinest) * kFinest, box->minimum(), box->maximum());
  };
  QObject::connect(box, &QDoubleSpinBox::valueChanged, parent, changed);
  return {box, [=](const double& value) { box->setValue(value); },
          [=](const double& before) {
            return std::abs(box->value() - shown(before)) < kFinest / 2 ? before : box->value();
          }};
}

Knob<std::string> kernelKnob(QWidget* parent, const Changed& changed) {
  auto* box = new QComboBox(parent);
  box->addItem(Wording::tr("The fastest"), QString());
  for (const std::string& name : attentionKernelNames())
    box->addItem(QString::fromStdString(name), QString::fromStdString(name));
  QObject::connect(box, &QComboBox::currentIndexChanged, parent, changed);
  return {
      box,
      [=](const std::string& value) { box->setCurrentIndex(box->findData(QString::fromStdString(value))); },
      [=](const std::string&) { return box->currentData().toString().toStdString(); }};
}

void offerFolders(QLineEdit* box, const char* label) {
  const QIcon icon = box->style()->standardIcon(QStyle::SP_DirOpenIcon);
  QAction* choose = box->addAction(icon, QLineEdit::TrailingPosition);
  choose->setText(Wording::tr("Choose a folder"));
  const QString title = plainLabel(label);
  QObject::connect(choose, &QAction::triggered, box, [box, title] {
    const QString chosen = QFileDialog::getExistingDirectory(box->window(), title, box->text());
    if (!chosen.isEmpty()) box->setText(chosen);
  });
}

QString joined(const std::vector<std::string>& texts) {
  QStringList lines;
  for (const std::string& text : texts) lines += QString::fromStdString(text);
  return lines.join(u'\n');
}

}  // namespace

Knob<int> makeKnob(const OptionInfo<int>& info, QWidget* parent, const Changed& changed) {
  return wholeKnob(info, parent, changed);
}

Knob<std::int64_t> makeKnob(const OptionInfo<std::int64_t>& info, QWidget* parent, const Changed& changed) {
  return wholeKnob(info, parent, changed);
}

Knob<double> makeKnob(const OptionInfo<double>& info, QWidget* parent, const Changed& changed) {
  return info.unit == std::string_view("ms") ? wholeKnob(info, parent, changed)
                                             : decimalKnob(info, parent, changed);
}

// A seed has 64 bits, more than a spin box counts.
Knob<std::uint64_t> makeKnob(const OptionInfo<std::uint64_t>&, QWidget* parent, const Changed& changed) {
  auto* box = new QLineEdit(parent);
  static const QRegularExpression digits(QStringLiteral("\\d{1,20}"));
  box->setValidator(new QRegularExpressionValidator(digits, box));
  QObject::connect(box, &QLineEdit::textChanged, parent, changed);
  return {box, [=](const std::uint64_t& value) { box->setText(QString::number(value)); },
          [=](const std::uint64_t& before) {
            bool read = false;
            const qulonglong value = box->text().toULongLong(&read);
            return read ? std::uint64_t{value} : before;
          }};
}

Knob<bool> makeKnob(const OptionInfo<bool>& info, QWidget* parent, const Changed& changed) {
  auto* box = new QCheckBox(optionText(info.label), parent);
  QObject::connect(box, &QCheckBox::toggled, parent, changed);
  return {box, [=](const bool& value) { box->setChecked(value); },
          [=](const bool&) { return box->isChecked(); }};
}

Knob<std::string> makeKnob(const OptionInfo<std::string>& info, QWidget* parent, const Changed& changed) {
  if (info.text == TextKind::kAttentionKernel) return kernelKnob(parent, changed);
  auto* box = new QLineEdit(parent);
  if (info.text == TextKind::kFolder) offerFolders(box, info.label);
  QObject::connect(box, &QLineEdit::textChanged, parent, changed);
  return {box, [=](const std::string& value) { box->setText(QString::fromStdString(value)); },
          [=](const std::string&) { return box->text().trimmed().toStdString(); }};
}

// One string a line.
Knob<std::vector<std::string>> makeKnob(const OptionInfo<std::vector<std::string>>&, QWidget* parent,
                                        const Changed& changed) {
  auto* box = new QPlainTextEdit(parent);
  box->setTabChangesFocus(true);
  box->setMaximumHeight(box->fontMetrics().lineSpacing() * 3);
  box->setPlaceholderText(Wording::tr("one text a line"));
  QObject::connect(box, &QPlainTextEdit::textChanged, parent, changed);
  return {box, [=](const std::vector<std::string>& value) { box->setPlainText(joined(value)); },
          [=](const std::vector<std::string>& before) {
            if (box->toPlainText() == joined(before)) return before;
            std::vector<std::string> texts;
            for (const QString& line : box->toPlainText().split(u'\n', Qt::SkipEmptyParts))
              texts.push_back(line.toStdString());
            return texts;
          }};
}

Knob<int> makeChoice(std::span<const char* const> labels, QWidget* parent, const Changed& changed) {
  auto* box = new QComboBox(parent);
  for (const char* label : labels) box->addItem(optionText(label));
  QObject::connect(box, &QComboBox::currentIndexChanged, parent, changed);
  return {box, [=](const int& value) { box->setCurrentIndex(value); },
          [=](const int&) { return box->currentIndex(); }};
}

void enableKnob(QWidget* widget, const QString& help, const Condition* unmet, bool fixedInRun) {
  widget->setEnabled(unmet == nullptr && !fixedInRun);
  QString why;
  if (unmet != nullptr)
    why = Wording::tr("It has no effect now: it needs %1.").arg(inWindowWords(optionText(unmet->text)));
  else if (fixedInRun)
    why = Wording::tr("It cannot change in the midst of a run. Resume from step 0 to change it.");
  setKnobTip(widget, why.isEmpty() ? help : help + u'\n' + why);
}

void addKnobRow(QFormLayout* form, QWidget* widget, const char* key, const char* label, const char* help) {
  widget->setObjectName(QLatin1String(key));
  setKnobTip(widget, optionHelp(key, help));
  WheelGuard::guard(widget);
  form->addRow(qobject_cast<QCheckBox*>(widget) ? QString() : optionText(label), widget);
}

QScrollArea* scrolledPage(QWidget* page) {
  auto* area = new QScrollArea;
  area->setWidget(page);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setMinimumWidth(page->sizeHint().width() + area->verticalScrollBar()->sizeHint().width());
  return area;
}

}  // namespace vitrine
