#include "gui/settings/setting_editors.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>

#include "gui/parts/small_parts.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr int kChoiceListLetters = 12;  // at least

QLineEdit* line(const QString& empty, QWidget* parent, const std::function<void()>& changed) {
  auto* line = new QLineEdit(parent);
  line->setPlaceholderText(empty);
  line->setClearButtonEnabled(true);
  QObject::connect(line, &QLineEdit::editingFinished, parent, changed);
  return line;
}

SettingEditor editorOf(QLineEdit* line, QWidget* widget) {
  const auto show = [line](const QVariant& value) {
    const QSignalBlocker quiet(line);
    line->setText(value.toString());
  };
  return {widget, line, show, [line] { return QVariant(line->text().trimmed()); }};
}

}  // namespace

MakeEditor switchEditor() {
  return [](QWidget* parent, const std::function<void()>& changed) {
    auto* box = new QCheckBox(Wording::tr("On"), parent);
    QObject::connect(box, &QCheckBox::toggled, parent, changed);
    const auto show = [box](const QVariant& value) {
      const QSignalBlocker quiet(box);
      box->setChecked(value.toBool());
    };
    return SettingEditor{box, box, show, [box] { return QVariant(box->isChecked()); }};
  };
}

MakeEditor choiceEditor(std::vector<SettingChoice> choices) {
  return [choices = std::move(choices)](QWidget* parent, const std::function<void()>& changed) {
    auto* box = new QComboBox(parent);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(kChoiceListLetters);
    for (const SettingChoice& choice : choices) box->addItem(choice.name, choice.value);
    QObject::connect(box, &QComboBox::currentIndexChanged, parent, changed);
    const auto show = [box](const QVariant& value) {
      const QSignalBlocker quiet(box);
      box->setCurrentIndex(box->findData(value));
    };
    return SettingEditor{box, box, show, [box] { return box->currentData(); }};
  };
}

MakeEditor textEditor(const QString& empty) {
  return [empty](QWidget* parent, const std::function<void()>& changed) {
    QLineEdit* const field = line(empty, parent, changed);
    return editorOf(field, field);
  };
}

MakeEditor folderEditor(const QString& empty) {
  return [empty](QWidget* parent, const std::function<void()>& changed) {
    auto* both = new QWidget(parent);
    QLineEdit* const field = line(empty, both, changed);
    QPushButton* const choose = plainButton(Wording::tr("Choose…"), {}, both);
    choose->setAccessibleName(Wording::tr("Choose a folder"));
    QObject::connect(choose, &QPushButton::clicked, both, [field, changed, empty] {
      const QString from = field->text().isEmpty() ? empty : field->text();
      const QString chosen =
          QFileDialog::getExistingDirectory(field->window(), Wording::tr("Choose a folder"), from);
      if (chosen.isEmpty()) return;
      field->setText(QDir::toNativeSeparators(chosen));
      changed();
    });
    addParts(withoutMargins(new QHBoxLayout(both)), {{field, 1}, choose});
    return editorOf(field, both);
  };
}

MakeEditor buttonEditor(const QString& text, std::function<void()> press) {
  return [text, press = std::move(press)](QWidget* parent, const std::function<void()>&) {
    QPushButton* const button = plainButton(text, {}, parent);
    QObject::connect(button, &QPushButton::clicked, parent, press);
    return SettingEditor{button, button};
  };
}

}  // namespace vitrine
